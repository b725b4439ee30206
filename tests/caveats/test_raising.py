"""Doubts that queries raise are found wherever they are raised, and can be asked for."""

from __future__ import annotations

from typing import Any

import pytest
from sqlglot import exp

from tests.caveats.cases import problem
from tests.caveats.doubting import doubting_case
from tests.caveats.forms import FORMS
from trailbook.algebra.bind import bind
from trailbook.algebra.interpreter import interpret
from trailbook.algebra.plan import Project
from trailbook.caveats.instrument import instrument
from trailbook.caveats.raising import raise_caveats
from trailbook.caveats.sites import sites
from trailbook.caveats.tables import data, phantoms
from trailbook.model.artifacts import Column

SCOPE = {"orders": (Column(name="id", type="int", nullable=False), Column(name="amount", type="string"))}
ROWS = {"orders": [(1, "12"), (2, "n/a")]}


@pytest.mark.parametrize(
    "expression",
    [
        "rand()",
        "rand() < 2",
        "upper(own_function(amount))",
        "try_divide(1, id) + 1",
        "1 / id + 1",
        "-CAST(amount AS int)",
    ],
)
def test_a_doubt_is_found_however_deep_it_is_raised(expression: str) -> None:
    plan = raise_caveats(bind(f"SELECT {expression} AS x FROM orders", SCOPE))
    assert isinstance(plan, Project)
    assert list(sites(plan.columns[0].expr))


@pytest.mark.parametrize(
    ("query", "rows"),
    [
        ("SELECT id, has_caveat(CAST(amount AS int)) AS x FROM orders", [(1, False), (2, True)]),
        (
            "SELECT id, has_caveat(n) AS x FROM (SELECT id, CAST(amount AS int) AS n FROM orders)",
            [(1, False), (2, True)],
        ),
        ("SELECT count_if(has_caveat(CAST(amount AS int))) AS x FROM orders", [(1,)]),
        ("SELECT id FROM orders WHERE NOT has_caveat(CAST(amount AS int))", [(1,)]),
    ],
)
def test_doubts_that_the_query_itself_raises_can_be_asked_for(query: str, rows: list[Any]) -> None:
    assert interpret(data(instrument(bind(query, SCOPE), {})), ROWS) == rows


def test_a_doubt_about_a_sort_key_puts_the_first_rows_in_doubt() -> None:
    query = "SELECT id FROM orders ORDER BY CAST(amount AS int) DESC LIMIT 1"
    slots = instrument(bind(query, SCOPE), {})
    late = phantoms(slots)
    assert interpret(data(slots), ROWS) == [(1, 1)]
    assert late
    assert interpret(late, ROWS)


@pytest.mark.parametrize("form", FORMS)
def test_the_guarantee_holds_for_queries_that_raise_doubts(form: str) -> None:
    for seed in range(3):
        case = doubting_case(seed, form)
        found = problem(case, seed)
        assert found is None, f"seed {seed}\n{case}\n{found}"


@pytest.mark.parametrize(
    ("constant", "is_good"),
    [
        ("-9223372036854775808L", True),
        ("-128Y", True),
        ("CAST('12' AS int)", True),
        ("CAST('12.0' AS int)", False),
        ("CAST('1_2' AS int)", False),
        ("CAST(300 AS tinyint)", False),
        ("99999999999999999999999999999999999999BD", True),
        ("CAST('1.25' AS decimal(3,1))", False),
        ("DATE '2024-02-29'", True),
        ("DATE '2023-02-29'", False),
        ("CAST('20240229' AS date)", False),
        ("TIMESTAMP '2024-02-29 10:00:00'", True),
        ("CAST('1e5' AS double)", False),
        ("1.5D", True),
    ],
)
def test_a_constant_that_can_certainly_be_cast_raises_nothing(constant: str, is_good: bool) -> None:
    plan = bind(f"SELECT {constant} AS x", {})
    assert instrument(plan, {}).is_clean == is_good


@pytest.mark.parametrize(
    ("division", "only_by_zero"),
    [
        ("id / id", True),
        ("CAST(1 AS decimal(10,2)) / id", True),
        ("CAST(1 AS decimal(38,0)) / CAST(id AS double)", True),
        ("CAST(1 AS decimal(38,0)) / CAST(id AS decimal(38,18))", False),
        ("INTERVAL 1 YEAR / id", False),
        ("amount / id", False),
    ],
)
def test_a_quotient_that_may_be_too_large_is_looked_at(division: str, only_by_zero: bool) -> None:
    plan = raise_caveats(bind(f"SELECT {division} AS x FROM orders", SCOPE))
    assert isinstance(plan, Project)
    (site,) = sites(plan.columns[0].expr)
    assert (site.call.condition.find(exp.Anonymous) is None) == only_by_zero
