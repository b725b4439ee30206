"""Artifact records. They outlive the files."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, Select, bindparam, delete, select, update

from trailbook.errors import Dropped, NotFound
from trailbook.model.artifacts import Artifact, ArtifactState
from trailbook.model.base import ArtifactId, PersonId, Value, now
from trailbook.store import tables
from trailbook.store.files import ArtifactFiles
from trailbook.store.memory import remembered
from trailbook.store.sql import chunks, insert_missing, insert_or_update, the_one

_artifacts, _pins = tables.artifacts, tables.pins
_described = [_artifacts.c[name] for name in Artifact.model_fields]


_claimed = _artifacts.c.claimed
_MADE_AGAIN = ("state", "registered", "content")
_Key = tuple[ArtifactId, str, bool]
_STATES = select(_artifacts.c.id, _artifacts.c.state, _claimed).where(
    _artifacts.c.id.in_(bindparam("ids", expanding=True))
)
_RECORDS: Select[Any] = select(*_described, _claimed).where(_artifacts.c.id.in_(bindparam("ids", expanding=True)))


class Pin(Value):
    """A person's wish that the artifact's files stay."""

    artifact: ArtifactId
    person: PersonId
    time: datetime


def register(tx: Connection, files: ArtifactFiles, artifact: Artifact, content: bytes | None = None) -> Artifact:
    """Record an artifact whose files were adopted, or its `content`. The same content is one record, there again."""
    made = {"created": artifact.created, "registered": now(), "content": content, "state": ArtifactState.PRESENT.value}
    record = artifact.model_dump(mode="json") | made
    row = insert_or_update(tx, _artifacts, record, _MADE_AGAIN)
    _require_files(files, artifact.id, content)
    if row.claimed:
        _replace_claim(tx, artifact.id, record | {"claimed": False})
        return get(tx, artifact.id)
    return _artifact(row)


def claim(tx: Connection, files: ArtifactFiles, artifact: Artifact, content: bytes | None) -> None:
    """Record an artifact as an archive describes it. Its files, if it has any, were checked and adopted.

    What is known already is left as it is, but for what another archive said of it without having it.
    """
    record = artifact.model_dump(mode="json") | {"created": artifact.created, "registered": now(), "claimed": True}
    if artifact.state is not ArtifactState.PRESENT:
        insert_missing(tx, _artifacts, [record])
        return
    record["content"] = content
    if not _replace_claim(tx, artifact.id, record, _artifacts.c.state != ArtifactState.PRESENT.value):
        insert_or_update(tx, _artifacts, record, _MADE_AGAIN)
    _require_files(files, artifact.id, content)


def _replace_claim(tx: Connection, id: ArtifactId, record: Mapping[str, Any], *when: ColumnElement[bool]) -> bool:
    replaced = update(_artifacts).where(_artifacts.c.id == id, _claimed, *when).values(**record)
    return bool(tx.execute(replaced).rowcount)


def _require_files(files: ArtifactFiles, id: ArtifactId, content: bytes | None) -> None:
    # Looked at only now that this transaction has the record: gc can't take the files away after this.
    if content is None and not files.has(id):
        raise Dropped(f"The files of artifact {id} were removed before it was recorded; make it again.")


def get(tx: Connection, id: ArtifactId) -> Artifact:
    return _artifact(the_one(tx, select(*_described).where(_artifacts.c.id == id), "artifact", id))


def many(tx: Connection, ids: Collection[ArtifactId]) -> dict[ArtifactId, Artifact]:
    """The records of those ids that have one."""
    # All but its state is written once, unless an archive wrote it.
    states = [
        (row.id, row.state, row.claimed) for chunk in chunks(list(ids)) for row in tx.execute(_STATES, {"ids": chunk})
    ]
    lasting = [key for key in states if not key[-1]]
    found = remembered(tx, Artifact, lasting, lambda unknown: _read(tx, unknown))
    found |= _read(tx, [key for key in states if key[-1]])
    return {artifact.id: artifact for artifact in found.values()}


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


def _read(tx: Connection, known: Collection[_Key]) -> dict[_Key, Artifact]:
    ids = [id for id, *_ in known]
    rows = (row for chunk in chunks(ids) for row in tx.execute(_RECORDS, {"ids": chunk}))
    return {(row.id, row.state, row.claimed): _artifact(row) for row in rows}


def _artifact(row: Row[Any]) -> Artifact:
    return Artifact(**{name: row._mapping[name] for name in Artifact.model_fields})
