"""The caveat report beside an exported dataset: what of it is in doubt, and why."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import datetime

from trailbook.model.artifacts import Doubt
from trailbook.model.base import Value

LONGEST = 300
"""Characters of a text from the data that the Markdown shows; the JSON has all."""
_SPECIAL = re.compile(r"([\\`*_\[\]<>|#~&!$])")


class Accepted(Value):
    """Who acknowledged caveats of a set: those of one text, or all of it."""

    message: str | None
    note: str
    person: str
    time: datetime


class ReportedSet(Value):
    """Caveats that were raised at one place.

    `columns` are those whose values they put in doubt, if that is known; with `missing`, rows may be missing for them.
    """

    message: str
    place: str
    cell: str | None
    count: int
    examples: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    missing: bool = False
    acknowledged: tuple[Accepted, ...] = ()


class CaveatReport(Value):
    """What is in doubt of a dataset. `origin` is where it is from; `problem` is why reasons are left out, if so."""

    dataset: str
    origin: str
    time: datetime
    rows: int
    columns: tuple[str, ...]
    doubt: Doubt
    sets: tuple[ReportedSet, ...] = ()
    notes: tuple[str, ...] = ()
    problem: str = ""

    @property
    def marking(self) -> list[ReportedSet]:
        return [one for one in self.sets if not one.acknowledged]

    @property
    def accepted(self) -> list[ReportedSet]:
        """Those that mark nothing any more."""
        return [one for one in self.sets if one.acknowledged]

    def reasons(self) -> dict[str, str]:
        """Of each column, in words, why values are in doubt."""
        return {
            name: "\n".join(f"{one.message} ({one.count:,})" for one in self.marking if name in one.columns)
            for name in self.doubt.values
        }


def report_name(name: str) -> str:
    """What the report is called that lies beside a file: with its ending, since sales.csv may lie beside sales.xlsx."""
    return f"{name}.caveats.md"


def markdown(report: CaveatReport) -> str:
    """The report for people to read."""
    return "\n".join(_lines(report)) + "\n"


def _lines(report: CaveatReport) -> Iterator[str]:
    yield f"# Caveats of {_plain(report.dataset)}"
    yield ""
    yield f"{_plain(report.origin)}, {report.time:%Y-%m-%d %H:%M} UTC."
    yield f"{report.rows:,} rows, {len(report.columns):,} columns."
    yield from _section("What is in doubt", _doubts(report))
    yield from _section("Why", _sets(report.marking))
    yield from _section("Acknowledged, and no longer marked", _sets(report.accepted))
    yield from _section("About the file", (f"- {_plain(note)}" for note in report.notes))
    if report.problem:
        yield from _section("Not all reasons are here", [_plain(report.problem)])


def _section(title: str, lines: Iterable[str]) -> Iterator[str]:
    found = list(lines)
    if found:
        yield from ("", f"## {title}", "", *found)


def _doubts(report: CaveatReport) -> Iterator[str]:
    doubt = report.doubt
    if doubt.is_none:
        yield "Nothing."
    if doubt.coarse:
        yield "- All of it: nobody sees through the code that made it."
        return
    for name, count in doubt.values.items():
        yield f"- {_plain(name)}: {count:,} of {report.rows:,} values"
    if doubt.rows:
        yield f"- Rows that may not belong there: {doubt.rows:,}"
    if doubt.phantoms:
        yield f"- Rows that were left out and may belong there: {doubt.phantoms:,}"
    if doubt.open:
        yield "- Any number of other rows may be missing."


def _sets(sets: Iterable[ReportedSet]) -> Iterator[str]:
    for one in sets:
        about = [*map(_plain, one.columns), *(["rows that may be missing"] if one.missing else [])]
        where = f" (in {', '.join(about)})" if about else ""
        source = f" from cell {_plain(one.cell)}" if one.cell else ""
        yield f"- {one.count:,} ×{source}, {_plain(one.place)}{where}"
        yield from (f"  - {_plain(example)}" for example in dict.fromkeys(one.examples or (one.message,)))
        for said in one.acknowledged:
            note = f": {_plain(said.note)}" if said.note else ""
            yield f"  - acknowledged by {_plain(said.person)}, {said.time:%Y-%m-%d}{note}"


def _plain(text: str) -> str:
    """A text from anywhere, as one line that means nothing to Markdown."""
    line = " ".join(text.split())
    short = line if len(line) <= LONGEST else line[: LONGEST - 1] + "…"
    return _SPECIAL.sub(r"\\\1", short)
