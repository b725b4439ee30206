"""Branches. Where a branch's head stands is the last entry of its log of head moves."""

from __future__ import annotations

from sqlalchemy import Connection, bindparam, select, update
from sqlalchemy import insert as insert_into

from trailbook.errors import NameTaken, NotFound
from trailbook.model.base import BranchId, ProjectId
from trailbook.model.notebook import Branch
from trailbook.store.sql import the_one
from trailbook.store.tables import branches as _branches
from trailbook.store.tables import head_moves as _moves

_head = select(_moves.c.number).where(_moves.c.branch == _branches.c.id).order_by(_moves.c.id.desc()).limit(1)
_WITH_HEAD = select(_branches, _head.scalar_subquery().label("head"))
_BY_ID = _WITH_HEAD.where(_branches.c.id == bindparam("id"))
_OF_PROJECT = _WITH_HEAD.where(_branches.c.project == bindparam("project")).order_by(
    _branches.c.created, _branches.c.id
)


def insert(tx: Connection, branch: Branch) -> None:
    """Record the branch. Its head is not stored here: append the first head move in the same transaction."""
    _refuse_taken(tx, branch.project, branch.name)
    tx.execute(insert_into(_branches).values(**branch.model_dump(exclude={"head"})))


def get(tx: Connection, id: BranchId) -> Branch:
    row = tx.execute(_BY_ID, {"id": id}).first()
    if row is None:
        raise NotFound(f"There is no branch {id}.", what="branch", id=id)
    if row.head is None:
        raise NotFound(f"Branch {id} has no version yet.", what="branch", id=id)
    return Branch(**row._mapping)


def lock(tx: Connection, id: BranchId) -> Branch:
    """The branch, which nobody else can change until this transaction ends."""
    # SQLite has no row locks and needs none: there, a writing transaction is alone from its beginning.
    the_one(tx, select(_branches.c.id).where(_branches.c.id == id).with_for_update(), "branch", id)
    return get(tx, id)


def of_project(tx: Connection, project: ProjectId) -> list[Branch]:
    """The project's branches in the order they were made."""
    return [Branch(**row._mapping) for row in tx.execute(_OF_PROJECT, {"project": project})]


def rename(tx: Connection, id: BranchId, name: str) -> None:
    branch = get(tx, id)
    if branch.name != name:
        _refuse_taken(tx, branch.project, name)
        tx.execute(update(_branches).where(_branches.c.id == id).values(name=name))


def _refuse_taken(tx: Connection, project: ProjectId, name: str) -> None:
    same = select(_branches.c.id).where(_branches.c.project == project, _branches.c.name == name)
    if tx.execute(same).first() is not None:
        raise NameTaken(f"The project has a branch {name!r} already; choose another name.", name=name)
