"""Join conditions that raise doubts, or would raise errors for rows that are not there."""

from __future__ import annotations

import pytest

from tests.caveats.cases import Case, problem
from tests.caveats.worlds import Slot, Table
from trailbook.algebra.bind import bind
from trailbook.algebra.plan import Scan
from trailbook.model.artifacts import Column

YES, NO = True, False
LARGEST = 2**31 - 1


def table(name: str, columns: str, *slots: Slot) -> Table:
    return Table(name, tuple(Column(name=column, type="int") for column in columns), slots)


CERTAIN = table("l", "a", Slot((1,), (NO,)), Slot((5,), (NO,)))
LATE = table("l", "a", Slot((1,), (NO,)), Slot((5,), (NO,), phantom=True))
HUGE = table("l", "a", Slot((1,), (NO,)), Slot((LARGEST,), (NO,), phantom=True))
PAIRS = table("r", "kb", Slot((2, 1), (NO, NO)), Slot((7, 0), (NO, YES)), Slot((8, 0), (NO, YES)))
SETTLED = table("r", "kb", Slot((1, 1), (NO, NO)), Slot((7, 0), (NO, NO)))
LEAVING = table("r", "kb", Slot((1, 0), (NO, NO), row=True), Slot((2, 1), (NO, NO)))
POSITIVE = "(SELECT * FROM r WHERE b > 0)"

CASES = [
    (CERTAIN, PAIRS, f"SELECT a, k, b FROM l LEFT JOIN {POSITIVE} ON a + 1 = k"),
    (CERTAIN, PAIRS, f"SELECT a, k, b FROM l FULL JOIN {POSITIVE} ON a + 1 = k"),
    (CERTAIN, PAIRS, "SELECT a, (SELECT sum(b) FROM r WHERE b > 0 AND k = a + 1) AS s FROM l"),
    (LATE, SETTLED, "SELECT a, k, b FROM l LEFT JOIN r ON a + 1 = k"),
    (HUGE, SETTLED, "SELECT a FROM l WHERE EXISTS (SELECT 1 FROM r WHERE a + k > 3)"),
    (HUGE, SETTLED, "SELECT a FROM l WHERE EXISTS (SELECT 1 FROM r WHERE a + 1 = k)"),
    (CERTAIN, SETTLED, "SELECT a, k, b FROM l LEFT JOIN r ON caveat_if(a, a > 1, 'odd') = k"),
    (CERTAIN, SETTLED, "SELECT a, k, b FROM l LEFT JOIN r ON caveat_if(a, a < 3, 'odd') = k"),
    (CERTAIN, SETTLED, "SELECT a FROM l WHERE EXISTS (SELECT 1 FROM r WHERE caveat_if(a + k, a > 1, 'odd') > 20)"),
    (CERTAIN, SETTLED, "SELECT a FROM l WHERE NOT EXISTS (SELECT 1 FROM r WHERE caveat_if(a + k, a > 1, 'odd') > 20)"),
    (CERTAIN, LEAVING, "SELECT a, k, b FROM l LEFT JOIN r ON k = a + b"),
]


@pytest.mark.parametrize(("left", "right", "query"), CASES, ids=[query for *_, query in CASES])
def test_the_guarantee_holds_for_every_join_condition(left: Table, right: Table, query: str) -> None:
    unique = Scan(right.name, right.columns, (frozenset({"k"}),))
    case = Case((left, right), bind(query, {"l": left.scan, "r": unique}))
    assert problem(case, seed=1, worlds=60) is None


def test_has_caveat_may_ask_about_both_sides() -> None:
    right = table("r", "k", Slot((2,), (YES,)), Slot((3,), (NO,)))
    query = "SELECT a FROM l WHERE EXISTS (SELECT 1 FROM r WHERE has_caveat(a + k))"
    case = Case((CERTAIN, right), bind(query, {"l": CERTAIN.scan, "r": right.scan}))
    assert [slot.values for slot in case.slots() if not slot.phantom] == [(1,), (5,)]
