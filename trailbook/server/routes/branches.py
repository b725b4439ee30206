"""Branches, and moving along them: undo, redo, run, cancel."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter
from pydantic import Field

from trailbook.errors import NotFound
from trailbook.model.base import GivenHandle, Value
from trailbook.model.notebook import Branch, VersionRef
from trailbook.server.access import Bench, CurrentPerson
from trailbook.server.errors import documented
from trailbook.server.parameters import ID, LARGEST, BranchPath, Name, ProjectPath
from trailbook.workflow.views import Notebook

router = APIRouter(tags=["branches"], responses=documented(409))


class GivenVersion(Value):
    """A version, named by the client."""

    branch: Annotated[str, Field(pattern=ID)]
    number: Annotated[int, Field(ge=1, le=LARGEST)]


class NewBranch(Value):
    name: Name
    source: GivenVersion


class BranchName(Value):
    name: Name


class AtHead(Value):
    """The head as the client knows it."""

    head: Annotated[int, Field(ge=1, le=LARGEST)]


class RunRequest(Value):
    """Which cells to run; all that need it if none are named. `anew` runs them even if nothing changed."""

    cells: tuple[GivenHandle, ...] | None = None
    anew: bool = False


class CancelRequest(Value):
    """Which cells to cancel; everything that runs or waits if none are named."""

    cells: tuple[GivenHandle, ...] | None = None


@router.get("/projects/{project}/branches")
def list_branches(project: ProjectPath, bench: Bench, person: CurrentPerson) -> list[Branch]:
    return bench.branches(project)


@router.post("/projects/{project}/branches", status_code=201)
def create_branch(project: ProjectPath, body: NewBranch, bench: Bench, person: CurrentPerson) -> Branch:
    """A new branch that starts at a version of this project."""
    source = VersionRef.model_validate(body.source.model_dump())
    if bench.branch(source.branch).project != project:
        raise NotFound(f"Project {project} has no branch {source.branch}.")
    return bench.fork(source, body.name, person.id)


@router.get("/branches/{branch}")
def get_branch(branch: BranchPath, bench: Bench, person: CurrentPerson) -> Branch:
    return bench.branch(branch)


@router.patch("/branches/{branch}")
def rename_branch(branch: BranchPath, body: BranchName, bench: Bench, person: CurrentPerson) -> Branch:
    return bench.rename_branch(branch, body.name)


@router.get("/branches/{branch}/head")
def get_head(branch: BranchPath, bench: Bench, person: CurrentPerson) -> Notebook:
    """The version that is edited next, with its results."""
    return bench.head(branch)


@router.post("/branches/{branch}/undo")
def undo(branch: BranchPath, body: AtHead, bench: Bench, person: CurrentPerson) -> Notebook:
    """Go back to the version before the last edit."""
    return bench.step(branch, body.head, "undo", person.id)


@router.post("/branches/{branch}/redo")
def redo(branch: BranchPath, body: AtHead, bench: Bench, person: CurrentPerson) -> Notebook:
    """Take the last undo back."""
    return bench.step(branch, body.head, "redo", person.id)


@router.post("/branches/{branch}/run", status_code=202)
def run(branch: BranchPath, body: RunRequest, bench: Bench, person: CurrentPerson) -> Notebook:
    """Run what is not up to date."""
    return bench.run(branch, body.cells, body.anew, person.id)


@router.post("/branches/{branch}/cancel", status_code=202)
def cancel(branch: BranchPath, body: CancelRequest, bench: Bench, person: CurrentPerson) -> Notebook:
    """Stop what runs."""
    return bench.cancel(branch, body.cells)
