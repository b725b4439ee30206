"""Artifacts: the immutable things that runs make."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from pydantic import Field

from trailbook.model.base import ArtifactId, Digest, PersonId, ProjectId, RunId, Value


class ArtifactKind(StrEnum):
    DATASET = "dataset"
    """A directory of Parquet part files, read in the order of their names."""
    FILE = "file"
    """One file, byte for byte."""
    VALUE = "value"
    """What names of Python cells hold, packed as `kernels.child.values` does it; a small one is in its record."""


class ArtifactState(StrEnum):
    PRESENT = "present"
    DROPPED = "dropped"
    """The files were removed; the run that made it can make it again."""
    GONE = "gone"
    """The files were removed or lost, and nothing can make them again."""


class Column(Value):
    """A column of a dataset; `type` is Spark's name for its type."""

    name: str
    type: str
    nullable: bool = True


class Doubt(Value):
    """How much of a dataset is in doubt.

    `values` counts the marked values of each column that has some, `rows` those of which it is in doubt whether they
    belong there, `phantoms` those left out in doubt. With `open`, any number of others may be missing. `coarse`: all
    of it is in doubt, since nobody sees through what made it.
    """

    values: dict[str, int] = Field(default_factory=dict)
    rows: int = 0
    phantoms: int = 0
    open: bool = False
    coarse: bool = False

    @property
    def is_none(self) -> bool:
        return not (self.values or self.rows or self.may_miss_rows or self.coarse)

    @property
    def may_miss_rows(self) -> bool:
        return bool(self.phantoms) or self.open


class About(Value):
    """What a value is, in a line; with a `reason`, it could not be kept, and can't be read."""

    type: str
    text: str
    reason: str | None = None


class Artifact(Value):
    """An immutable thing, identified by its content. Its record outlives its files.

    The id is the digest of the content, so the same content is one artifact whoever makes it. `columns`, `rows` and
    `doubt` describe a dataset; `data` is the digest of its data, whatever is in doubt of it; `about` describes what
    each name of a value holds.
    `seconds` is what it took to make it, `run` what made it first (nothing for an upload, which can't be made again).
    """

    id: ArtifactId
    kind: ArtifactKind
    state: ArtifactState
    size: int
    media_type: str
    columns: tuple[Column, ...] = ()
    rows: int | None = None
    doubt: Doubt = Doubt()
    data: Digest | None = None
    about: dict[str, About] = Field(default_factory=dict)
    run: RunId | None = None
    seconds: float = 0.0
    created: datetime


class UploadedFile(Value):
    """A file that a person gave to a project."""

    project: ProjectId
    name: str
    artifact: ArtifactId
    size: int
    person: PersonId
    time: datetime
