"""What a key determines: groups by a key and by what goes with it are groups by the key."""

from __future__ import annotations

from tests.caveats.cases import Case
from tests.caveats.worlds import Slot, Table
from trailbook.algebra.bind import bind
from trailbook.caveats.dependencies import Dependency, closed, determined, renamed
from trailbook.model.artifacts import Column

YES, NO = True, False
ORDERS = Table(
    "orders",
    tuple(Column(name=name, type="int") for name in ("id", "day")),
    (Slot((1, 10), (NO, YES)), Slot((2, 20), (NO, NO))),
    keys=(frozenset({"id"}),),
)
LINES = Table(
    "lines",
    tuple(Column(name=name, type="int") for name in ("of", "price")),
    (Slot((1, 5), (NO, NO)), Slot((2, 6), (NO, NO)), Slot((2, 7), (NO, YES))),
)


def dependency(key: str, columns: str) -> Dependency:
    return Dependency(frozenset(key), frozenset(columns))


def test_a_doubtful_column_that_a_key_determines_makes_no_other_groups() -> None:
    query = "SELECT of, day, count(*) AS n FROM lines JOIN orders ON of = id GROUP BY of, day"
    case = Case((ORDERS, LINES), bind(query, {"orders": ORDERS.scan, "lines": LINES.scan}))
    assert case.slots() == [Slot((1, 10, 1), (NO, YES, NO)), Slot((2, 20, 2), (NO, NO, NO))]


def test_without_the_key_it_does() -> None:
    query = "SELECT day, count(*) AS n FROM lines JOIN orders ON of = id GROUP BY day"
    case = Case((ORDERS, LINES), bind(query, {"orders": ORDERS.scan, "lines": LINES.scan}))
    assert any(slot.row for slot in case.slots())


def test_what_is_determined_determines_more() -> None:
    known = (dependency("a", "b"), dependency("bc", "d"))
    assert determined("a", known) == frozenset("ab")
    assert determined("ac", known) == frozenset("abcd")


def test_one_dependency_for_each_key_says_all_that_follows() -> None:
    assert closed((dependency("a", "b"), dependency("b", "c"))) == (dependency("a", "abc"), dependency("b", "bc"))


def test_a_dependency_goes_with_the_columns_of_its_key() -> None:
    known = (dependency("a", "bc"), dependency("d", "c"))
    assert renamed(known, {"a": "x", "c": "y"}) == (dependency("x", "y"),)
