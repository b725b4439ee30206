"""Projects."""

from __future__ import annotations

from fastapi import APIRouter

from trailbook.model.base import Value
from trailbook.server.access import Bench, CurrentPerson
from trailbook.server.errors import documented
from trailbook.server.parameters import Name, ProjectPath
from trailbook.workflow.views import ProjectSummary

router = APIRouter(prefix="/projects", tags=["projects"], responses=documented())


class ProjectName(Value):
    name: Name


@router.get("")
def list_projects(bench: Bench, person: CurrentPerson, deleted: bool = False) -> list[ProjectSummary]:
    """All projects, or those that were deleted."""
    return bench.projects(deleted)


@router.post("", status_code=201)
def create_project(body: ProjectName, bench: Bench, person: CurrentPerson) -> ProjectSummary:
    """A new project with an empty notebook."""
    return bench.create_project(body.name, person.id)


@router.get("/{project}")
def get_project(project: ProjectPath, bench: Bench, person: CurrentPerson) -> ProjectSummary:
    return bench.project(project)


@router.patch("/{project}")
def rename_project(project: ProjectPath, body: ProjectName, bench: Bench, person: CurrentPerson) -> ProjectSummary:
    return bench.rename_project(project, body.name)


@router.delete("/{project}", status_code=204)
def delete_project(project: ProjectPath, bench: Bench, person: CurrentPerson) -> None:
    """Take the project off the list. Everything in it is kept and can be restored."""
    bench.delete_project(project)


@router.post("/{project}/restore")
def restore_project(project: ProjectPath, bench: Bench, person: CurrentPerson) -> ProjectSummary:
    """Put a deleted project back on the list."""
    return bench.restore_project(project)
