"""Environments: the interpreters with the packages that notebooks name.

The packages themselves are part of a version; the edit `set_packages` changes them.
"""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path

from trailbook.model.base import Digest
from trailbook.model.packages import Environment
from trailbook.server.access import Bench, CurrentPerson
from trailbook.server.errors import documented
from trailbook.server.parameters import BranchPath

router = APIRouter(tags=["environments"], responses=documented(409))

DigestPath = Annotated[Digest, Path(pattern=r"^[0-9a-f]{64}$")]


@router.get("/environments")
def list_environments(bench: Bench, person: CurrentPerson) -> list[Environment]:
    """Those that are built, and those that are being built or could not be."""
    return bench.environments.all()


@router.delete("/environments/{digest}", status_code=204)
def delete_environment(digest: DigestPath, bench: Bench, person: CurrentPerson) -> None:
    """Free its space. It is built again when a cell needs it."""
    bench.environments.delete(digest)


@router.post("/environments/{digest}/cancel", status_code=202)
def cancel_environment(digest: DigestPath, bench: Bench, person: CurrentPerson) -> Environment:
    """Stop building it."""
    return bench.environments.cancel(digest)


@router.get("/branches/{branch}/environment")
def get_environment(branch: BranchPath, bench: Bench, person: CurrentPerson) -> Environment | None:
    """That of the packages of the branch's head; null if it names none."""
    return bench.environments.about(bench.head_packages(branch))


@router.post("/branches/{branch}/environment", status_code=202)
def build_environment(branch: BranchPath, bench: Bench, person: CurrentPerson) -> Environment | None:
    """Build it now, if it is not there; once more, if that failed."""
    packages = bench.head_packages(branch)
    bench.environments.start(packages)
    return bench.environments.about(packages)
