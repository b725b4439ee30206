"""How columns differ from what they were, over several loads."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from trailbook.cells.reloading.drift import Drift, drift_between

FIRST, SECOND = "2026-01-01 10:00", "2026-02-01 10:00"


def drift(
    before: Mapping[str, str], now: Mapping[str, str], *known: Drift, settled: tuple[str, ...] = ()
) -> list[tuple[str, str, str]]:
    found = drift_between(before, now, known=known, since=SECOND, settled=settled)
    return [(one.column, one.change, one.since) for one in found]


def test_columns_are_new_gone_or_of_another_type() -> None:
    found = drift({"a": "int", "b": "int", "c": "date"}, {"a": "int", "b": "string", "d": "int"})
    assert found == [("b", "was int and is string", SECOND), ("d", "is new", SECOND), ("c", "is gone", SECOND)]
    assert drift({"a": "int"}, {"a": "int"}) == []


def test_what_somebody_settled_is_no_drift() -> None:
    assert drift({"a": "int"}, {"a": "string", "b": "int"}, settled=("a", "b")) == []


@pytest.mark.parametrize(
    ("now", "expected"),
    [
        ({"a": "string"}, [("a", "was int and is string", FIRST)]),
        ({"a": "double"}, [("a", "was int and is double", FIRST)]),
        ({"a": "int"}, []),
        ({}, [("a", "is gone", FIRST)]),
    ],
    ids=["as last time", "another type again", "as at first", "gone"],
)
def test_a_drift_lasts_until_the_column_is_as_it_was(
    now: Mapping[str, str], expected: list[tuple[str, str, str]]
) -> None:
    known = Drift(column="a", was="int", now="string", since=FIRST)
    assert drift({"a": "string"}, now, known) == expected


def test_a_column_that_was_new_and_is_gone_again_is_as_it_was() -> None:
    new = Drift(column="b", was=None, now="int", since=FIRST)
    assert drift({"a": "int", "b": "int"}, {"a": "int"}, new) == []
    assert new.message == "the column b is new since the load of 2026-01-01 10:00"
