"""Projects, branches, versions and cells."""

from __future__ import annotations

from datetime import datetime
from functools import cached_property

from pydantic import Field

from trailbook.model.acknowledged import Acknowledgement
from trailbook.model.base import (
    BranchId,
    CellHandle,
    Digest,
    Json,
    PersonId,
    ProjectId,
    Value,
    digest_of,
)
from trailbook.model.edits import Edit
from trailbook.model.packages import NO_PACKAGES, Packages


class Person(Value):
    """Somebody who edits. Everything a person causes names that person."""

    id: PersonId
    name: str


class Project(Value):
    """A named body of work: one notebook with its branches and files."""

    id: ProjectId
    name: str
    person: PersonId
    created: datetime
    deleted: datetime | None = None


class Branch(Value):
    """A named line of versions; `head` is the number of the one that is edited next."""

    id: BranchId
    project: ProjectId
    name: str
    person: PersonId
    created: datetime
    head: int


class VersionRef(Value):
    """Names a version for ever."""

    branch: BranchId
    number: int

    def __str__(self) -> str:
        return f"{self.branch}/{self.number}"


class Spec(Value):
    """What a cell does: its kind, its parameters, and which of its caveats mark nothing.

    Never changed, identified by its hash.
    """

    kind: str
    parameters: dict[str, Json] = Field(default_factory=dict)
    acknowledged: tuple[Acknowledgement, ...] = ()

    @cached_property
    def hash(self) -> Digest:
        more = [[one.model_dump(mode="json") for one in self.acknowledged]] if self.acknowledged else []
        return digest_of(self.kind, self.parameters, *more)

    def does_the_same_as(self, other: Spec) -> bool:
        """Whether both make the same data, whatever is acknowledged."""
        return (self.kind, self.parameters) == (other.kind, other.parameters)


class Cell(Value):
    """One step of a notebook: a stable handle with the spec it has in this version.

    A `frozen` one does not run: it keeps the result it has.
    """

    handle: CellHandle
    spec: Spec
    frozen: bool = False


class Version(Value):
    """One immutable state of the notebook, with the edit that made it."""

    ref: VersionRef
    parents: tuple[VersionRef, ...]
    cells: tuple[Cell, ...]
    packages: Packages = NO_PACKAGES
    edit: Edit
    description: str
    person: PersonId
    time: datetime
