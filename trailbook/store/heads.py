"""The log of head moves: only ever appended to. Undo and redo walk it."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import Literal, NamedTuple

from sqlalchemy import Connection, bindparam, func, select
from sqlalchemy import insert as insert_into

from trailbook.model.base import BranchId, PersonId, Value
from trailbook.store.tables import head_moves as _moves

_STEPS = select(_moves.c.number, _moves.c.reason).where(_moves.c.branch == bindparam("branch")).order_by(_moves.c.id)
_LAST_TIME = select(func.max(_moves.c.time)).where(_moves.c.branch.in_(bindparam("branches", expanding=True)))


class HeadMove(Value):
    """The head of `branch` went to version `number`."""

    branch: BranchId
    number: int
    reason: Literal["create", "edit", "undo", "redo"]
    person: PersonId
    time: datetime


class Step(NamedTuple):
    """What undo and redo need to know of a head move."""

    number: int
    reason: str


def append(tx: Connection, move: HeadMove) -> None:
    tx.execute(insert_into(_moves).values(**move.model_dump()))


def log(tx: Connection, branch: BranchId) -> list[HeadMove]:
    """All head moves of the branch, oldest first."""
    columns = [_moves.c[name] for name in HeadMove.model_fields]
    query = select(*columns).where(_moves.c.branch == branch).order_by(_moves.c.id)
    return [HeadMove(**row._mapping) for row in tx.execute(query)]


def steps(tx: Connection, branch: BranchId) -> list[Step]:
    """The same in short: a branch may have moved thousands of times."""
    return [Step(*row) for row in tx.execute(_STEPS, {"branch": branch})]


def last_time(tx: Connection, branches: Collection[BranchId]) -> datetime:
    """When the newest of these branches' moves was made."""
    time: datetime = tx.execute(_LAST_TIME, {"branches": list(branches)}).scalar_one()
    return time
