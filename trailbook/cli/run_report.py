"""What `trailbook run --json` writes."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from trailbook.model.artifacts import Artifact, ArtifactKind
from trailbook.model.base import Value
from trailbook.model.runs import CellState, TextMessage
from trailbook.workflow.views import CellView, Notebook


class CellReport(Value):
    """A cell. `index` counts from 0; `reused` says that it did not have to run."""

    index: int
    kind: str
    state: CellState
    stdout: str = ""
    error: str | None = None
    seconds: float = 0.0
    reads: tuple[str, ...] = ()
    writes: tuple[str, ...] = ()
    reused: bool = False


class DatasetReport(Value):
    """A dataset as it is after the last cell."""

    rows: int
    columns: tuple[str, ...]
    marked_values: int
    marked_rows: int
    rows_may_be_missing: bool


class RunReport(Value):
    cells: tuple[CellReport, ...]
    datasets: dict[str, DatasetReport]

    @property
    def is_done(self) -> bool:
        return all(cell.state is CellState.DONE for cell in self.cells)


def report_of(notebook: Notebook, began: datetime) -> RunReport:
    """What a run that began then has come to."""
    cells = tuple(_cell(index, view, began) for index, view in enumerate(notebook.cells))
    datasets = names_at_end(notebook, ArtifactKind.DATASET)
    return RunReport(cells=cells, datasets={name: _dataset(found) for name, found in datasets.items()})


def names_in_doubt(notebook: Notebook) -> list[str]:
    """What the cells made that is in doubt, each with the number of the cell."""
    return [
        f"{output.name} (cell {number})"
        for number, cell in enumerate(notebook.cells, 1)
        for output in cell.outputs
        if not output.artifact.doubt.is_none
    ]


def _cell(index: int, view: CellView, began: datetime) -> CellReport:
    run = view.run if view.state not in (CellState.WAITING, CellState.STALE) else None
    if run is None:
        return CellReport(index=index, kind=view.kind, state=view.state)
    return CellReport(
        index=index,
        kind=view.kind,
        state=view.state,
        stdout="".join(m.text for m in run.messages if isinstance(m, TextMessage) and m.stream == "stdout"),
        error=run.error.message if run.error else None,
        seconds=((run.finished or run.started) - run.started).total_seconds(),
        reads=_names(run.spellings.values()),
        writes=_names(run.writes),
        reused=run.started < began,
    )


def _names(names: Iterable[str]) -> tuple[str, ...]:
    """Those that people gave; what begins otherwise is the state of libraries."""
    return tuple(sorted({name for name in names if name.isidentifier()}))


def names_at_end(notebook: Notebook, kind: ArtifactKind) -> dict[str, Artifact]:
    """What the names mean after the last cell, as far as they are of this kind."""
    found: dict[str, Artifact] = {}
    for cell in notebook.cells:
        for name in cell.run.deletes if cell.run else ():
            found.pop(name, None)
        found.update({output.name: output.artifact for output in cell.outputs})
    return {name: artifact for name, artifact in found.items() if artifact.kind is kind}


def _dataset(artifact: Artifact) -> DatasetReport:
    doubt, rows = artifact.doubt, artifact.rows or 0
    return DatasetReport(
        rows=rows,
        columns=tuple(column.name for column in artifact.columns),
        marked_values=rows * len(artifact.columns) if doubt.coarse else sum(doubt.values.values()),
        marked_rows=rows if doubt.coarse else doubt.rows,
        rows_may_be_missing=doubt.may_miss_rows or doubt.coarse,
    )
