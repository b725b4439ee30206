"""Which files were given to which project."""

from __future__ import annotations

from sqlalchemy import Connection, select
from sqlalchemy import insert as insert_into

from trailbook.model.artifacts import UploadedFile
from trailbook.model.base import ProjectId
from trailbook.store.tables import uploads as _uploads


def add(tx: Connection, upload: UploadedFile) -> None:
    tx.execute(insert_into(_uploads).values(**upload.model_dump()))


def of_project(tx: Connection, project: ProjectId) -> list[UploadedFile]:
    """Everything that was uploaded to the project, newest first."""
    columns = [_uploads.c[name] for name in UploadedFile.model_fields]
    query = select(*columns).where(_uploads.c.project == project).order_by(_uploads.c.id.desc())
    return [UploadedFile(**row._mapping) for row in tx.execute(query)]
