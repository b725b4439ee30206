"""Artifact records. They outlive the files."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, delete, select, update

from trailbook.errors import Dropped, NotFound
from trailbook.model.artifacts import Artifact, ArtifactState
from trailbook.model.base import ArtifactId, PersonId, Value, now
from trailbook.store import tables
from trailbook.store.files import ArtifactFiles
from trailbook.store.sql import chunks, insert_missing, the_one

_artifacts, _pins = tables.artifacts, tables.pins
_described = [_artifacts.c[name] for name in Artifact.model_fields]


class Pin(Value):
    """A person's wish that the artifact's files stay."""

    artifact: ArtifactId
    person: PersonId
    time: datetime


def register(tx: Connection, files: ArtifactFiles, artifact: Artifact, content: bytes | None = None) -> Artifact:
    """Record an artifact whose files were adopted, or its `content`. The same content is one record, there again."""
    record = artifact.model_dump(mode="json") | {"created": artifact.created, "registered": now()}
    insert_missing(tx, _artifacts, [record])
    set_state(tx, artifact.id, ArtifactState.PRESENT)
    news = {"registered": record["registered"], "content": content}
    tx.execute(update(_artifacts).where(_artifacts.c.id == artifact.id).values(**news))
    # Looked at only now that this transaction has the record: gc can't take the files away after this.
    if content is None and not files.has(artifact.id):
        raise Dropped(f"The files of artifact {artifact.id} were removed before it was recorded; make it again.")
    return get(tx, artifact.id)


def get(tx: Connection, id: ArtifactId) -> Artifact:
    return _artifact(the_one(tx, select(*_described).where(_artifacts.c.id == id), "artifact", id))


def many(tx: Connection, ids: Collection[ArtifactId]) -> dict[ArtifactId, Artifact]:
    """The records of those ids that have one."""
    rows = (
        row for chunk in chunks(list(ids)) for row in tx.execute(select(*_described).where(_artifacts.c.id.in_(chunk)))
    )
    return {row.id: _artifact(row) for row in rows}


def contents(tx: Connection, ids: Collection[ArtifactId]) -> dict[ArtifactId, bytes]:
    """The content of those that are kept in their records."""
    columns = _artifacts.c
    query = select(columns.id, columns.content).where(columns.content.is_not(None))
    return {
        row.id: row.content for chunk in chunks(list(ids)) for row in tx.execute(query.where(columns.id.in_(chunk)))
    }


def set_state(tx: Connection, id: ArtifactId, state: ArtifactState) -> None:
    without = {} if state is ArtifactState.PRESENT else {"content": None}
    if not tx.execute(update(_artifacts).where(_artifacts.c.id == id).values(state=state.value, **without)).rowcount:
        raise NotFound(f"There is no artifact {id}.", what="artifact", id=id)


def pin(tx: Connection, id: ArtifactId, person: PersonId) -> None:
    """Keep the files, whatever else would let them go."""
    get(tx, id)
    insert_missing(tx, _pins, [{"artifact": id, "person": person, "time": now()}])


def unpin(tx: Connection, id: ArtifactId, person: PersonId) -> None:
    tx.execute(delete(_pins).where(_pins.c.artifact == id, _pins.c.person == person))


def pins(tx: Connection) -> list[Pin]:
    return [Pin(**row._mapping) for row in tx.execute(select(_pins).order_by(_pins.c.time))]


def _artifact(row: Row[Any]) -> Artifact:
    return Artifact(**{name: row._mapping[name] for name in Artifact.model_fields})
