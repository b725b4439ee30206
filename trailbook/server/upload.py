"""Receiving an upload: streamed to disk, and known to the store only once it is complete."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import BinaryIO

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request

from trailbook import faults
from trailbook.errors import TooLarge
from trailbook.model.artifacts import Artifact, ArtifactKind, ArtifactState, UploadedFile
from trailbook.model.base import PersonId, ProjectId, now
from trailbook.store import artifacts, uploads
from trailbook.store.failures import disk_failures_told
from trailbook.workflow.workbench import Workbench


async def receive(bench: Workbench, request: Request, project: ProjectId, name: str, person: PersonId) -> UploadedFile:
    async with received(bench, request) as path:
        return await run_in_threadpool(record_upload, bench, path, project, name, person)


@asynccontextmanager
async def received(bench: Workbench, request: Request) -> AsyncIterator[Path]:
    """The body of a request as a staged file, which is gone afterwards unless somebody adopted it."""
    limit = bench.settings.upload_limit
    if int(request.headers.get("content-length", "0")) > limit:
        raise _too_large(limit)
    staged = await run_in_threadpool(bench.store.files.stage)
    path = staged / "upload"
    try:
        with disk_failures_told(str(path)), path.open("wb") as file:
            await _write(file, request.stream(), limit)
        yield path
    finally:
        await run_in_threadpool(bench.store.files.discard, staged)


async def _write(file: BinaryIO, chunks: AsyncIterator[bytes], limit: int) -> None:
    size = 0
    async for chunk in chunks:
        size += len(chunk)
        if size > limit:
            raise _too_large(limit)
        await run_in_threadpool(file.write, chunk)
        faults.reach("upload.halfway")


def _too_large(limit: int) -> TooLarge:
    return TooLarge(f"The file is larger than {limit} bytes. See the setting `upload_limit`.", limit=limit)


def record_upload(bench: Workbench, path: Path, project: ProjectId, name: str, person: PersonId) -> UploadedFile:
    content = bench.store.files.adopt_file(path)
    time = now()
    artifact = Artifact(
        id=content.id,
        kind=ArtifactKind.FILE,
        state=ArtifactState.PRESENT,
        size=content.size,
        media_type="application/octet-stream",
        created=time,
    )
    upload = UploadedFile(project=project, name=name, artifact=content.id, size=content.size, person=person, time=time)
    with bench.store.writing() as tx:
        artifacts.register(tx, bench.store.files, artifact)
        uploads.add(tx, upload)
    return upload
