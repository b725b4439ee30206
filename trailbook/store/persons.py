"""Persons and their access tokens, of which only a hash is stored."""

from __future__ import annotations

import hashlib
from datetime import datetime

from sqlalchemy import Connection, select, update
from sqlalchemy import insert as insert_into

from trailbook.errors import NotFound
from trailbook.model.base import Digest, PersonId, Value, new_id, now
from trailbook.model.notebook import Person
from trailbook.store import tables
from trailbook.store.sql import insert_missing, the_one

_persons, _tokens = tables.persons, tables.tokens


class Token(Value):
    """A token that lets a person in; the token itself is not stored."""

    hash: Digest
    person: PersonId
    label: str
    created: datetime
    revoked: datetime | None = None


def insert(tx: Connection, person: Person) -> None:
    tx.execute(insert_into(_persons).values(id=person.id, name=person.name, local=False))


def local_person(tx: Connection, name: str) -> Person:
    """The person who started Trailbook on this machine, under the name that holds now."""
    insert_missing(tx, _persons, [{"id": new_id(), "name": name, "local": True}])
    row = tx.execute(select(_persons).where(_persons.c.local)).one()
    if row.name != name:
        tx.execute(update(_persons).where(_persons.c.id == row.id).values(name=name))
    return Person(id=row.id, name=name)


def get(tx: Connection, id: PersonId) -> Person:
    row = the_one(tx, select(_persons).where(_persons.c.id == id), "person", id)
    return Person(id=row.id, name=row.name)


def add_token(tx: Connection, person: PersonId, token: str, label: str) -> None:
    """Let this token in; one that was revoked is valid again."""
    hash_ = hash_of_token(token)
    insert_missing(tx, _tokens, [{"hash": hash_, "person": person, "label": label, "created": now()}])
    tx.execute(update(_tokens).where(_tokens.c.hash == hash_).values(person=person, label=label, revoked=None))


def person_of_token(tx: Connection, token: str) -> Person | None:
    valid = (_tokens.c.hash == hash_of_token(token)) & _tokens.c.revoked.is_(None)
    row = tx.execute(select(_persons).join(_tokens).where(valid)).first()
    return None if row is None else Person(id=PersonId(row.id), name=row.name)


def tokens_of(tx: Connection, person: PersonId) -> list[Token]:
    """The person's tokens, oldest first, with those that were revoked."""
    query = select(_tokens).where(_tokens.c.person == person).order_by(_tokens.c.created)
    return [Token(**row._mapping) for row in tx.execute(query)]


def revoke_token(tx: Connection, hash: Digest) -> None:
    """Let this token in no more."""
    done = tx.execute(update(_tokens).where(_tokens.c.hash == hash).values(revoked=now()))
    if not done.rowcount:
        raise NotFound(f"There is no token {hash}.", what="token", id=hash)


def hash_of_token(token: str) -> Digest:
    return Digest(hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest())
