"""Projects, branches and versions: every edit makes a version, every move of a head is logged."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Literal

from sqlalchemy import Connection

from trailbook.errors import HeadMoved, NeedsBranchName, NothingToUndo
from trailbook.model.base import BranchId, PersonId, ProjectId, new_id, now
from trailbook.model.edits import CellEdit, CreateNotebook, ForkBranch, ImportNotebook
from trailbook.model.notebook import Branch, Cell, Project, Version, VersionRef
from trailbook.model.packages import NO_PACKAGES, Packages
from trailbook.store import branches, heads, projects, versions
from trailbook.store.heads import HeadMove
from trailbook.workflow.edits import apply_edit, describe_edit

MAIN = "main"


def create_project(
    tx: Connection,
    name: str,
    person: PersonId,
    cells: tuple[Cell, ...] = (),
    file: str | None = None,
    packages: Packages = NO_PACKAGES,
) -> Branch:
    """A new project with a notebook on its first branch: an empty one, or the cells that were read from a file."""
    time = now()
    project = Project(id=ProjectId(new_id()), name=name, person=person, created=time)
    projects.insert(tx, project)
    branch = _new_branch(tx, project.id, MAIN, person, time)
    first = Version(
        ref=VersionRef(branch=branch, number=1),
        parents=(),
        cells=cells,
        packages=packages,
        edit=CreateNotebook() if file is None else ImportNotebook(file=file),
        description="Create the notebook" if file is None else f"Import {file}",
        person=person,
        time=time,
    )
    return _add_version(tx, first, "create")


def fork(tx: Connection, source: VersionRef, name: str, person: PersonId) -> Branch:
    """A new branch that starts as a copy of `source`."""
    origin = versions.get(tx, source)
    parent = branches.get(tx, source.branch)
    time = now()
    branch = _new_branch(tx, parent.project, name, person, time)
    first = Version(
        ref=VersionRef(branch=branch, number=1),
        parents=(source,),
        cells=origin.cells,
        packages=origin.packages,
        edit=ForkBranch(),
        description=f"Branch from {parent.name}, version {source.number}",
        person=person,
        time=time,
    )
    return _add_version(tx, first, "create")


def edit(
    tx: Connection,
    ref: VersionRef,
    change: CellEdit,
    person: PersonId,
    *,
    packages: Packages | None = None,
    branch_name: str | None = None,
    at_head: bool = False,
) -> Version:
    """The version that `change` makes of the version `ref`: on its branch if it is the head, else on a new one.

    `at_head` says that the caller believes `ref` to be the head, so that a lost race is told apart from an edit of
    an old version. `packages` are those that the new version has, if others than the old one.
    """
    branch = branches.lock(tx, ref.branch)
    before = versions.get(tx, ref)
    if branch_name is None:
        _require_head(branch, ref.number, at_head)
    time = now()
    cells = apply_edit(change, before.cells, person, time)
    target = branch.id if branch_name is None else _new_branch(tx, branch.project, branch_name, person, time)
    version = Version(
        ref=VersionRef(branch=target, number=versions.last_number(tx, target) + 1),
        parents=(ref,),
        cells=cells,
        packages=before.packages if packages is None else packages,
        edit=change,
        description=describe_edit(change, before.cells, cells),
        person=person,
        time=time,
    )
    _add_version(tx, version, "edit" if branch_name is None else "create")
    return version


def step(
    tx: Connection, branch_id: BranchId, head: int, direction: Literal["undo", "redo"], person: PersonId
) -> Branch:
    """Move the head one edit back, or forward again. Nothing is deleted."""
    branch = branches.lock(tx, branch_id)
    _require_head(branch, head, at_head=True)
    back, forward = possible_steps(heads.steps(tx, branch_id))
    stack = back if direction == "undo" else forward
    if not stack:
        raise NothingToUndo(f"There is nothing to {direction} on branch {branch.name}.")
    move = HeadMove(branch=branch_id, number=stack[-1], reason=direction, person=person, time=now())
    heads.append(tx, move)
    return branches.get(tx, branch_id)


def possible_steps(log: Sequence[heads.Step | HeadMove]) -> tuple[list[int], list[int]]:
    """The versions that undo and redo lead to, nearest last: the log replayed as an editor's two stacks."""
    back: list[int] = []
    forward: list[int] = []
    head = log[0].number
    for move in log[1:]:
        if move.reason == "undo":
            back.pop()
            forward.append(head)
        elif move.reason == "redo":
            forward.pop()
            back.append(head)
        else:
            forward.clear()
            back.append(head)
        head = move.number
    return back, forward


def _require_head(branch: Branch, number: int, at_head: bool) -> None:
    if number == branch.head:
        return
    if at_head:
        raise HeadMoved(
            f"Branch {branch.name} is at version {branch.head} now, not {number}: somebody else changed it.",
            head=branch.head,
        )
    raise NeedsBranchName(
        f"Version {number} is not the head of branch {branch.name} ({branch.head} is). Name a branch to start from it.",
        head=branch.head,
    )


def _new_branch(tx: Connection, project: ProjectId, name: str, person: PersonId, time: datetime) -> BranchId:
    id = BranchId(new_id())
    branches.insert(tx, Branch(id=id, project=project, name=name, person=person, created=time, head=0))
    return id


def _add_version(tx: Connection, version: Version, reason: Literal["create", "edit"]) -> Branch:
    versions.insert(tx, version)
    where = version.ref.model_dump()
    heads.append(tx, HeadMove(**where, reason=reason, person=version.person, time=version.time))
    return branches.get(tx, version.ref.branch)
