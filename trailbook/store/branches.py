"""Branches. Where a branch's head stands is the last entry of its log of head moves."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, Select, select, update
from sqlalchemy import insert as insert_into

from trailbook.errors import NameTaken, NotFound
from trailbook.model.base import BranchId, ProjectId
from trailbook.model.notebook import Branch
from trailbook.store.sql import the_one
from trailbook.store.tables import branches as _branches
from trailbook.store.tables import head_moves as _moves


def insert(tx: Connection, branch: Branch) -> None:
    """Record the branch. Its head is not stored here: append the first head move in the same transaction."""
    _refuse_taken(tx, branch.project, branch.name)
    tx.execute(insert_into(_branches).values(**branch.model_dump(exclude={"head"})))


def get(tx: Connection, id: BranchId) -> Branch:
    return _the_branch(tx, _with_head().where(_branches.c.id == id), id)


def lock(tx: Connection, id: BranchId) -> Branch:
    """The branch, which nobody else can change until this transaction ends."""
    # SQLite has no row locks and needs none: there, a writing transaction is alone from its beginning.
    the_one(tx, select(_branches.c.id).where(_branches.c.id == id).with_for_update(), "branch", id)
    return get(tx, id)


def of_project(tx: Connection, project: ProjectId) -> list[Branch]:
    """The project's branches in the order they were made."""
    query = _with_head().where(_branches.c.project == project).order_by(_branches.c.created, _branches.c.id)
    return [Branch(**row._mapping) for row in tx.execute(query)]


def rename(tx: Connection, id: BranchId, name: str) -> None:
    branch = get(tx, id)
    if branch.name != name:
        _refuse_taken(tx, branch.project, name)
        tx.execute(update(_branches).where(_branches.c.id == id).values(name=name))


def _with_head() -> Select[Any]:
    of_branch = select(_moves.c.number).where(_moves.c.branch == _branches.c.id)
    last = of_branch.order_by(_moves.c.id.desc()).limit(1).scalar_subquery()
    return select(_branches, last.label("head"))


def _the_branch(tx: Connection, query: Select[Any], id: BranchId) -> Branch:
    row = the_one(tx, query, "branch", id)
    if row.head is None:
        raise NotFound(f"Branch {id} has no version yet.", what="branch", id=id)
    return Branch(**row._mapping)


def _refuse_taken(tx: Connection, project: ProjectId, name: str) -> None:
    same = select(_branches.c.id).where(_branches.c.project == project, _branches.c.name == name)
    if tx.execute(same).first() is not None:
        raise NameTaken(f"The project has a branch {name!r} already; choose another name.", name=name)
