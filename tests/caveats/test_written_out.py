"""Caveats that are raised among rows that are written out."""

from __future__ import annotations

from typing import Any

import pytest

from tests.caveats.test_words import places
from trailbook.algebra.bind import bind
from trailbook.algebra.interpreter import interpret
from trailbook.caveats.instrument import instrument
from trailbook.caveats.tables import data


@pytest.mark.parametrize(
    ("values", "rows"),
    [
        ("(1, CAST('2' AS int)), (3, CAST('x' AS int))", [(1, 2, 0), (3, None, 4)]),
        ("(caveat(1, 'm'), 5)", [(1, 5, 2)]),
        ("(1, 5), (caveat(2, 'm'), 6), (3, caveat_if(7, FALSE, 'm'))", [(1, 5, 0), (2, 6, 2), (3, 7, 0)]),
        ("(1, has_caveat(caveat(1, 'm'))), (2, FALSE)", [(1, True), (2, False)]),
        ("(1, 5), (2, 6)", [(1, 5), (2, 6)]),
    ],
)
def test_what_is_raised_in_a_row_marks_its_value(values: str, rows: list[Any]) -> None:
    assert interpret(data(instrument(bind(f"SELECT * FROM VALUES {values} AS v(a, b)", {}), {})), {}) == rows


def test_what_may_be_different_each_time_is_marked() -> None:
    slots = instrument(bind("SELECT a, b FROM VALUES (1, rand()), (2, 0.5D) AS v(a, b)", {}), {})
    assert [row[2] for row in interpret(data(slots), {})] == [4, 0]


def test_what_is_raised_in_a_row_is_listed() -> None:
    assert places("SELECT b FROM VALUES (1, 1), (1, CAST('x' AS int)) AS v(a, b)") == ["CAST('x' AS INT)"]
