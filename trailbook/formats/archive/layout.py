"""What an archive is made of: the names of its entries, and what a line of its records is."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Generic, Literal, TypeVar

from pydantic import ConfigDict, Field

from trailbook.model.artifacts import Artifact, UploadedFile
from trailbook.model.base import Digest, GivenHandle, RunId, Value
from trailbook.model.notebook import Branch, Person, Project, Spec, Version
from trailbook.model.runs import Run
from trailbook.settings import GIB, MIB
from trailbook.store.artifacts import Pin
from trailbook.store.decisions import DECISIONS
from trailbook.store.heads import HeadMove
from trailbook.store.masks import COARSE, FORM, PHANTOMS
from trailbook.store.remarks import REMARKS
from trailbook.store.row_names import ROWS

SUFFIX = ".trailbook"
MEDIA_TYPE = "application/vnd.trailbook.project+zip"
FORMAT = "trailbook project"
NEWEST = 1
"""The version of the format that is written. Older ones are read as well, newer ones are not."""

MANIFEST = "manifest.json"
ARTIFACTS = "artifacts"

MOST_ENTRIES = 100_000
MOST_RECORDS = 2_000_000
LARGEST_RECORDS = GIB
"""Bytes of all records."""
LONGEST_LINE = 32 * MIB


class Manifest(Value):
    """What the archive is, and how much is in it. `records` counts the lines of each kind."""

    format: Literal["trailbook project"] = "trailbook project"
    version: Annotated[int, Field(ge=1)] = NEWEST
    trailbook: str
    written: datetime
    project: Project
    records: dict[str, Annotated[int, Field(ge=0)]]


class ArchivedCell(Value):
    """A cell of a version: its spec by hash, and the run whose outcome it shows."""

    handle: GivenHandle
    spec: Digest
    frozen: bool = False
    run: RunId | None = None
    current: bool = False


class ArchivedVersion(Version):
    """A version, in which specs are named and not repeated."""

    cells: tuple[ArchivedCell, ...]  # type: ignore[assignment]


class ArchivedArtifact(Artifact):
    """An artifact; a small value is in its record, here as in the store."""

    model_config = ConfigDict(ser_json_bytes="base64", val_json_bytes="base64")

    content: bytes | None = None

    def described(self) -> Artifact:
        return Artifact(**{name: getattr(self, name) for name in Artifact.model_fields})


R = TypeVar("R", bound=Value)


@dataclass(frozen=True)
class Records(Generic[R]):
    """One kind of records."""

    name: str
    type: type[R]

    @property
    def entry(self) -> str:
        return f"records/{self.name}.jsonl"


PERSONS = Records("persons", Person)
BRANCHES = Records("branches", Branch)
SPECS = Records("specs", Spec)
VERSIONS = Records("versions", ArchivedVersion)
MOVES = Records("moves", HeadMove)
RUNS = Records("runs", Run)
RECORDED_ARTIFACTS = Records("artifacts", ArchivedArtifact)
UPLOADS = Records("uploads", UploadedFile)
PINS = Records("pins", Pin)
_ALL = (PERSONS, BRANCHES, SPECS, VERSIONS, MOVES, RUNS, RECORDED_ARTIFACTS, UPLOADS, PINS)
RECORD_ENTRIES = tuple(f"records/{kind.name}.jsonl" for kind in _ALL)

# The files of a dataset are those that the store itself gives it; all others are one file, called by their id.
_PARTS = rf"(({PHANTOMS}|{ROWS})/)?part-[0-9]{{5,9}}\.parquet"
ENTRY = re.compile(
    rf"{re.escape(MANIFEST)}|{'|'.join(map(re.escape, RECORD_ENTRIES))}"
    rf"|{ARTIFACTS}/[0-9a-f]{{64}}(/({_PARTS}|{COARSE}|{REMARKS}|{DECISIONS}|{FORM}\.[a-z]+))?"
)
