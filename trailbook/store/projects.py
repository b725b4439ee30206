"""Projects. A deleted one is only marked as such."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import Connection, select, update
from sqlalchemy import insert as insert_into

from trailbook.errors import NotFound
from trailbook.model.base import ProjectId
from trailbook.model.notebook import Project
from trailbook.store.sql import the_one
from trailbook.store.tables import projects as _projects


def insert(tx: Connection, project: Project) -> None:
    tx.execute(insert_into(_projects).values(**project.model_dump()))


def get(tx: Connection, id: ProjectId) -> Project:
    """The project, deleted or not."""
    row = the_one(tx, select(_projects).where(_projects.c.id == id), "project", id)
    return Project(**row._mapping)


def all(tx: Connection, deleted: bool = False) -> list[Project]:
    """The projects in the order they were made: those in use, or those that are deleted."""
    wanted = _projects.c.deleted.is_not(None) if deleted else _projects.c.deleted.is_(None)
    query = select(_projects).where(wanted).order_by(_projects.c.created, _projects.c.id)
    return [Project(**row._mapping) for row in tx.execute(query)]


def rename(tx: Connection, id: ProjectId, name: str) -> None:
    _update(tx, id, name=name)


def set_deleted(tx: Connection, id: ProjectId, time: datetime | None) -> None:
    """Delete the project, or with None bring it back."""
    _update(tx, id, deleted=time)


def _update(tx: Connection, id: ProjectId, **values: Any) -> None:
    if not tx.execute(update(_projects).where(_projects.c.id == id).values(**values)).rowcount:
        raise NotFound(f"There is no project {id}.", what="project", id=id)
