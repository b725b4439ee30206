"""What is carried along with the rows: of phantoms it raises no error, and columns of any name are told from marks."""

from __future__ import annotations

import pytest

from tests.caveats.cases import Case, problem
from tests.caveats.worlds import Slot, Table
from trailbook.algebra.bind import bind
from trailbook.algebra.plan import Union
from trailbook.caveats.instrument import instrument
from trailbook.caveats.tables import TableDoubt, data
from trailbook.model.artifacts import Column

LARGEST = 2**31 - 1
SUMS = Table(
    "sums",
    tuple(Column(name=name, type="int") for name in "abc"),
    (
        Slot((1, 1, 1), (False, False, True)),
        Slot((LARGEST, 1, 1), (False, False, True), phantom=True),
    ),
)
"""A phantom whose a + b is too large."""


@pytest.mark.parametrize("value", ["coalesce(a + b, c)", "CASE WHEN a + b > 2 THEN c ELSE 0 END"])
def test_the_mark_of_a_phantom_raises_no_error(value: str) -> None:
    case = Case((SUMS,), bind(f"SELECT {value} AS x FROM sums", {"sums": SUMS.scan}))
    assert problem(case, seed=1) is None


def test_a_mark_reads_the_column_it_was_made_of_and_not_its_successor() -> None:
    columns = (Column(name="a", type="int"), Column(name="__x", type="int", nullable=False))
    table = Table("t", columns, (Slot((1, 1), (False, False)), Slot((1, 5), (False, False))))
    query = "SELECT caveat_if(a, __x > 3, 'large') AS a, __x - 5 AS __x FROM t"
    case = Case((table,), bind(query, {"t": table.scan}))
    assert [(slot.values, slot.marks[0]) for slot in case.slots()] == [((1, -4), False), ((1, 0), True)]


def test_of_a_union_only_what_has_rows_of_the_data_is_computed() -> None:
    plan = bind("SELECT a, b FROM sums ORDER BY b LIMIT 1", {"sums": SUMS.scan})
    slots = instrument(plan, {"sums": TableDoubt(frozenset("c"))})
    assert any(isinstance(operator, Union) for operator in slots.plan.walk())
    assert not any(isinstance(operator, Union) for operator in data(slots).walk())
