"""Persons and tokens."""

from __future__ import annotations

import pytest
from sqlalchemy import select

from trailbook.errors import NotFound
from trailbook.model.base import PersonId
from trailbook.model.notebook import Person
from trailbook.store import persons, tables
from trailbook.store.store import Store


def test_the_local_person_is_one_and_takes_the_name_that_holds_now(store: Store) -> None:
    with store.writing() as tx:
        ada = persons.local_person(tx, "Ada")
        grace = persons.local_person(tx, "Grace")
        assert grace == Person(id=ada.id, name="Grace") == persons.get(tx, ada.id)


def test_a_token_lets_its_person_in_until_it_is_revoked(store: Store) -> None:
    with store.writing() as tx:
        ada = persons.local_person(tx, "Ada")
        mary = Person(id=PersonId("mary"), name="Mary")
        persons.insert(tx, mary)
        persons.add_token(tx, ada.id, "ada's", "laptop")
        persons.add_token(tx, mary.id, "mary's", "phone")
        assert persons.person_of_token(tx, "mary's") == mary
        assert persons.person_of_token(tx, "nobody's") is None
        [token] = persons.tokens_of(tx, mary.id)
        persons.revoke_token(tx, token.hash)
        assert persons.person_of_token(tx, "mary's") is None
        assert persons.person_of_token(tx, "ada's") == ada
        assert persons.tokens_of(tx, mary.id)[0].revoked is not None
        persons.add_token(tx, mary.id, "mary's", "phone")
        assert persons.person_of_token(tx, "mary's") == mary


def test_a_token_itself_is_not_stored(store: Store) -> None:
    with store.writing() as tx:
        persons.add_token(tx, persons.local_person(tx, "Ada").id, "a very secret token", "laptop")
        assert "secret" not in str(tx.execute(select(tables.tokens)).all())


def test_unknown_persons_and_tokens_are_named(store: Store) -> None:
    with store.writing() as tx:
        with pytest.raises(NotFound, match="nobody"):
            persons.get(tx, PersonId("nobody"))
        with pytest.raises(NotFound, match="token"):
            persons.revoke_token(tx, persons.hash_of_token("x"))
