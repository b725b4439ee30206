"""Artifacts: pages of datasets, and the bytes of files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import FileResponse

from trailbook.errors import Dropped, Invalid
from trailbook.model.artifacts import Artifact, ArtifactKind, Column
from trailbook.model.base import ArtifactId, Value
from trailbook.server.access import Bench, CurrentPerson
from trailbook.server.errors import documented
from trailbook.server.parameters import ArtifactPath
from trailbook.server.rows import ARROW, arrow_stream, json_rows, prefers_arrow
from trailbook.store import artifacts
from trailbook.store.masks import PHANTOMS, marks_of, with_everything_marked
from trailbook.workflow.workbench import Workbench

if TYPE_CHECKING:
    import pyarrow as pa

router = APIRouter(prefix="/artifacts/{artifact}", tags=["artifacts"], responses=documented(409))

SHOWN_TYPES = frozenset({"image/png", "image/jpeg", "image/gif", "image/svg+xml", "text/html", "application/json"})
# What cells show may run scripts, but in an origin of its own, cut off from the app and from the network.
SANDBOX = (
    "sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline' 'unsafe-eval'; "
    "style-src 'unsafe-inline'; img-src data: blob:; font-src data:; frame-ancestors 'self'"
)
AS_ARROW: dict[int | str, dict[str, Any]] = {
    200: {"content": {ARROW: {"schema": {"type": "string", "format": "binary"}}}}
}
Offset = Annotated[int, Query(ge=0, le=2**62)]
Limit = Annotated[int, Query(ge=1, le=10_000)]
Row = Annotated[int, Query(ge=-1, le=2**62)]


class Marked(Value):
    """A row, from 0, and what is in doubt of it: 0 is the row itself, i the value of column i, from 1. Null: none."""

    row: int | None
    marks: tuple[int, ...]


class Rows(Value):
    """A page of a dataset. Values that JSON has no form for (decimals, times, large integers) are text."""

    offset: int
    total: int
    columns: tuple[Column, ...]
    rows: list[list[Any]]
    marks: list[list[int]] | None = None
    """Of each row what is in doubt: 0 for the row itself, i for column i, from 1. None: nothing of this dataset is."""


@router.get("")
def get_artifact(artifact: ArtifactPath, bench: Bench, person: CurrentPerson) -> Artifact:
    """What is known about an artifact; also of one whose files are gone."""
    return _find(bench, artifact)


@router.get("/rows", response_model=Rows, responses=AS_ARROW)
def get_rows(
    artifact: ArtifactPath,
    bench: Bench,
    person: CurrentPerson,
    request: Request,
    offset: Offset = 0,
    limit: Limit = 100,
) -> Rows | Response:
    """A page of a dataset: as an Arrow IPC stream if the Accept header asks for one, else as JSON.

    In Arrow, the marks are columns of whole numbers after the data, `__mask`, `__mask1` and so on, of 62 bits each:
    bit 0 of the first for the row, bit i for column i, from 1. They are missing where nothing is in doubt.
    """
    found = _dataset(bench, artifact)
    table = bench.pages.read(bench.store.files.path(artifact), offset, limit)
    return _answer(found, table, offset, found.rows or 0, request)


@router.get("/phantoms", response_model=Rows, responses=AS_ARROW)
def get_phantoms(
    artifact: ArtifactPath,
    bench: Bench,
    person: CurrentPerson,
    request: Request,
    offset: Offset = 0,
    limit: Limit = 100,
) -> Rows | Response:
    """A page of the rows that were left out in doubt. A mark 0 says that one stands for any number of rows."""
    found = _dataset(bench, artifact)
    directory = bench.store.files.path(artifact)
    if found.doubt.phantoms:
        table = bench.pages.read(directory / PHANTOMS, offset, limit)
    else:
        table = bench.pages.read(directory, 0, 0)
    return _answer(found, table, offset, found.doubt.phantoms, request)


@router.get("/marked")
def get_marked_row(
    artifact: ArtifactPath, bench: Bench, person: CurrentPerson, row: Row = -1, backwards: bool = False
) -> Marked:
    """The next row after this one, or before it, that is in doubt or has a value that is."""
    found = _dataset(bench, artifact)
    directory = bench.store.files.path(artifact)
    if found.doubt.coarse:
        near = min(row, found.rows or 0) - 1 if backwards else row + 1
        there = near if 0 <= near < (found.rows or 0) else None
        return Marked(row=there, marks=() if there is None else tuple(range(len(found.columns) + 1)))
    there = None if found.doubt.is_none else bench.pages.next_marked(directory, row, backwards)
    if there is None:
        return Marked(row=None, marks=())
    (marks,) = marks_of(bench.pages.read(directory, there, 1), len(found.columns))
    return Marked(row=there, marks=tuple(marks))


@router.get(
    "/content",
    response_class=FileResponse,
    responses={200: {"content": {"*/*": {"schema": {"type": "string", "format": "binary"}}}}},
)
def get_content(artifact: ArtifactPath, bench: Bench, person: CurrentPerson) -> FileResponse:
    """The bytes of a file: an upload, or what a cell showed."""
    found = _find(bench, artifact)
    if found.kind is not ArtifactKind.FILE:
        raise Invalid(f"Artifact {artifact} is a dataset; its rows are at …/rows.")
    path = bench.store.files.path(artifact)
    if not path.is_file():
        raise Dropped(f"The file {artifact} is no longer in the store.", state=found.state)
    headers = {"Content-Security-Policy": SANDBOX, "Cache-Control": "private, max-age=31536000, immutable"}
    if found.media_type in SHOWN_TYPES:
        return FileResponse(path, media_type=found.media_type, headers=headers)
    return FileResponse(path, media_type="application/octet-stream", filename=artifact, headers=headers)


@router.put("/pin", status_code=204)
def pin_artifact(artifact: ArtifactPath, bench: Bench, person: CurrentPerson) -> None:
    """Keep the artifact even if no version leads to it any more."""
    with bench.store.writing() as tx:
        artifacts.pin(tx, artifact, person.id)


@router.delete("/pin", status_code=204)
def unpin_artifact(artifact: ArtifactPath, bench: Bench, person: CurrentPerson) -> None:
    """Take back one's own pin."""
    _find(bench, artifact)
    with bench.store.writing() as tx:
        artifacts.unpin(tx, artifact, person.id)


def _dataset(bench: Workbench, artifact: ArtifactId) -> Artifact:
    found = _find(bench, artifact)
    if found.kind is not ArtifactKind.DATASET:
        raise Invalid(f"Artifact {artifact} is a file, not a dataset; its bytes are at …/content.")
    return found


def _answer(found: Artifact, table: pa.Table, offset: int, total: int, request: Request) -> Rows | Response:
    data = table.select([column.name for column in found.columns])
    if found.doubt.is_none:
        table = data
    elif found.doubt.coarse:
        table = with_everything_marked(data)
    if prefers_arrow(request.headers.get("accept", "")):
        return Response(arrow_stream(table), media_type=ARROW)
    marks = None if found.doubt.is_none else marks_of(table, len(found.columns))
    return Rows(offset=offset, total=total, columns=found.columns, rows=json_rows(data), marks=marks)


def _find(bench: Workbench, artifact: ArtifactId) -> Artifact:
    with bench.store.reading() as tx:
        return artifacts.get(tx, artifact)
