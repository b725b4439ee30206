"""Window functions whose answer rests on an order among rows that tie."""

from __future__ import annotations

import pytest

from tests.caveats.cases import Case, problem
from tests.caveats.worlds import Slot, Table
from trailbook.algebra.bind import bind
from trailbook.model.artifacts import Column

TIED = Table(
    "t",
    tuple(Column(name=name, type="int") for name in "ab"),
    tuple(Slot(values, (False, False)) for values in ((1, 2), (1, 3), (2, 4))),
)


@pytest.mark.parametrize("function", ["collect_list(b)", "max_by(b, a)", "first_value(b)"])
def test_what_tells_ties_apart_is_in_doubt_where_rows_tie(function: str) -> None:
    case = Case((TIED,), bind(f"SELECT a, b, {function} OVER (ORDER BY a) AS x FROM t", {"t": TIED.scan}))
    assert problem(case, seed=1) is None


@pytest.mark.parametrize(
    "query",
    [
        "SELECT a, c FROM (SELECT * FROM t ORDER BY a) LEFT JOIN (SELECT b AS c FROM t) ON b = c LIMIT 1",
        "SELECT b, rank() OVER (ORDER BY b) AS x FROM (SELECT * FROM t ORDER BY a) LIMIT 1",
    ],
)
def test_rows_have_no_order_after_a_join_or_a_window(query: str) -> None:
    case = Case((TIED,), bind(query, {"t": TIED.scan}))
    assert problem(case, seed=1) is None


def test_a_sum_of_phantoms_raises_no_error() -> None:
    huge = Slot((0, 2**63 - 1), (True, False))
    table = Table("t", (TIED.columns[0], Column(name="b", type="bigint")), (huge, huge, Slot((5, 1), (False, False))))
    query = "SELECT sum(b) OVER () AS x FROM (SELECT * FROM t WHERE a > 2)"
    assert problem(Case((table,), bind(query, {"t": table.scan})), seed=1) is None
