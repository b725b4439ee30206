"""Looks at files before they are loaded."""

from __future__ import annotations

import asyncio

from fastapi import APIRouter, Request
from starlette.concurrency import run_in_threadpool

from trailbook.cells.previews.glance import Glance
from trailbook.cells.previews.model import FileInQuestion, Preview
from trailbook.server.access import Bench, CurrentPerson
from trailbook.server.errors import documented
from trailbook.server.parameters import ProjectPath

router = APIRouter(prefix="/projects/{project}/previews", tags=["files"], responses=documented(502))

LOOK_SECONDS = 0.25
"""How often somebody looks whether the answer is still wanted."""


@router.post("")
async def preview_file(
    project: ProjectPath, body: FileInQuestion, request: Request, bench: Bench, person: CurrentPerson
) -> Preview:
    """How a file would be read, and its first rows, with what would be in doubt of them. Nothing is kept of it."""
    await run_in_threadpool(bench.project, project)
    glance = Glance(bench.looker, bench.store.files, bench.settings)
    looking = asyncio.create_task(run_in_threadpool(glance.at, body))
    while not (await asyncio.wait({looking}, timeout=LOOK_SECONDS))[0]:
        if await request.is_disconnected():
            glance.stop()
    return looking.result()
