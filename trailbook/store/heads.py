"""The log of head moves: only ever appended to. Undo and redo walk it."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from sqlalchemy import Connection, select
from sqlalchemy import insert as insert_into

from trailbook.model.base import BranchId, PersonId, Value
from trailbook.store.tables import head_moves as _moves


class HeadMove(Value):
    """The head of `branch` went to version `number`."""

    branch: BranchId
    number: int
    reason: Literal["create", "edit", "undo", "redo"]
    person: PersonId
    time: datetime


def append(tx: Connection, move: HeadMove) -> None:
    tx.execute(insert_into(_moves).values(**move.model_dump()))


def log(tx: Connection, branch: BranchId) -> list[HeadMove]:
    """All head moves of the branch, oldest first."""
    columns = [_moves.c[name] for name in HeadMove.model_fields]
    query = select(*columns).where(_moves.c.branch == branch).order_by(_moves.c.id)
    return [HeadMove(**row._mapping) for row in tx.execute(query)]


def last(tx: Connection, branch: BranchId) -> HeadMove:
    """The newest head move of the branch."""
    columns = [_moves.c[name] for name in HeadMove.model_fields]
    query = select(*columns).where(_moves.c.branch == branch).order_by(_moves.c.id.desc()).limit(1)
    return HeadMove(**tx.execute(query).one()._mapping)
