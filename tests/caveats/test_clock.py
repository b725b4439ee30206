"""What Spark reads by the clock is in doubt, and nothing else."""

from __future__ import annotations

import pytest

from trailbook.algebra.bind import bind
from trailbook.algebra.expressions import is_true, ref
from trailbook.algebra.interpreter import interpret
from trailbook.algebra.plan import Named, Project, Scan
from trailbook.caveats.clock import by_the_clock
from trailbook.caveats.instrument import instrument
from trailbook.caveats.tables import data
from trailbook.model.artifacts import Column

SCOPE = {"t": (Column(name="x", type="string"),)}


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
