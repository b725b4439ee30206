"""How soon caveats are there: the experiment of the Vizier paper (CIDR 2020, section 5) on data of the same shape.

Two tables of texts are cast, cleaned and grouped by queries over queries, as a notebook does it. Measured of each, side
by side: the query on plain Spark and with marks, the static analysis that finds the caveat sets of the cleaned table,
and the expansion of all these sets. `--picture` draws the timelines in docs/ anew. The last line is JSON.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import trailbook
from benchmarks._messy_tables import Shape, doubted, raw, steps, trusted
from benchmarks._timeline import Lane, Span, Timeline, draw
from trailbook.caveats.explain import explain
from trailbook.caveats.reasons import Reason
from trailbook.caveats.targets import Target
from trailbook.library.reasons import AT_ONCE, caveat_sets

PICTURE = Path(__file__).parents[1] / "docs" / "pictures" / "caveat-timeline.svg"
ROUNDS = 9
EXPANSIONS = 3
SHAPES = (
    Shape("shootings", 2_900, 43, unreadable=2, repaired=8, damaged=10, outliers=5),
    Shape("graffiti", 985_000, 15, unreadable=1, repaired=13, damaged=5, outliers=3),
)
"""So much is wrong with them that there are as many caveats and caveat sets as in the paper: 121 in 51, 47 in 28."""
BY_TEXT = "SELECT district, avg(c0) AS mean FROM checked GROUP BY district"
BY_CAST = "SELECT c3, avg(c0) AS mean FROM checked GROUP BY c3"
"""The same by a key that is in doubt itself."""


@dataclass(frozen=True)
class Expansion:
    """When each caveat set was expanded, from the first on, and how many caveats there are in all."""

    spans: Sequence[Span]
    caveats: int

    @property
    def seconds(self) -> float:
        return max(span.end for span in self.spans)


@dataclass(frozen=True)
class Measured:
    """Seconds, of one table."""

    shape: Shape
    load: float
    plain: float
    marked: float
    by_cast: float
    """Marked over plain, where the key is in doubt."""
    static: float
    cold: Expansion
    warm: Expansion
    asked: float
    """From the question why anything of the query's result is in doubt to the answer."""

    def figures(self) -> dict[str, float]:
        return {
            "load_seconds": round(self.load, 3),
            "plain_seconds": round(self.plain, 3),
            "marked_seconds": round(self.marked, 3),
            "overhead": round(self.marked / self.plain, 3),
            "overhead_by_doubtful_key": round(self.by_cast, 3),
            "static_seconds": round(self.static, 4),
            "expansion_seconds": round(self.warm.seconds, 3),
            "first_set_seconds": round(min(span.end for span in self.warm.spans), 3),
            "first_expansion_seconds": round(self.cold.seconds, 3),
            "query_caveats_seconds": round(self.asked, 3),
            "caveat_sets": len(self.warm.spans),
            "caveats": self.warm.caveats,
        }

    def timeline(self) -> Timeline:
        analysed = self.marked + self.static
        expanded = [span.after(analysed) for span in self.warm.spans]
        return Timeline(
            f"{self.shape.name}: {self.shape.rows:,} rows × {self.shape.columns} columns, {self.warm.caveats} caveats",
            [
                Lane("query, plain", "#9aa5b1", [Span(0, self.plain)]),
                Lane("query, marked", "#2b6cb0", [Span(0, self.marked)]),
                Lane("static analysis", "#b7791f", [Span(self.marked, analysed)]),
                Lane(f"{len(self.warm.spans)} caveat sets", "#c53030", expanded),
            ],
        )


def seconds(action: Callable[[], object]) -> float:
    start = time.perf_counter()
    action()
    return time.perf_counter() - start


def plain_and_marked(db: trailbook.Database, text: str) -> tuple[float, float]:
    """The best time of each, taken in turn."""
    plain, marked = [], []
    for _ in range(ROUNDS):
        plain.append(seconds(lambda: db.spark.sql(text).toArrow()))
        marked.append(seconds(lambda: db.sql(text).fetch()))
    return min(plain), min(marked)


def reasons(table: trailbook.Query) -> list[Reason]:
    """The caveat sets of a table, found without a look at its data."""
    everything = Target(frozenset(table.plan.names), rows=True)
    return explain(table.catalog.traced(table.plan), everything)


def expand(table: trailbook.Query, found: Sequence[Reason]) -> Expansion:
    """Ask for the members of all sets, as many at once as the library does."""
    start = time.perf_counter()

    def members(reason: Reason) -> tuple[Span, int]:
        begun = time.perf_counter() - start
        count = sum(one.count for one in caveat_sets(table.catalog, [reason]))
        return Span(begun, time.perf_counter() - start), count

    with ThreadPoolExecutor(AT_ONCE) as pool:
        spans, counts = zip(*pool.map(members, found), strict=True)
    return Expansion(spans, sum(counts))


def measure(shape: Shape) -> Measured:
    data = raw(shape)
    with trailbook.connect() as db:
        db.spark.range(1).toArrow()  # Spark's start is not what is measured.
        load = seconds(lambda: db.create("raw", data))
        for name, text in steps(shape, doubted):
            db.create(name, db.sql(text))
        for name, text in steps(shape, trusted):
            db.spark.sql(text).createOrReplaceTempView(name)
        plain, marked = plain_and_marked(db, BY_TEXT)
        plain_by_cast, marked_by_cast = plain_and_marked(db, BY_CAST)
        checked = db.sql("SELECT * FROM checked")
        static = min(seconds(lambda: reasons(checked)) for _ in range(ROUNDS))
        cold, *warm = (expand(checked, reasons(checked)) for _ in range(EXPANSIONS))
        asked = min(seconds(lambda: db.sql(BY_TEXT).caveats()) for _ in range(EXPANSIONS))
    best = min(warm, key=lambda expansion: expansion.seconds)
    return Measured(shape, load, plain, marked, marked_by_cast / plain_by_cast, static, cold, best, asked)


def main() -> None:
    measured = []
    for shape in SHAPES:
        measured.append(measure(shape))
        print(f"{shape.name}: {json.dumps(measured[-1].figures())}", flush=True)
    if "--picture" in sys.argv[1:]:
        draw([one.timeline() for one in measured], PICTURE)
    print(json.dumps({"benchmark": "caveat_experiment", **{one.shape.name: one.figures() for one in measured}}))


if __name__ == "__main__":
    main()
