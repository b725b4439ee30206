"""Parameters that many operations share."""

from __future__ import annotations

import re
from typing import Annotated
from unicodedata import category

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


# Controls, halves of surrogate pairs, separators of lines, and what is invisible; but some scripts need joiners.
_INVISIBLE = frozenset({"Cc", "Cf", "Cn", "Cs", "Zl", "Zp"})
_JOINERS = "\u200c\u200d"


def _visible(name: str) -> str:
    name = name.strip()
    if not name or any(category(c) in _INVISIBLE and c not in _JOINERS for c in name):
        raise ValueError("a name is one line of visible text")
    return name


Name = Annotated[str, Field(min_length=1, max_length=200), AfterValidator(_visible)]


def _base_name(name: str) -> str:
    base = re.split(r"[/\\]", name)[-1]
    if base in ("", ".", ".."):
        raise ValueError("a file's name is more than a folder")
    return base


FileName = Annotated[Name, AfterValidator(_base_name)]
"""What a file is called, without the folders it came from."""
