"""All that is in doubt of a dataset, with the reasons, for the report that goes out with it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from trailbook.engine import Engine
from trailbook.errors import TrailbookError
from trailbook.model.artifacts import Artifact
from trailbook.model.base import ArtifactId, BranchId, CellHandle, Digest, now
from trailbook.model.notebook import VersionRef
from trailbook.sinks.report import Accepted, CaveatReport, ReportedSet
from trailbook.store import branches
from trailbook.store.store import Store
from trailbook.workflow.caveat_sets import Asked
from trailbook.workflow.explanation import CaveatSet, Explanation, SetKnown
from trailbook.workflow.makers import Datasets

Explain = Callable[[VersionRef, Asked], Explanation]
MOST_COLUMNS = 20
"""Columns of which each is asked about by itself."""


def report_above(
    store: Store, engine: Engine, branch: BranchId, cell: CellHandle, name: str, id: ArtifactId
) -> CaveatReport:
    """What is in doubt of the dataset that a cell of the branch's head meets under a name."""
    from trailbook.store.parquet import PageReader

    with store.reading() as tx:
        ref = VersionRef(branch=branch, number=branches.get(tx, branch).head)
    made = Datasets(store, ref).above(cell, name, id)
    pages = PageReader()
    return caveat_report(
        store, lambda ref, asked: Explanation(store, engine, pages, ref, asked), ref, made.cell, made.name
    )


def caveat_report(store: Store, explain: Explain, ref: VersionRef, cell: CellHandle, name: str) -> CaveatReport:
    """What is in doubt of a dataset that a cell of the version shows. Spark is asked for the reasons."""
    artifact = Datasets(store, ref).named(cell, name).artifact
    report = CaveatReport(
        dataset=name,
        origin=f"Version {ref.number} of branch {ref.branch}, cell {cell}",
        time=now(),
        rows=artifact.rows or 0,
        columns=tuple(column.name for column in artifact.columns),
        doubt=artifact.doubt,
    )
    try:
        return report.model_copy(
            update={"sets": tuple(_Questions(explain, ref, Asked(cell=cell, name=name), artifact).reported())}
        )
    except TrailbookError as error:
        return report.model_copy(update={"problem": error.message})


class _Questions:
    """What is asked about one dataset."""

    def __init__(self, explain: Explain, ref: VersionRef, asked: Asked, artifact: Artifact) -> None:
        self._explain = explain
        self._ref = ref
        self._asked = asked
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
        known = (one.set for one in self._explain(self._ref, asked).sayings() if isinstance(one, SetKnown))
        return {found.id: found for found in known if found.count}


def _reported(found: CaveatSet, columns: tuple[str, ...], missing: bool) -> ReportedSet:
    return ReportedSet(
        message=found.message or found.place,
        place=found.place,
        cell=_cell_of(found),
        count=found.count or 0,
        examples=tuple(member.message for member in found.examples),
        columns=columns,
        missing=missing,
        acknowledged=tuple(
            Accepted(message=said.message, note=said.note, person=said.person.name, time=said.time)
            for said in found.acknowledged
        ),
    )


def _cell_of(found: CaveatSet) -> str:
    there = found.elsewhere
    return f"{found.cell} of {there.project_name or 'another project'}" if there else found.cell
