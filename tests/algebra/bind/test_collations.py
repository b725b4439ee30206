"""What reads texts with collations is opaque as a whole: equal ones are not the same."""

from __future__ import annotations

import pytest

from tests.algebra.bind.tables import SCOPE
from trailbook.algebra.bind import bind
from trailbook.algebra.plan import Opaque, Plan, Project, Schema
from trailbook.model.artifacts import Column

COLLATED = (Column(name="c", type="string collate UTF8_LCASE"),)


def described(plan: Opaque) -> Schema:
    return COLLATED if "collate" in plan.text.lower() else SCOPE["u"]


def bound(text: str) -> Plan:
    return bind(text, {**SCOPE, "words": COLLATED}, described)


@pytest.mark.parametrize(
    "text",
    [
        "SELECT collate(b, 'UTF8_LCASE') AS c FROM t",
        "SELECT b COLLATE UTF8_LCASE AS c FROM t",
        "SELECT CAST(b AS STRING COLLATE UTF8_LCASE) AS c FROM t",
        "SELECT from_json(b, 'x STRING COLLATE UTF8_LCASE').x AS c FROM t",
        "SELECT c, count(*) AS n FROM (SELECT collate(b, 'UTF8_LCASE') AS c FROM t) GROUP BY c",
        "WITH q AS (SELECT collate(b, 'UTF8_LCASE') AS c FROM t) SELECT DISTINCT c FROM q",
        "SELECT a FROM t WHERE b IN (SELECT c FROM words)",
        "SELECT c FROM words UNION SELECT b FROM t",
        "SELECT max(c) AS c FROM words",
    ],
)
def test_a_query_of_collated_texts_is_opaque(text: str) -> None:
    plan = bound(text)
    assert isinstance(plan, Opaque)
    assert plan.text == text


def test_the_query_around_one_that_shows_no_collated_texts_is_taken_apart() -> None:
    plan = bound("SELECT a + 1 AS b FROM (SELECT length(c) AS a FROM words)")
    assert isinstance(plan, Project)
    assert isinstance(plan.input, Opaque)


def test_a_text_that_speaks_of_collating_is_a_text() -> None:
    assert not isinstance(bound("SELECT a FROM t WHERE b = 'collate'"), Opaque)
