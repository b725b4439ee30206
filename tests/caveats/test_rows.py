"""Conditions that could answer differently each time they are asked, or would raise errors for phantoms."""

from __future__ import annotations

from random import Random

import pytest

from tests.caveats.cases import Case, problem
from tests.caveats.worlds import Slot, Table
from trailbook.algebra.bind import bind
from trailbook.algebra.interpreter import compile_plan
from trailbook.caveats.instrument import instrument
from trailbook.caveats.tables import data
from trailbook.model.artifacts import Column

ONE = Table("one", (Column(name="a", type="int"),), (Slot((1,), (False,)),))
MANY = Table("many", (Column(name="k", type="int"),), (Slot((1,), (False,)),) * 9)
SOME = "(SELECT a FROM one WHERE rand() < 0.5)"


@pytest.mark.parametrize(
    ("query", "answers"),
    [
        (f"SELECT a, k FROM {SOME} JOIN many ON a = k", ([], [(1, 1)] * 9)),
        (f"SELECT a, k FROM {SOME} FULL JOIN many ON a = k", ([(None, 1)] * 9, [(1, 1)] * 9)),
    ],
)
def test_whether_a_row_passes_is_decided_once(query: str, answers: tuple[list[tuple[int | None, int]], ...]) -> None:
    slots = instrument(bind(query, {"one": ONE.scan, "many": MANY.scan}), {})
    tables = {"one": ONE.plain(), "many": MANY.plain()}
    for seed in range(20):
        rows = compile_plan(data(slots), Random(seed))(tables)
        assert [row[:2] for row in rows] in answers


def test_a_condition_raises_no_error_for_a_phantom() -> None:
    phantom = Slot((2**31 - 1, 1, 1), (False, False, True), phantom=True)
    columns = tuple(Column(name=name, type="int") for name in "abc")
    table = Table("t", columns, (Slot((1, 1, 1), (False, False, False)), phantom))
    query = "SELECT a FROM (SELECT * FROM t WHERE a + b > 5 OR c > 3) UNION ALL SELECT 1"
    assert problem(Case((table,), bind(query, {"t": table.scan})), seed=1) is None


@pytest.mark.parametrize(
    "drawn",
    [
        "SELECT a, rand() AS x FROM one",
        "SELECT a, rand() AS x FROM one WHERE rand() < 0.5 OR a > 1",
        "SELECT a, x FROM (SELECT a, rand() AS x FROM one) LEFT JOIN many ON a = k AND x < 0.5",
    ],
)
def test_rows_that_are_used_twice_are_drawn_once(drawn: str) -> None:
    query = f"WITH t AS ({drawn}) SELECT count(*) AS n FROM t AS l JOIN t AS r ON l.a = r.a WHERE l.x <> r.x"
    slots = instrument(bind(query, {"one": ONE.scan, "many": MANY.scan}), {})
    tables = {"one": ONE.plain(), "many": MANY.plain()}
    assert [compile_plan(data(slots), Random(seed))(tables)[0][0] for seed in range(5)] == [0] * 5
