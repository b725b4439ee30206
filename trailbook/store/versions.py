"""Versions: inserted once, never changed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from typing import Any

from sqlalchemy import Connection, Row, Select, func, select, tuple_
from sqlalchemy import insert as insert_into

from trailbook.errors import NotFound
from trailbook.faults import reach
from trailbook.model.base import BranchId, Digest
from trailbook.model.notebook import Cell, Spec, Version, VersionRef
from trailbook.store import tables
from trailbook.store.memory import remembered
from trailbook.store.sql import LARGEST_NUMBER, chunks, insert_missing

_versions, _parents, _specs = tables.versions, tables.parents, tables.specs


def insert(tx: Connection, version: Version) -> None:
    insert_specs(tx, (cell.spec for cell in version.cells))
    record = version.model_dump(mode="json", include={"packages", "edit", "description", "person"})
    cells = [[cell.handle, cell.spec.hash, *([True] if cell.frozen else [])] for cell in version.cells]
    tx.execute(insert_into(_versions).values(**version.ref.model_dump(), **record, cells=cells, time=version.time))
    parents = [
        {**version.ref.model_dump(), "position": i, "parent_branch": parent.branch, "parent_number": parent.number}
        for i, parent in enumerate(version.parents)
    ]
    if parents:
        tx.execute(insert_into(_parents), parents)
    reach("version.before_commit")


def insert_specs(tx: Connection, specs: Iterable[Spec]) -> None:
    """Record those that are not there yet."""
    missing = {spec.hash: spec for spec in specs}
    insert_missing(tx, _specs, [{"hash": hash_, **spec.model_dump(mode="json")} for hash_, spec in missing.items()])


def get(tx: Connection, ref: VersionRef) -> Version:
    same = (_versions.c.branch == ref.branch) & (_versions.c.number == ref.number)
    exists = 0 < ref.number <= LARGEST_NUMBER
    found = remembered(
        tx, Version, [ref] if exists else [], lambda _: {v.ref: v for v in _read(tx, select(_versions).where(same))}
    )
    if not found:
        raise NotFound(f"There is no version {ref}.", what="version", id=str(ref))
    return found[ref]


def many(tx: Connection, refs: Collection[VersionRef]) -> list[Version]:
    """Those of the versions that there are, in no order."""
    key = tuple_(_versions.c.branch, _versions.c.number)
    wanted = chunks([(ref.branch, ref.number) for ref in refs])
    return [version for chunk in wanted for version in _read(tx, select(_versions).where(key.in_(chunk)))]


def history(tx: Connection, branch: BranchId, before: int | None, limit: int) -> list[Version]:
    """The branch's versions with numbers below `before`, newest first, at most `limit` of them."""
    query = select(_versions).where(_versions.c.branch == branch).order_by(_versions.c.number.desc())
    if before is not None:
        query = query.where(_versions.c.number < max(0, min(before, LARGEST_NUMBER)))
    return _read(tx, query.limit(max(0, min(limit, LARGEST_NUMBER))))


def last_number(tx: Connection, branch: BranchId) -> int:
    """The highest number that a version of the branch has; 0 if there is none."""
    highest = select(func.max(_versions.c.number)).where(_versions.c.branch == branch)
    return tx.execute(highest).scalar() or 0


def _read(tx: Connection, query: Select[Any]) -> list[Version]:
    rows = tx.execute(query).all()
    parents = _parents_of(tx, rows)
    specs = _specs_of(tx, rows)
    return [
        Version(
            ref=(ref := VersionRef(branch=row.branch, number=row.number)),
            parents=tuple(parents[ref.branch, ref.number]),
            cells=tuple(
                Cell(handle=handle, spec=specs[hash_], frozen=bool(frozen)) for handle, hash_, *frozen in row.cells
            ),
            packages=row.packages,
            edit=row.edit,
            description=row.description,
            person=row.person,
            time=row.time,
        )
        for row in rows
    ]


def _parents_of(tx: Connection, rows: Sequence[Row[Any]]) -> dict[tuple[str, int], list[VersionRef]]:
    found: dict[tuple[str, int], list[VersionRef]] = defaultdict(list)
    for chunk in chunks([(row.branch, row.number) for row in rows]):
        key = tuple_(_parents.c.branch, _parents.c.number)
        for row in tx.execute(select(_parents).where(key.in_(chunk)).order_by(_parents.c.position)):
            found[row.branch, row.number].append(VersionRef(branch=row.parent_branch, number=row.parent_number))
    return found


def _specs_of(tx: Connection, rows: Sequence[Row[Any]]) -> dict[Digest, Spec]:
    return specs(tx, {hash_ for row in rows for _, hash_, *_ in row.cells})


def specs(tx: Connection, hashes: Collection[Digest]) -> dict[Digest, Spec]:
    """The specs with these hashes."""
    return remembered(tx, Spec, hashes, lambda unknown: _read_specs(tx, unknown))


def _read_specs(tx: Connection, hashes: Sequence[Digest]) -> dict[Digest, Spec]:
    return {
        row.hash: Spec(kind=row.kind, parameters=row.parameters, acknowledged=row.acknowledged)
        for chunk in chunks(hashes)
        for row in tx.execute(select(_specs).where(_specs.c.hash.in_(chunk)))
    }
