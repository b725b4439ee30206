"""Doubts that queries raise are found wherever they are raised, and can be asked for."""

from __future__ import annotations

from typing import Any

import pytest

from trailbook.algebra.bind import bind
from trailbook.algebra.interpreter import interpret
from trailbook.algebra.plan import Project
from trailbook.caveats.instrument import instrument
from trailbook.caveats.raising import raise_caveats
from trailbook.caveats.sites import sites
from trailbook.caveats.tables import data
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
