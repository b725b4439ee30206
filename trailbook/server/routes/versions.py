"""Versions: the permanent states of a notebook, and the edits that make new ones."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query

from trailbook.model.base import Value
from trailbook.model.edits import CellEdit
from trailbook.model.notebook import VersionRef
from trailbook.server.access import Bench, CurrentPerson
from trailbook.server.errors import documented
from trailbook.server.parameters import LARGEST, BranchPath, Name, NumberPath
from trailbook.workflow.provenance import Provenance
from trailbook.workflow.views import Notebook, Rerun, VersionSummary

router = APIRouter(prefix="/branches/{branch}/versions", tags=["versions"], responses=documented(409))


class EditRequest(Value):
    """An edit of a version.

    An edit of a branch's head goes on on that branch; `at_head` says that the client believes to be there, so that a
    lost race is answered with `head_moved`. Any other version is edited by naming a new branch.
    """

    edit: CellEdit
    branch_name: Name | None = None
    at_head: bool = False


class EditPreview(Value):
    """An edit that somebody thinks of."""

    edit: CellEdit


@router.get("")
def list_versions(
    branch: BranchPath,
    bench: Bench,
    person: CurrentPerson,
    before: Annotated[int | None, Query(ge=1, le=LARGEST)] = None,
    limit: Annotated[int, Query(ge=1, le=500)] = 50,
) -> list[VersionSummary]:
    """The branch's versions, newest first."""
    return bench.versions(branch, before, limit)


@router.get("/{number}")
def get_version(branch: BranchPath, number: NumberPath, bench: Bench, person: CurrentPerson) -> Notebook:
    """One version with the results it had last."""
    return bench.notebook(VersionRef(branch=branch, number=number))


@router.get("/{number}/provenance")
def get_provenance(branch: BranchPath, number: NumberPath, bench: Bench, person: CurrentPerson) -> Provenance:
    """Which cell reads what which other one made, and how many could run at once."""
    return bench.provenance(VersionRef(branch=branch, number=number))


@router.post("/{number}/preview")
def preview_edit(
    branch: BranchPath, number: NumberPath, body: EditPreview, bench: Bench, person: CurrentPerson
) -> list[Rerun]:
    """What an edit would make run, and how long each took the last time. Nothing is changed."""
    return bench.preview(VersionRef(branch=branch, number=number), body.edit, person.id)


@router.post("/{number}/edits", status_code=201)
def edit_version(
    branch: BranchPath, number: NumberPath, body: EditRequest, bench: Bench, person: CurrentPerson
) -> Notebook:
    """Apply an edit. The answer is the new version; what it affects starts to run."""
    ref = VersionRef(branch=branch, number=number)
    return bench.edit(ref, body.edit, person.id, branch_name=body.branch_name, at_head=body.at_head)
