"""Runs, and which run is the result of which cell of a version."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Connection, and_, select
from sqlalchemy import insert as insert_into
from sqlalchemy import update as update_table

from trailbook.errors import NotFound
from trailbook.faults import reach
from trailbook.model.base import CellHandle, Digest, RunId, now
from trailbook.model.notebook import VersionRef
from trailbook.model.runs import CellState, Run
from trailbook.store import tables, versions
from trailbook.store.sql import the_one

_runs, _results = tables.runs, tables.results
MOST_CANDIDATES = 100


@dataclass(frozen=True)
class Result:
    """The run whose outcome a cell shows. It is not current once the cell or what it reads has changed."""

    run: Run
    current: bool


def insert(tx: Connection, run: Run) -> None:
    tx.execute(insert_into(_runs).values(**_record(run)))


def update(tx: Connection, run: Run) -> None:
    """Record how the run stands now."""
    if not tx.execute(update_table(_runs).where(_runs.c.id == run.id).values(**_record(run))).rowcount:
        raise NotFound(f"There is no run {run.id}.", what="run", id=run.id)
    reach("run.before_commit")


def get(tx: Connection, id: RunId) -> Run:
    return Run(**the_one(tx, select(_runs).where(_runs.c.id == id), "run", id)._mapping)


def candidates(tx: Connection, spec: Digest, environment: Digest) -> list[Run]:
    """The runs of a spec in this environment that came to a good end, newest first; of very many, the newest.

    Whether what they wrote still has its files is not looked at.
    """
    is_good = (_runs.c.spec == spec, _runs.c.environment == environment, _runs.c.state == CellState.DONE.value)
    newest = select(_runs).where(*is_good).order_by(_runs.c.started.desc(), _runs.c.id.desc()).limit(MOST_CANDIDATES)
    return [Run(**row._mapping) for row in tx.execute(newest)]


def running(tx: Connection) -> list[Run]:
    query = select(_runs).where(_runs.c.state == CellState.RUNNING.value).order_by(_runs.c.started, _runs.c.id)
    return [Run(**row._mapping) for row in tx.execute(query)]


def set_result(tx: Connection, ref: VersionRef, handle: CellHandle, run: RunId, *, current: bool = True) -> None:
    """The run is the result of this cell of this version, in place of any other."""
    clear_result(tx, ref, handle)
    tx.execute(insert_into(_results).values(**ref.model_dump(), cell=handle, run=run, current=current))


def clear_result(tx: Connection, ref: VersionRef, handle: CellHandle) -> None:
    """The cell of this version has no result, whether it had one or not."""
    tx.execute(update_table(_results).where(_of_version(ref), _results.c.cell == handle).values(until=now()))


def carry_results(tx: Connection, source: VersionRef, target: VersionRef, *, current: bool) -> None:
    """Give the cells of `target` the results they have in `source`; without `current`, as those of an earlier state."""
    handles = {cell.handle for cell in versions.get(tx, target).cells}
    for handle, result in results(tx, source).items():
        if handle in handles:
            set_result(tx, target, handle, result.run.id, current=current and result.current)


def results(tx: Connection, ref: VersionRef) -> dict[CellHandle, Result]:
    """The result of each cell that has one."""
    query = select(_results.c.cell.label("handle"), _results.c.current, _runs).join(_runs).where(_of_version(ref))
    found: dict[CellHandle, Result] = {}
    for row in tx.execute(query):
        record = dict(row._mapping)
        handle, current = record.pop("handle"), record.pop("current")
        found[handle] = Result(Run(**record), current)
    return found


def _of_version(ref: VersionRef) -> ColumnElement[bool]:
    return and_(_results.c.branch == ref.branch, _results.c.number == ref.number, _results.c.until.is_(None))


def _record(run: Run) -> dict[str, Any]:
    return run.model_dump(mode="json") | {"started": run.started, "finished": run.finished}
