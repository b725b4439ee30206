"""What Spark reads by the clock is in doubt, and nothing else."""

from __future__ import annotations

import pytest

from trailbook.algebra.bind import bind
from trailbook.algebra.expressions import Expr, is_false, is_true, ref
from trailbook.algebra.interpreter import interpret
from trailbook.algebra.mapping import expressions_of
from trailbook.algebra.plan import Named, Project, Scan
from trailbook.algebra.traversal import bottom_up
from trailbook.caveats.calls import CaveatCall, caveat_call
from trailbook.caveats.clock import by_the_clock
from trailbook.caveats.instrument import instrument
from trailbook.caveats.raising import raise_caveats
from trailbook.caveats.tables import data
from trailbook.model.artifacts import Column

SCOPE = {"t": (Column(name="x", type="string"),)}
DAYS = {
    "t": (
        Column(name="x", type="string"),
        Column(name="day", type="date", nullable=False),
        Column(name="time", type="timestamp", nullable=False),
    )
}


@pytest.mark.parametrize(
    ("constant", "changes"),
    [
        ("CAST('today' AS date)", True),
        ("DATE' Tomorrow'", True),
        ("to_date('yesterday')", True),
        ("TIMESTAMP'now'", True),
        ("CAST('now' AS timestamp_ntz)", True),
        ("CAST('10:00' AS timestamp)", True),
        ("to_timestamp('T10:00:00')", True),
        ("to_timestamp('10:00', 'HH:mm')", False),
        ("CAST('epoch' AS date)", False),
        ("CAST('2026-01-01 10:00' AS timestamp)", False),
        ("CAST('-2026-01-01' AS date)", False),
    ],
)
def test_a_constant_that_is_another_moment_each_day_is_marked(constant: str, changes: bool) -> None:
    mark = instrument(bind(f"SELECT {constant} AS y", {}), {}).mark("y")
    assert is_true(mark) == changes


@pytest.mark.parametrize(
    "expr",
    [
        "day < 'today'",
        "day BETWEEN ' Yesterday' AND '2026-01-01'",
        "day IN ('2026-01-01', 'now')",
        "day <=> 'today'",
        "time - 'now'",
        "'now' + INTERVAL 1 DAY",
        "CASE WHEN x IS NULL THEN day ELSE 'today' END",
        "coalesce(day, 'today')",
        "datediff('today', day)",
        "date_trunc('month', 'today')",
        "year('tomorrow')",
        "array(day, 'today')",
        "time > '10:00'",
        "timestampdiff(HOUR, time, '10:00')",
    ],
)
def test_a_constant_of_which_spark_makes_a_moment_unasked_is_marked(expr: str) -> None:
    assert has_mark(f"SELECT {expr} AS y FROM t")


@pytest.mark.parametrize(
    "expr",
    [
        "x = 'today'",
        "x IN ('now', '10:00')",
        "CASE WHEN x = 'now' THEN 'today' ELSE 'later' END",
        "concat(day, 'today')",
        "struct(day, 'now')",
        "date_format(time, 'HH:mm')",
        "day < '2026-01-01'",
        "time > '2026-01-01 10:00'",
        "day = 'nowhere'",
        "day = x",
        "concat(time, x)",
        "'today'",
    ],
)
def test_a_constant_that_stays_text_or_has_its_day_is_not_marked(expr: str) -> None:
    assert not has_mark(f"SELECT {expr} AS y FROM t")


@pytest.mark.parametrize(
    "expr",
    ["time > x", "x = time", "nullif(time, x)", "date_trunc('day', x)", "CASE WHEN day IS NULL THEN time ELSE x END"],
)
def test_a_text_of_which_spark_makes_a_timestamp_unasked_may_be_marked(expr: str) -> None:
    assert has_mark(f"SELECT {expr} AS y FROM t")


def test_a_doubt_about_the_clock_is_told_at_the_comparison() -> None:
    calls = raise_caveats(bind("SELECT x FROM t WHERE day < 'today'", DAYS))
    found = next(call for plan in bottom_up(calls) for expr in expressions_of(plan) for call in caveats_in(expr))
    assert (found.place, found.value.name) == ("t.day < 'today'", "today")


def has_mark(query: str) -> bool:
    return not is_false(instrument(bind(query, DAYS), {}).mark("y"))


def caveats_in(expr: Expr) -> list[CaveatCall]:
    return [found for node in expr.walk() if (found := caveat_call(node))]


def test_times_without_a_day_are_told_from_timestamps() -> None:
    times = ["10:00", " 9:30:00 ", "T10:00", "10:00-08:00"]
    others = ["2026-01-01 10:00:00", "2026-01-01T10:00:00-08:00", "-2026-01-01 10:00", "2026", None]
    scan = Scan("t", SCOPE["t"])
    plan = Project(scan, (Named("y", by_the_clock(ref("x"), "timestamp")),))
    found = interpret(plan, {"t": [(text,) for text in (*times, *others)]})
    assert found == [(True,)] * len(times) + [(False,)] * len(others)


def test_words_are_words_in_constants_alone() -> None:
    slots = instrument(bind("SELECT CAST(x AS date) AS y FROM t", SCOPE), {})
    assert interpret(data(slots), {"t": [("today",), ("2026-01-01",)]})[0] == (None, 2)
