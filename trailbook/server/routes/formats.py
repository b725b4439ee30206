"""Notebooks as files: in and out."""

from __future__ import annotations

from typing import Annotated, Any, Literal
from urllib.parse import quote

from fastapi import APIRouter, Query, Request, Response
from starlette.concurrency import run_in_threadpool

from trailbook.errors import TooLarge
from trailbook.formats.exporting import export_document
from trailbook.formats.format import FORMATS, LARGEST_FILE, ReadOptions, read_document, title_of
from trailbook.formats.importing import import_document
from trailbook.model.base import PersonId
from trailbook.model.names import LONGEST_NAME
from trailbook.model.notebook import VersionRef
from trailbook.server.access import Bench, CurrentPerson
from trailbook.server.errors import documented
from trailbook.server.parameters import BranchPath, FileName, NumberPath
from trailbook.server.routes.files import BODY
from trailbook.workflow.views import ProjectSummary
from trailbook.workflow.workbench import Workbench

router = APIRouter(tags=["formats"], responses=documented())

OPAQUE = "application/octet-stream"
FormatName = Annotated[Literal["html", "ipynb", "py", "trail.md"], Query(description="What to write it as.")]
AS_FILE: dict[int | str, dict[str, Any]] = {
    200: {"content": {OPAQUE: {"schema": {"type": "string", "format": "binary"}}}}
}


@router.post("/projects/import", status_code=201, openapi_extra={"requestBody": BODY})
async def import_project(
    request: Request, bench: Bench, person: CurrentPerson, name: Annotated[FileName, Query()]
) -> ProjectSummary:
    """A new project of a notebook, .ipynb or .trail.md: the request's body is the file.

    Nothing runs by that. Outputs that are in the file are shown until the cells run.
    """
    content = await _body(request, min(bench.settings.upload_limit, LARGEST_FILE))
    return await run_in_threadpool(_imported, bench, name, content, person.id)


@router.get("/branches/{branch}/versions/{number}/export", response_class=Response, responses=AS_FILE)
def export_version(
    branch: BranchPath, number: NumberPath, bench: Bench, person: CurrentPerson, format: FormatName
) -> Response:
    """The version as a file, with what its cells showed where the format has a place for it."""
    wanted = FORMATS.get(format)
    document = export_document(bench, VersionRef(branch=branch, number=number), wanted.preview_rows)
    name = quote(f"{document.title}{wanted.suffix}", safe="")
    # Never shown as a page of the app's own: it holds whatever cells made.
    headers = {"Content-Disposition": f"attachment; filename*=UTF-8''{name}"}
    text = wanted.write(document).encode("utf-8", "replace")
    return Response(text, media_type=OPAQUE, headers=headers)


async def _body(request: Request, limit: int) -> bytes:
    content = bytearray()
    async for chunk in request.stream():
        content += chunk
        if len(content) > limit:
            raise TooLarge(f"The notebook is larger than {limit:,} bytes. Clear its outputs first.", limit=limit)
    return bytes(content)


def _imported(bench: Workbench, name: str, content: bytes, person: PersonId) -> ProjectSummary:
    document = read_document(name, content, ReadOptions(bench.settings.allow_shell))
    title = title_of(name, document)[:LONGEST_NAME]
    return bench.project(import_document(bench, document, title, name, person).project)
