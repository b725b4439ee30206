"""Parameters that many operations share."""

from __future__ import annotations

import re
from typing import Annotated

from fastapi import Path
from pydantic import AfterValidator, Field

from trailbook.model.base import ArtifactId, BranchId, ProjectId, RunId
from trailbook.model.names import LONGEST_NAME, is_visible

ID = r"^[0-9a-f]{16}$"
LARGEST = 2**31 - 1

ProjectPath = Annotated[ProjectId, Path(pattern=ID)]
BranchPath = Annotated[BranchId, Path(pattern=ID)]
RunPath = Annotated[RunId, Path(pattern=ID)]
ArtifactPath = Annotated[ArtifactId, Path(pattern=r"^[0-9a-f]{64}$")]
NumberPath = Annotated[int, Path(ge=1, le=LARGEST)]


def _visible(name: str) -> str:
    name = name.strip()
    if not name or not is_visible(name):
        raise ValueError("a name is one line of visible text")
    return name


Name = Annotated[str, Field(min_length=1, max_length=LONGEST_NAME), AfterValidator(_visible)]


def _base_name(name: str) -> str:
    base = re.split(r"[/\\]", name)[-1]
    if base in ("", ".", ".."):
        raise ValueError("a file's name is more than a folder")
    return base


FileName = Annotated[Name, AfterValidator(_base_name)]
"""What a file is called, without the folders it came from."""
