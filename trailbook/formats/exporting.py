"""A version of a notebook becomes a document, with what its cells showed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trailbook.formats.document import Accepted, DatasetPreview, Document, DocumentCell
from trailbook.formats.shown_files import with_file_contents
from trailbook.model.artifacts import Artifact, ArtifactKind, ArtifactState
from trailbook.model.base import CellHandle
from trailbook.model.notebook import Spec, VersionRef
from trailbook.store import versions
from trailbook.store.masks import marks_of
from trailbook.workflow.views import CellView, Output
from trailbook.workflow.workbench import Workbench

if TYPE_CHECKING:
    import pyarrow as pa


def export_document(bench: Workbench, ref: VersionRef, preview_rows: int = 0) -> Document:
    """The version as a document; with `preview_rows`, that many rows of each dataset."""
    notebook = bench.notebook(ref)
    with bench.store.reading() as tx:
        specs = {cell.handle: cell.spec for cell in versions.get(tx, ref).cells}
    cells = (_cell(bench, view, specs[view.handle], preview_rows) for view in notebook.cells)
    return Document(title=notebook.project.name, packages=notebook.packages.wanted, cells=tuple(cells))


def _cell(bench: Workbench, view: CellView, spec: Spec, preview_rows: int) -> DocumentCell:
    cell = DocumentCell(
        kind=spec.kind,
        parameters=spec.parameters,
        acknowledged=tuple(Accepted(place=a.place, message=a.message, note=a.note) for a in spec.acknowledged),
        handle=CellHandle(view.handle),
    )
    # What other code showed is not this cell's.
    if view.run is None or view.run.spec != spec.hash or view.run.finished is None:
        return cell
    shown = [output for output in view.outputs if preview_rows and _is_there(output.artifact)]
    return cell.model_copy(
        update={
            "messages": with_file_contents(bench.store.files, view.run.messages),
            "error": view.run.error,
            "seconds": (view.run.finished - view.run.started).total_seconds(),
            "datasets": tuple(_preview(bench, output, preview_rows) for output in shown),
        }
    )


def _is_there(artifact: Artifact) -> bool:
    return artifact.kind is ArtifactKind.DATASET and artifact.state is ArtifactState.PRESENT


def _preview(bench: Workbench, output: Output, rows: int) -> DatasetPreview:
    artifact = output.artifact
    page = bench.pages.read(bench.store.files.path(artifact.id), 0, rows)
    width = len(artifact.columns)
    everything = [list(range(width + 1))] * page.num_rows
    marks = everything if artifact.doubt.coarse else marks_of(page, width)
    texts = [_texts(page.column(column.name)) for column in artifact.columns]
    return DatasetPreview(
        name=output.name,
        columns=artifact.columns,
        total=artifact.rows or 0,
        rows=tuple(zip(*texts, strict=True)) if texts else (),
        marks=tuple(map(tuple, marks)),
        doubt=artifact.doubt,
    )


def _texts(column: pa.ChunkedArray) -> list[str | None]:
    """The values as text; what Python can't hold, such as the years that Spark knows, as Arrow writes it."""
    import pyarrow as pa

    try:
        values = column.to_pylist()
    except (OverflowError, ValueError):
        values = column.cast(pa.string()).to_pylist()
    return [None if value is None else str(value) for value in values]
