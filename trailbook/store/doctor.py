"""Checking that database and files agree."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from datetime import datetime, timedelta

from sqlalchemy import Connection, select, text

from trailbook.model.artifacts import ArtifactState
from trailbook.model.base import ArtifactId, Value
from trailbook.model.runs import artifacts_among
from trailbook.store import artifacts, tables
from trailbook.store.schema import revision
from trailbook.store.store import Store


class DoctorReport(Value):
    """What was found; a store in order has at most `pending` and `surplus`."""

    missing: tuple[ArtifactId, ...]
    """Recorded as present, without files."""
    damaged: tuple[ArtifactId, ...]
    """Files whose content is not what was written; looked for by a deep check only."""
    dangling: tuple[str, ...]
    """Records that name other records which don't exist."""
    database: tuple[str, ...]
    """What the database says about itself."""
    surplus: tuple[str, ...]
    """Files that no record claims: harmless, and gc removes those that are artifacts."""
    pending: tuple[ArtifactId, ...]
    """Files that no record claims yet, younger than the grace period: being made, or left by a crash."""
    artifacts: int
    """How many artifacts are present."""

    @property
    def healthy(self) -> bool:
        return not (self.missing or self.damaged or self.dangling or self.database)


def doctor(store: Store, now: datetime, grace: float, deep: bool = False) -> DoctorReport:
    """Compare records and files; with `deep`, read every file and compare its digest."""
    with store.reading() as tx:
        database = tuple(_database_problems(tx))
        dangling = tuple(sorted(_dangling(tx)))
        present = _present(tx)
        inside = artifacts.contents(tx, present)
    # Records first, then files: content adopted in between is only pending. gc may have removed some, so ask again.
    missing = {id for id in present if id not in inside and not store.files.has(id)}
    with store.reading() as tx:
        missing &= _present(tx)
    unclaimed = [id for id in sorted(store.files.ids()) if id not in present]
    young = {id for id in unclaimed if not store.files.is_older(id, now - timedelta(seconds=grace))}
    return DoctorReport(
        missing=tuple(sorted(missing)),
        damaged=tuple(id for id in sorted(present - missing) if deep and not _is_intact(store, id, inside.get(id))),
        dangling=dangling,
        database=database,
        surplus=(*(id for id in unclaimed if id not in young), *sorted(map(str, store.files.strangers()))),
        pending=tuple(sorted(young)),
        artifacts=len(present),
    )


def _is_intact(store: Store, id: ArtifactId, content: bytes | None) -> bool:
    return store.files.is_intact(id) if content is None else hashlib.sha256(content).hexdigest() == id


def _present(tx: Connection) -> set[ArtifactId]:
    states = tables.artifacts.c
    return set(tx.execute(select(states.id).where(states.state == ArtifactState.PRESENT.value)).scalars())


def _database_problems(tx: Connection) -> Iterator[str]:
    if (current := revision(tx)) != tables.REVISION:
        yield f"the database is at revision {current}, this Trailbook needs {tables.REVISION}"
    if tx.dialect.name == "sqlite":
        yield from (line for line in tx.execute(text("PRAGMA integrity_check")).scalars() if line != "ok")
        for table, row, other, _ in tx.execute(text("PRAGMA foreign_key_check")):
            yield f"row {row} of {table} names a row of {other} that does not exist"


def _dangling(tx: Connection) -> Iterator[str]:
    """References that are inside documents, so that the database itself does not check them."""
    known = set(tx.execute(select(tables.artifacts.c.id)).scalars())
    specs = set(tx.execute(select(tables.specs.c.hash)).scalars())
    headed = set(tx.execute(select(tables.head_moves.c.branch)).scalars())
    for run in tx.execute(select(tables.runs)):
        shown = [id for message in run.messages for id in message.get("artifacts", {}).values()]
        for id in {*shown, *artifacts_among(run.reads).values(), *run.writes.values()} - known:
            yield f"run {run.id} names artifact {id}"
    for version in tx.execute(select(tables.versions)):
        for handle, spec, *_ in version.cells:
            if spec not in specs:
                yield f"cell {handle} of version {version.branch}/{version.number} has spec {spec}"
    for branch in tx.execute(select(tables.branches.c.id)).scalars():
        if branch not in headed:
            yield f"branch {branch} has no head"
