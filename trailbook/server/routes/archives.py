"""Whole projects as archives: in and out."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from fastapi import APIRouter, Request
from fastapi.responses import StreamingResponse
from starlette.concurrency import run_in_threadpool
from starlette.types import Receive, Scope, Send

from trailbook.formats.archive.entries import Limits
from trailbook.formats.archive.export import Export
from trailbook.formats.archive.importing import import_archive
from trailbook.formats.archive.layout import MEDIA_TYPE, SUFFIX
from trailbook.server.access import Bench, CurrentPerson
from trailbook.server.errors import documented
from trailbook.server.parameters import ProjectPath
from trailbook.server.routes.files import BODY
from trailbook.server.upload import received
from trailbook.workflow.views import ProjectSummary

router = APIRouter(prefix="/projects", tags=["formats"], responses=documented(409))

AS_ARCHIVE: dict[int | str, dict[str, Any]] = {
    200: {"content": {MEDIA_TYPE: {"schema": {"type": "string", "format": "binary"}}}}
}


class Download(StreamingResponse):
    """An archive, written as fast as it is taken. Nothing is left of it when nobody takes it any more."""

    def __init__(self, export: Export) -> None:
        name = quote(f"{export.manifest.project.name}{SUFFIX}", safe="")
        # Never shown as a page of the app's own: it holds whatever cells made.
        headers = {
            "Content-Disposition": f"attachment; filename*=UTF-8''{name}",
            "Content-Length": str(export.size),
        }
        super().__init__(export.pieces(), media_type=MEDIA_TYPE, headers=headers)
        self._export = export

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            await run_in_threadpool(self._export.close)


@router.get("/{project}/archive", response_class=StreamingResponse, responses=AS_ARCHIVE)
def export_project(project: ProjectPath, bench: Bench, person: CurrentPerson) -> StreamingResponse:
    """The whole project as one file: all branches and versions, results, artifacts and uploads, as of this moment."""
    return Download(Export(bench.store, project))


@router.post("/archive", status_code=201, openapi_extra={"requestBody": BODY})
async def import_project_archive(request: Request, bench: Bench, person: CurrentPerson) -> ProjectSummary:
    """A new project of an archive: the request's body is the file.

    All of it is checked before anything is kept. Nothing runs by that.
    """
    async with received(bench, request) as path:
        with path.open("rb") as file:
            limits = Limits.of(bench.settings)
            project = await run_in_threadpool(import_archive, bench.store, file, limits, person.id)
    return await run_in_threadpool(bench.project, project.id)
