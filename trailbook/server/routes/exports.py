"""Datasets as files, and the report of what is in doubt of them."""

from __future__ import annotations

import threading
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal
from urllib.parse import quote

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import StreamingResponse
from pydantic import Field, create_model
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect
from starlette.types import Receive, Scope, Send

from trailbook.errors import Invalid
from trailbook.model.artifacts import Artifact, ArtifactKind
from trailbook.model.base import ArtifactId, BranchId, GivenHandle, Value
from trailbook.model.notebook import VersionRef
from trailbook.server.access import Bench, CurrentPerson
from trailbook.server.errors import documented
from trailbook.server.parameters import ID, LARGEST, ArtifactPath, BranchPath, FileName, NumberPath, RunPath
from trailbook.sinks.report import CaveatReport, markdown, report_name
from trailbook.sinks.sink import SINKS, Sink
from trailbook.store import artifacts, runs
from trailbook.store.outside import file_digest
from trailbook.workflow.caveat_report import caveat_report
from trailbook.workflow.makers import Datasets
from trailbook.workflow.workbench import Workbench

if TYPE_CHECKING:
    from trailbook.sinks.outgoing import Outgoing
    from trailbook.sinks.targets.download import Download, PipeTarget

router = APIRouter(tags=["exports"], responses=documented(409))

LOOK_SECONDS = 0.25
"""How often somebody looks whether the download is still wanted while there is nothing to send."""
MARKDOWN = "text/markdown"


class Called(Value):
    name: Annotated[FileName, Field(description="What the file is called, without its ending.")] = "data"


class Shown(Called):
    """The name of a dataset, and the cell of a version that shows it: by that, its reasons are found."""

    branch: Annotated[BranchId | None, Field(pattern=ID)] = None
    number: Annotated[int | None, Field(ge=1, le=LARGEST)] = None
    cell: GivenHandle | None = None


class Attachment(StreamingResponse):
    """A file, written as fast as it is taken. Nothing is left of it when nobody takes it any more."""

    def __init__(self, first: bytes, download: Download, name: str, media_type: str) -> None:
        super().__init__(_pieces(first, download), headers=_as_file(name))
        # Set late, since Starlette would call every text UTF-8.
        self.headers["content-type"] = media_type
        self._download = download

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            await run_in_threadpool(self._download.close)


async def _pieces(first: bytes, download: Download) -> AsyncIterator[bytes]:
    piece: bytes | None = first
    while piece != b"":
        if piece:
            yield piece
        piece = await run_in_threadpool(download.take, LOOK_SECONDS)


def _as_file(name: str) -> dict[str, str]:
    # Never shown as a page of the app's own: it holds whatever cells made.
    return {"Content-Disposition": f"attachment; filename*=UTF-8''{quote(name, safe='')}"}


def _add_route(sink: Sink[Any]) -> None:
    """One operation for each format, with its options as parameters."""
    wanted_type: Any = create_model(
        f"{type(sink).__name__}Query", __base__=(Shown if sink.tells_reasons else Called, sink.options)
    )

    async def download(
        artifact: ArtifactPath,
        bench: Bench,
        person: CurrentPerson,
        request: Request,
        wanted: Any,
    ) -> StreamingResponse:
        data = await run_in_threadpool(_outgoing, bench, artifact, wanted)
        options = sink.options.model_validate(wanted.model_dump(include=set(sink.options.model_fields)))
        return await _started(data, sink, options, request)

    # Not where it is declared: the type is made here, and annotations are read as text.
    download.__annotations__["wanted"] = Annotated[wanted_type, Query()]
    router.add_api_route(
        f"/artifacts/{{artifact}}/export/{sink.format}",
        download,
        name=f"export_as_{sink.format}",
        description=f"All rows of the dataset as {sink.title}. If it fails after the first byte, it is broken off.",
        response_class=StreamingResponse,
        responses={200: {"content": {sink.media_type: {"schema": {"type": "string", "format": "binary"}}}}},
    )


@router.get(
    "/branches/{branch}/versions/{number}/caveats/report",
    response_model=CaveatReport,
    responses={200: {"content": {MARKDOWN: {"schema": {"type": "string"}}}}},
)
def report_caveats(
    branch: BranchPath,
    number: NumberPath,
    bench: Bench,
    person: CurrentPerson,
    cell: Annotated[GivenHandle, Query()],
    name: Annotated[str, Query(max_length=1000)],
    format: Literal["json", "markdown"] = "json",
) -> CaveatReport | Response:
    """What is in doubt of a dataset that a cell shows, and why: to be kept beside an exported file."""
    report = caveat_report(bench.store, bench.explanation, VersionRef(branch=branch, number=number), cell, name)
    if format == "json":
        return report
    return Response(markdown(report), media_type=MARKDOWN, headers=_as_file(report_name(name)))


class FileFormat(Value):
    """A format of files that datasets are written in; `options` is the JSON schema of how."""

    format: str
    title: str
    extension: str
    options: dict[str, Any]


class Sinks(Value):
    """What datasets can be written as, and where to: into these folders, and these databases that have names."""

    formats: tuple[FileFormat, ...]
    table: dict[str, Any]
    folders: tuple[str, ...]
    databases: tuple[str, ...]


@router.get("/sinks")
def list_sinks(bench: Bench, person: CurrentPerson) -> Sinks:
    """The formats with their options, and the places that Export cells can write to."""
    from trailbook.sinks.targets.database import TableOptions

    return Sinks(
        formats=tuple(
            FileFormat(
                format=name, title=sink.title, extension=sink.extension, options=sink.options.model_json_schema()
            )
            for name, sink in SINKS
        ),
        table=TableOptions.model_json_schema(),
        folders=tuple(map(str, bench.settings.writable_folders)),
        databases=tuple(sorted(bench.settings.databases)),
    )


class WrittenFile(Value):
    """A file that an Export cell wrote, and whether it is still what was written."""

    path: str
    state: Literal["same", "changed", "gone"]


@router.get("/runs/{run}/written")
def list_written(run: RunPath, bench: Bench, person: CurrentPerson) -> list[WrittenFile]:
    """What has become of the files that a run exported to this machine."""
    with bench.store.reading() as tx:
        digests = runs.get(tx, run).outside.digests
    folders = [folder.resolve() for folder in bench.settings.writable_folders]
    # A run that came with an archive may name any file.
    seen = [path for path in digests if any(Path(path).resolve().is_relative_to(folder) for folder in folders)]
    return [WrittenFile(path=path, state=_state_of(path, digests[path])) for path in seen]


def _state_of(path: str, digest: str) -> Literal["same", "changed", "gone"]:
    found = file_digest(path)
    if found is None:
        return "gone"
    return "same" if found == digest else "changed"


async def _started(data: Outgoing, sink: Sink[Any], options: Any, request: Request) -> StreamingResponse:
    """The answer, once there is something to send: what fails before that is told as any error is."""
    from trailbook.sinks.export import export, watched
    from trailbook.sinks.targets.download import Download

    def write(target: PipeTarget, stopped: threading.Event) -> None:
        export(watched(data, lambda done, total: None, stopped), target, sink, options)

    name = f"{data.name}{sink.extension}"
    download = Download(name, write)
    try:
        while (first := await run_in_threadpool(download.take, LOOK_SECONDS)) is None:
            if await request.is_disconnected():
                raise ClientDisconnect
    except BaseException:
        await run_in_threadpool(download.close)
        raise
    return Attachment(first, download, name, sink.media_type)


def _outgoing(bench: Workbench, id: ArtifactId, wanted: Called) -> Outgoing:
    from trailbook.sinks.outgoing import stored

    found = _dataset(bench, id)
    data = stored(wanted.name, bench.store.files.path(id), found)
    if found.doubt.is_none or not isinstance(wanted, Shown):
        return data
    return replace(data, reasons=_reasons(bench, found, wanted))


def _reasons(bench: Workbench, found: Artifact, wanted: Shown) -> dict[str, str]:
    if wanted.branch is None or wanted.number is None or wanted.cell is None:
        return {}
    ref = VersionRef(branch=wanted.branch, number=wanted.number)
    if Datasets(bench.store, ref).named(wanted.cell, wanted.name).artifact.id != found.id:
        raise Invalid(f"Cell {wanted.cell} shows another dataset {wanted.name} in this version.")
    return caveat_report(bench.store, bench.explanation, ref, wanted.cell, wanted.name).reasons()


def _dataset(bench: Workbench, id: ArtifactId) -> Artifact:
    with bench.store.reading() as tx:
        found = artifacts.get(tx, id)
    if found.kind is not ArtifactKind.DATASET:
        raise Invalid(f"Artifact {id} is no dataset; its bytes are at …/content.")
    return found


for _, _sink in SINKS:
    _add_route(_sink)
