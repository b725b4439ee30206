"""Parameters that many operations share."""

from __future__ import annotations

from typing import Annotated

from fastapi import Path
from pydantic import AfterValidator, Field

from trailbook.model.base import ArtifactId, BranchId, ProjectId, RunId

ID = r"^[0-9a-f]{16}$"
LARGEST = 2**31 - 1

ProjectPath = Annotated[ProjectId, Path(pattern=ID)]
BranchPath = Annotated[BranchId, Path(pattern=ID)]
RunPath = Annotated[RunId, Path(pattern=ID)]
ArtifactPath = Annotated[ArtifactId, Path(pattern=r"^[0-9a-f]{64}$")]
NumberPath = Annotated[int, Path(ge=1, le=LARGEST)]


def _printable(name: str) -> str:
    name = name.strip()
    if not name or not name.isprintable():
        raise ValueError("a name is one line of visible text")
    return name


Name = Annotated[str, Field(min_length=1, max_length=200), AfterValidator(_printable)]
