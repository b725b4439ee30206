"""Garbage collection: removing files that nothing can reach, and on request files that can be made again.

First it is recorded that files go, then they are moved away in a second transaction that looks whether anybody
registered the same content meanwhile. So a crash leaves surplus files at worst, and a server may go on working.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta

from sqlalchemy import Connection, select

from trailbook.faults import reach
from trailbook.model.artifacts import Artifact, ArtifactState
from trailbook.model.base import ArtifactId, Value
from trailbook.store import artifacts, runs, tables
from trailbook.store.files import ArtifactFiles
from trailbook.store.reachable import reachable
from trailbook.store.recompute import Recomputable
from trailbook.store.sql import chunks
from trailbook.store.store import Store

_BATCH = 100


class GcReport(Value):
    """What was removed, or with `dry_run` would have been."""

    gone: tuple[ArtifactId, ...]
    """Unreachable; nothing can make them again."""
    dropped: tuple[ArtifactId, ...]
    """Their records stay, and they can be made again."""
    surplus: tuple[ArtifactId, ...]
    """Files that no record claimed: left by a crash."""
    freed: int
    """Bytes."""
    dry_run: bool


def gc(store: Store, now: datetime, grace: float, drop_recomputable: bool = False, dry_run: bool = False) -> GcReport:
    """Remove what nothing reached for `grace` seconds; with `drop_recomputable` also datasets that no head shows."""
    with store.reading() if dry_run else store.writing(alone=True) as tx:
        cutoff = _before_running_work(tx, now - timedelta(seconds=grace))
        doomed = _doomed(tx, cutoff, drop_recomputable)
        surplus = _surplus(tx, store.files, cutoff)
        if not dry_run:
            for id, state in doomed.items():
                artifacts.set_state(tx, id, state)
    reach("gc.marked")
    removable = [id for id in (*doomed, *surplus) if store.files.has(id)]
    freed = sum(map(store.files.size, removable)) if dry_run else _remove(store, removable, cutoff)
    return GcReport(
        gone=tuple(id for id, state in doomed.items() if state is ArtifactState.GONE),
        dropped=tuple(id for id, state in doomed.items() if state is ArtifactState.DROPPED),
        surplus=tuple(surplus),
        freed=freed,
        dry_run=dry_run,
    )


def _before_running_work(tx: Connection, cutoff: datetime) -> datetime:
    """What a run reads and makes is recorded when it ends: until then, all that was in use since it began stays."""
    return min([cutoff, *(run.started for run in runs.running(tx))])


def _doomed(tx: Connection, cutoff: datetime, drop_recomputable: bool) -> dict[ArtifactId, ArtifactState]:
    """The artifacts to remove, each with the state that it has afterwards."""
    kept = reachable(tx, cutoff)
    known = _all_artifacts(tx)
    present = {a.id for a, _ in known if a.state is ArtifactState.PRESENT}
    old = {a.id for a, registered in known if a.id in present and registered < cutoff}
    unreachable = old - kept.artifacts
    again = Recomputable(tx, (a for a, _ in known), frozenset(present - unreachable))
    droppable = {id for id in old - kept.shown if id in again} if drop_recomputable else set()
    return {id: ArtifactState.DROPPED if id in again else ArtifactState.GONE for id in sorted(unreachable | droppable)}


def _all_artifacts(tx: Connection) -> list[tuple[Artifact, datetime]]:
    """Every record, with the time somebody last made its content."""
    query = select(tables.artifacts.c.id, tables.artifacts.c.registered)
    registered: dict[str, datetime] = {row.id: row.registered for row in tx.execute(query)}
    known = artifacts.many(tx, [ArtifactId(id) for id in registered])
    return [(artifact, registered[id]) for id, artifact in known.items()]


def _surplus(tx: Connection, files: ArtifactFiles, cutoff: datetime) -> list[ArtifactId]:
    claimed = present(tx, ids := sorted(files.ids()))
    return [id for id in ids if id not in claimed and files.is_older(id, cutoff)]


def present(tx: Connection, ids: Iterable[ArtifactId]) -> set[ArtifactId]:
    """Those of the ids whose record says that there are files."""
    return {id for id, a in artifacts.many(tx, list(ids)).items() if a.state is ArtifactState.PRESENT}


def _remove(store: Store, ids: list[ArtifactId], cutoff: datetime) -> int:
    """Remove the files of those that nobody registered or adopted meanwhile; returns the bytes freed."""
    freed = 0
    for batch in chunks(ids, _BATCH):
        with store.writing(alone=True) as tx:
            claimed = present(tx, batch)
            free = [id for id in batch if id not in claimed and store.files.is_older(id, cutoff)]
            freed += sum(map(store.files.size, free))
            away = [store.files.withdraw(id) for id in free]
            reach("artifact.removed")
        for staged in away:
            store.files.discard(staged)
    return freed
