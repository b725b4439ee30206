"""All that is in doubt of a dataset, with the reasons, for the report that goes out with it."""

from __future__ import annotations

from collections.abc import Iterator

from trailbook.errors import TrailbookError
from trailbook.model.artifacts import Artifact
from trailbook.model.base import CellHandle, Digest, now
from trailbook.model.notebook import VersionRef
from trailbook.sinks.report import Accepted, CaveatReport, ReportedSet
from trailbook.workflow.caveat_sets import Asked, Datasets
from trailbook.workflow.explanation import CaveatSet, SetKnown
from trailbook.workflow.workbench import Workbench

MOST_COLUMNS = 20
"""Columns of which each is asked about by itself."""


def caveat_report(bench: Workbench, ref: VersionRef, cell: CellHandle, name: str) -> CaveatReport:
    """What is in doubt of a dataset that a cell of the version shows. Spark is asked for the reasons."""
    artifact = Datasets(bench.store, ref).named(cell, name).artifact
    report = CaveatReport(
        dataset=name,
        origin=f"Version {ref.number} of branch {ref.branch}, cell {cell}",
        time=now(),
        rows=artifact.rows or 0,
        columns=tuple(column.name for column in artifact.columns),
        doubt=artifact.doubt,
    )
    try:
        return report.model_copy(update={"sets": tuple(_Questions(bench, ref, cell, name, artifact).reported())})
    except TrailbookError as error:
        return report.model_copy(update={"problem": error.message})


class _Questions:
    """What is asked about one dataset."""

    def __init__(self, bench: Workbench, ref: VersionRef, cell: CellHandle, name: str, artifact: Artifact) -> None:
        self._bench = bench
        self._ref = ref
        self._asked = Asked(cell=cell, name=name)
        self._doubt = artifact.doubt

    def reported(self) -> Iterator[ReportedSet]:
        missing = self._sets(missing=True) if self._doubt.may_miss_rows else {}
        everything = self._sets() | missing
        behind = self._columns_behind(everything)
        for id, found in everything.items():
            columns = tuple(name for name, ids in behind.items() if id in ids)
            yield _reported(found, columns, id in missing)

    def _columns_behind(self, sets: dict[Digest, CaveatSet]) -> dict[str, set[Digest]]:
        """Of each column the sets that reach it; nothing if there are too many to ask about."""
        marking = {id for id, found in sets.items() if not found.acknowledged}
        columns = list(self._doubt.values)
        if len(marking) == 1 or self._doubt.coarse:
            return dict.fromkeys(columns, marking)
        if len(columns) > MOST_COLUMNS:
            return {}
        return {name: set(self._sets(column=name)) for name in columns}

    def _sets(self, column: str | None = None, missing: bool = False) -> dict[Digest, CaveatSet]:
        """Those that have members."""
        asked = self._asked.model_copy(update={"column": column, "missing": missing})
        known = (one.set for one in self._bench.explanation(self._ref, asked).sayings() if isinstance(one, SetKnown))
        return {found.id: found for found in known if found.count}


def _reported(found: CaveatSet, columns: tuple[str, ...], missing: bool) -> ReportedSet:
    return ReportedSet(
        message=found.message or found.place,
        place=found.place,
        cell=found.cell,
        count=found.count or 0,
        examples=tuple(member.message for member in found.examples),
        columns=columns,
        missing=missing,
        acknowledged=tuple(
            Accepted(message=said.message, note=said.note, person=said.person.name, time=said.time)
            for said in found.acknowledged
        ),
    )
