"""What garbage collection must keep: whatever the log of head moves, uploads and pins can reach."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, func, or_, select

from trailbook.model.base import ArtifactId
from trailbook.store import tables
from trailbook.store.sql import chunks

Ref = tuple[str, int]


@dataclass(frozen=True)
class Reachable:
    """Artifacts that are in use; `shown` are those whose files somebody looks at or works with."""

    artifacts: frozenset[ArtifactId]
    shown: frozenset[ArtifactId]


def reachable(tx: Connection, cutoff: datetime) -> Reachable:
    """What is in use, or was after `cutoff`."""
    branches = _live_branches(tx, cutoff)
    versions = _with_ancestors(tx, _headed(tx, branches)) | _published(tx)
    results = _results(tx, cutoff)
    heads = {ref for ref in _heads(tx, cutoff) if ref[0] in branches}
    shown = (
        _held_by_runs(tx, {run for ref, run in results if ref in heads})
        | _uploads(tx, cutoff)
        | set(tx.execute(select(tables.pins.c.artifact)).scalars())
        | set(tx.execute(select(tables.publications.c.artifact)).scalars())
    )
    held = _held_by_runs(tx, {run for ref, run in results if ref in versions})
    return Reachable(frozenset(shown | held | _loaded_files(tx, versions)), frozenset(shown))


def _live_branches(tx: Connection, cutoff: datetime) -> set[str]:
    branches, projects = tables.branches, tables.projects
    alive = or_(projects.c.deleted.is_(None), projects.c.deleted > cutoff)
    return set(tx.execute(select(branches.c.id).join(projects).where(alive)).scalars())


def _headed(tx: Connection, branches: set[str]) -> set[Ref]:
    """The versions that a head of these branches ever stood at."""
    moves = tables.head_moves
    return {(b, n) for b, n in tx.execute(select(moves.c.branch, moves.c.number).distinct()) if b in branches}


def _heads(tx: Connection, cutoff: datetime) -> set[Ref]:
    """Where the heads stood at `cutoff`, and wherever they went since."""
    moves = tables.head_moves
    last = select(func.max(moves.c.id)).where(moves.c.time <= cutoff).group_by(moves.c.branch)
    since = or_(moves.c.id.in_(last), moves.c.time > cutoff)
    return {(b, n) for b, n in tx.execute(select(moves.c.branch, moves.c.number).where(since))}


def _published(tx: Connection) -> set[Ref]:
    """The versions of which something was published: why that is in doubt is asked of them."""
    published = tables.publications
    return {(b, n) for b, n in tx.execute(select(published.c.branch, published.c.number))}


def _with_ancestors(tx: Connection, versions: set[Ref]) -> set[Ref]:
    parents: dict[Ref, list[Ref]] = {}
    for row in tx.execute(select(tables.parents)):
        parents.setdefault((row.branch, row.number), []).append((row.parent_branch, row.parent_number))
    found, waiting = set(versions), list(versions)
    while waiting:
        new = [ref for ref in parents.get(waiting.pop(), ()) if ref not in found]
        found.update(new)
        waiting.extend(new)
    return found


def _results(tx: Connection, cutoff: datetime) -> list[tuple[Ref, str]]:
    results = tables.results
    current = or_(results.c.until.is_(None), results.c.until > cutoff)
    query = select(results.c.branch, results.c.number, results.c.run).where(current)
    return [((branch, number), run) for branch, number, run in tx.execute(query)]


def _held_by_runs(tx: Connection, ids: Iterable[str]) -> set[ArtifactId]:
    """Everything that the runs read, wrote or showed, along with digests of files that were never stored."""
    runs = tables.runs
    found: set[ArtifactId] = set()
    for chunk in chunks(list(ids)):
        for row in tx.execute(select(runs.c.reads, runs.c.writes, runs.c.messages).where(runs.c.id.in_(chunk))):
            found.update(row.writes.values())
            found.update(id for id in row.reads.values() if id is not None)
            found.update(id for message in row.messages for id in message.get("artifacts", {}).values())
    return found


def _uploads(tx: Connection, cutoff: datetime) -> set[ArtifactId]:
    uploads, projects = tables.uploads, tables.projects
    alive = or_(projects.c.deleted.is_(None), projects.c.deleted > cutoff)
    return set(tx.execute(select(uploads.c.artifact).join(projects).where(alive)).scalars())


def _loaded_files(tx: Connection, versions: set[Ref]) -> set[ArtifactId]:
    """What cells of these versions name as their `file`, and as what was loaded before it."""
    table, specs = tables.versions, tables.specs
    rows = tx.execute(select(table.c.branch, table.c.number, table.c.cells))
    hashes = list({hash_ for branch, number, cells in rows if (branch, number) in versions for _, hash_, *_ in cells})
    parameters = (
        parameters
        for chunk in chunks(hashes)
        for parameters in tx.execute(select(specs.c.parameters).where(specs.c.hash.in_(chunk))).scalars()
    )
    return {
        ArtifactId(id) for p in parameters for id in (p.get("file"), p.get("previous")) if isinstance(id, str) and id
    }
