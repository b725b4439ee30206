"""What all values share: they are frozen, strict about unknown fields, and identified by typed ids."""

from __future__ import annotations

import hashlib
import json
import secrets
from datetime import UTC, datetime
from typing import Annotated, Any, NewType

from pydantic import BaseModel, ConfigDict, Field

PersonId = NewType("PersonId", str)
ProjectId = NewType("ProjectId", str)
BranchId = NewType("BranchId", str)
CellHandle = NewType("CellHandle", str)
RunId = NewType("RunId", str)
ArtifactId = NewType("ArtifactId", str)
Digest = NewType("Digest", str)

GivenHandle = Annotated[CellHandle, Field(pattern=r"^[A-Za-z0-9_-]{1,64}$")]
"""A cell's handle as it comes from outside."""

Json = Any


class Value(BaseModel):
    """A frozen value. Equal if its fields are equal."""

    model_config = ConfigDict(frozen=True, extra="forbid")


def new_id() -> str:
    """A random id that is safe in URLs and file names."""
    return secrets.token_hex(8)


def now() -> datetime:
    return datetime.now(UTC)


def digest_of(*parts: Json) -> Digest:
    """The hash of JSON values: the same for the same values, whatever the order of their keys."""
    text = json.dumps(parts, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    return Digest(hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest())
