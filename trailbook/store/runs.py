"""Runs, and which run is the result of which cell of a version."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, and_, bindparam, exists, func, select
from sqlalchemy import insert as insert_into
from sqlalchemy import update as update_table

from trailbook.errors import NotFound
from trailbook.faults import reach
from trailbook.model.base import BranchId, CellHandle, Digest, ProjectId, RunId, now
from trailbook.model.notebook import VersionRef
from trailbook.model.runs import CellError, CellState, Run
from trailbook.store import tables
from trailbook.store.memory import remembered
from trailbook.store.sql import chunks, the_one

_runs, _results, _versions, _imported = tables.runs, tables.results, tables.versions, tables.imported_runs
MOST_CANDIDATES = 100
_of_version = and_(
    _results.c.branch == bindparam("of_branch"), _results.c.number == bindparam("of_number"), _results.c.until.is_(None)
)
_SHOWN = select(_results.c.cell, _results.c.run, _results.c.current).where(_of_version)
_INSERT_RESULT = insert_into(_results)
_END = (
    update_table(_results)
    .where(_of_version, _results.c.cell.in_(bindparam("handles", expanding=True)))
    .values(until=bindparam("ended"))
)
_newest = (
    select(
        _runs.c.spec,
        _runs.c.id,
        func.row_number()
        .over(partition_by=_runs.c.spec, order_by=(_runs.c.started.desc(), _runs.c.id.desc()))
        .label("place"),
    )
    .where(
        _runs.c.spec.in_(bindparam("specs", expanding=True)),
        _runs.c.environment == bindparam("environment"),
        _runs.c.state == CellState.DONE.value,
        # An archive may tell lies, but not to the projects of others.
        ~exists().where(_imported.c.run == _runs.c.id, _imported.c.project != bindparam("project")),
    )
    .subquery()
)
_CANDIDATES = (
    select(_newest.c.spec, _newest.c.id)
    .where(_newest.c.place <= MOST_CANDIDATES)
    .order_by(_newest.c.spec, _newest.c.place)
)
_INSERT = insert_into(_runs)
_UPDATE = update_table(_runs).where(_runs.c.id == bindparam("of_run"))
COLUMNS = [column for column in _runs.c if column.name in Run.model_fields]
_RUNS = select(*COLUMNS).where(_runs.c.id.in_(bindparam("ids", expanding=True)))


@dataclass(frozen=True)
class Shown:
    """Which run a cell shows, and whether that is current."""

    run: RunId
    current: bool


@dataclass(frozen=True)
class Result:
    """The run whose outcome a cell shows. It is not current once the cell or what it reads has changed."""

    run: Run
    current: bool


def insert(tx: Connection, run: Run, branch: BranchId | None = None) -> None:
    """Record a run; one that goes on, with the branch whose cell it is of."""
    tx.execute(_INSERT, _record(run) | {"branch": branch})


def insert_imported(tx: Connection, project: ProjectId, ended: Collection[Run]) -> None:
    """Record runs that came with a project in an archive."""
    tx.execute(insert_into(_runs), [_record(run) for run in ended])
    tx.execute(insert_into(_imported), [{"run": run.id, "project": project} for run in ended])


def update(tx: Connection, run: Run) -> None:
    """Record how the run stands now."""
    if not tx.execute(_UPDATE, _record(run) | {"of_run": run.id}).rowcount:
        raise NotFound(f"There is no run {run.id}.", what="run", id=run.id)
    reach("run.before_commit")


def get(tx: Connection, id: RunId) -> Run:
    return Run(**the_one(tx, select(*COLUMNS).where(_runs.c.id == id), "run", id)._mapping)


def many(tx: Connection, ids: Collection[RunId]) -> dict[RunId, Run]:
    """The runs of those ids that have one."""
    return remembered(tx, Run, ids, lambda unknown: _read(tx, unknown), lambda run: run.state is not CellState.RUNNING)


def candidates(
    tx: Connection, specs: Collection[Digest], environment: Digest, project: ProjectId
) -> dict[Digest, list[Run]]:
    """The runs of each spec in this environment that came to a good end, newest first; of very many, the newest.

    Those that came in an archive are only for the project that they came with. Whether what runs wrote still has its
    files is not looked at.
    """
    places: dict[Digest, list[RunId]] = {spec: [] for spec in specs}
    for chunk in chunks(list(specs)):
        for row in tx.execute(_CANDIDATES, {"specs": chunk, "environment": environment, "project": project}):
            places[row.spec].append(row.id)
    known = many(tx, [id for ids in places.values() for id in ids])
    return {spec: [known[id] for id in ids] for spec, ids in places.items()}


def running(tx: Connection) -> list[Run]:
    query = select(*COLUMNS).where(_runs.c.state == CellState.RUNNING.value).order_by(_runs.c.started, _runs.c.id)
    return [Run(**row._mapping) for row in tx.execute(query)]


def ended_by(tx: Connection, error: CellError) -> dict[BranchId, list[Run]]:
    """The runs that this error ended, by the branches where they were started; without those from elsewhere."""
    is_it = (_runs.c.state == CellState.CANCELLED.value) & (_runs.c.error["code"].as_string() == error.code)
    query = select(_runs.c.branch, _runs.c.id).where(is_it, _runs.c.branch.is_not(None)).order_by(_runs.c.started)
    found = tx.execute(query).all()
    known = _read(tx, [row.id for row in found])
    by_branch: dict[BranchId, list[Run]] = {}
    for row in found:
        by_branch.setdefault(row.branch, []).append(known[row.id])
    return by_branch


def set_result(tx: Connection, ref: VersionRef, handle: CellHandle, run: RunId, *, current: bool = True) -> None:
    """The run is the result of this cell of this version, in place of any other."""
    set_results(tx, ref, {handle: Shown(run, current)})


def set_results(tx: Connection, ref: VersionRef, news: Mapping[CellHandle, Shown]) -> None:
    """The same for many cells."""
    for chunk in chunks(list(news)):
        tx.execute(_END, {**_place(ref), "handles": chunk, "ended": now()})
    where = ref.model_dump()
    rows = [{**where, "cell": handle, "run": one.run, "current": one.current} for handle, one in news.items()]
    if rows:
        tx.execute(_INSERT_RESULT, rows)


def clear_result(tx: Connection, ref: VersionRef, handle: CellHandle) -> None:
    """The cell of this version has no result, whether it had one or not."""
    tx.execute(_END, {**_place(ref), "handles": [handle], "ended": now()})


def carry_results(tx: Connection, source: VersionRef, target: VersionRef, *, current: bool) -> None:
    """Give the cells of `target` the results they have in `source`; without `current`, as those of an earlier state."""
    same = (_versions.c.branch == target.branch) & (_versions.c.number == target.number)
    handles = {handle for handle, *_ in tx.execute(select(_versions.c.cells).where(same)).scalar_one()}
    carried = {handle: one for handle, one in shown(tx, source).items() if handle in handles}
    set_results(tx, target, {handle: Shown(one.run, current and one.current) for handle, one in carried.items()})


def shown(tx: Connection, ref: VersionRef) -> dict[CellHandle, Shown]:
    """Which run is the result of each cell that has one."""
    return {row.cell: Shown(row.run, row.current) for row in tx.execute(_SHOWN, _place(ref))}


def results(tx: Connection, ref: VersionRef) -> dict[CellHandle, Result]:
    """The result of each cell that has one."""
    found = shown(tx, ref)
    known = many(tx, {one.run for one in found.values()})
    return {handle: Result(known[one.run], one.current) for handle, one in found.items()}


def _place(ref: VersionRef) -> dict[str, Any]:
    return {"of_branch": ref.branch, "of_number": ref.number}


def _read(tx: Connection, ids: Collection[RunId]) -> dict[RunId, Run]:
    rows = (row for chunk in chunks(list(ids)) for row in tx.execute(_RUNS, {"ids": chunk}))
    return {row.id: Run(**row._mapping) for row in rows}


def _record(run: Run) -> dict[str, Any]:
    return run.model_dump(mode="json") | {"started": run.started, "finished": run.finished}
