"""The first rows are those of the plain query, in its order, whatever is in doubt."""

from __future__ import annotations

import pytest

from trailbook.algebra.bind import bind
from trailbook.algebra.interpreter import interpret
from trailbook.caveats.instrument import instrument
from trailbook.caveats.tables import TableDoubt, data
from trailbook.model.artifacts import Column

SCOPE = {"t": (Column(name="a", type="int"), Column(name="b", type="int"))}
ROWS = [(1, 30, 4), (2, 10, 1), (3, 20, 0), (4, 40, 0), (5, 20, 4)]
"""With a mask: bit 0 for the row, bit 2 for b."""


@pytest.mark.parametrize(
    "query",
    [
        "SELECT a, b FROM t ORDER BY b DESC, a LIMIT 3",
        "SELECT a FROM t ORDER BY b, a DESC LIMIT 4 OFFSET 1",
        "SELECT a FROM (SELECT a, b FROM t ORDER BY b, a LIMIT 4) LIMIT 2",
        "SELECT k FROM (SELECT a % 4 AS k, avg(a + b) AS v FROM t GROUP BY a % 4 ORDER BY v LIMIT 3) LIMIT 2",
        "SELECT k FROM (SELECT a AS k, sum(b) AS v FROM t GROUP BY a ORDER BY v DESC, k LIMIT 4) LIMIT 3",
        "SELECT a + 1 AS c FROM (SELECT a FROM t ORDER BY b DESC, a LIMIT 4) LIMIT 2 OFFSET 1",
    ],
)
def test_rows_in_doubt_leave_the_order_as_it_is(query: str) -> None:
    plan = bind(query, SCOPE)
    width = len(plan.names)
    slots = instrument(plan, {"t": TableDoubt(frozenset({"b"}), rows=True)})
    plain = interpret(plan, {"t": [row[:2] for row in ROWS]})
    assert [row[:width] for row in interpret(data(slots), {"t": ROWS})] == plain


@pytest.mark.parametrize("order", ["", "ORDER BY b", "ORDER BY a + b"])
def test_of_no_rows_none_may_be_missing(order: str) -> None:
    doubt = TableDoubt(frozenset({"b"}), rows=True, phantoms="t__phantoms")
    assert instrument(bind(f"SELECT a, b FROM t {order} LIMIT 0", SCOPE), {"t": doubt}).is_clean
