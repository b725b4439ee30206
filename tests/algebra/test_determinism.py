"""What may be computed twice, and what Spark would look at the clock for."""

from __future__ import annotations

import pytest

from trailbook.algebra.bind import bind
from trailbook.algebra.determinism import is_deterministic, is_repeatable
from trailbook.algebra.plan import Opaque, Plan, Project
from trailbook.model.artifacts import Column

SCOPE = {"t": (Column(name="x", type="string"), Column(name="day", type="date"))}


def bound(expr: str) -> Plan:
    return bind(f"SELECT {expr} AS y FROM t", SCOPE)


@pytest.mark.parametrize(
    "expr",
    [
        "CAST('today' AS date)",
        "CAST(' Now ' AS timestamp)",
        "try_cast('TOMORROW' AS timestamp_ntz)",
        "DATE'yesterday'",
        "TIMESTAMP'now'",
        "to_date('today')",
        "to_timestamp('today UTC')",
        "day < 'today'",
        "datediff('now', day)",
        "current_date()",
        "rand()",
    ],
)
def test_what_looks_at_the_clock_or_draws_lots_is_another_the_second_time(expr: str) -> None:
    plan = bound(expr)
    assert isinstance(plan, Project)
    assert not is_deterministic(plan.columns[0].expr)
    assert not is_repeatable(plan)


@pytest.mark.parametrize(
    "expr", ["CAST('epoch' AS date)", "CAST('2026-01-01' AS date)", "to_date(x)", "CAST(x AS date)", "x = 'nowhere'"]
)
def test_texts_that_name_no_moment_of_the_clock_are_the_same_each_time(expr: str) -> None:
    assert is_repeatable(bound(expr))


def test_a_name_for_a_moment_of_the_clock_is_left_to_spark() -> None:
    # To write out what it stands for would look at the clock twice.
    assert isinstance(bind("SELECT CAST('now' AS timestamp) AS n, n AS m FROM t", SCOPE), Opaque)
