"""Files that people give to a project."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.concurrency import run_in_threadpool

from trailbook.model.artifacts import UploadedFile
from trailbook.server.access import Bench, CurrentPerson
from trailbook.server.errors import documented
from trailbook.server.parameters import FileName, ProjectPath
from trailbook.server.upload import receive
from trailbook.store import projects, uploads

router = APIRouter(prefix="/projects/{project}/files", tags=["files"], responses=documented())

BODY = {"required": True, "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}}}


@router.get("")
def list_files(project: ProjectPath, bench: Bench, person: CurrentPerson) -> list[UploadedFile]:
    """The files that were uploaded to this project."""
    with bench.store.reading() as tx:
        projects.get(tx, project)
        return uploads.of_project(tx, project)


@router.post("", status_code=201, openapi_extra={"requestBody": BODY})
async def upload_file(
    project: ProjectPath, request: Request, bench: Bench, person: CurrentPerson, name: Annotated[FileName, Query()]
) -> UploadedFile:
    """Upload a file: the request's body is its bytes."""
    await run_in_threadpool(bench.project, project)
    return await receive(bench, request, project, name, person.id)
