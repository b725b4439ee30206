"""The edits that turn one version into the next."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from trailbook.model.base import GivenHandle, Json, Value

Kind = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,63}$")]
Text = Annotated[str, Field(min_length=1, max_length=100_000)]
Requirement = Annotated[str, Field(min_length=1, max_length=500)]


class CreateNotebook(Value):
    """The first version of a project: no cells."""

    action: Literal["create"] = "create"


class ImportNotebook(Value):
    """The first version of a project: the cells of a file."""

    action: Literal["import"] = "import"
    file: str


class ForkBranch(Value):
    """The first version of a branch that starts where another version stands."""

    action: Literal["fork"] = "fork"


class InsertCell(Value):
    """A new cell after the cell `after`, or at the top."""

    action: Literal["insert"] = "insert"
    handle: GivenHandle | None = None
    after: GivenHandle | None = None
    kind: Kind
    parameters: dict[str, Json] = Field(default_factory=dict)


class UpdateCell(Value):
    """Other parameters, or another kind, for a cell that keeps its handle and place."""

    action: Literal["update"] = "update"
    handle: GivenHandle
    kind: Kind | None = None
    parameters: dict[str, Json]


class DeleteCell(Value):
    """The cell is gone from this version on; earlier versions keep it."""

    action: Literal["delete"] = "delete"
    handle: GivenHandle


class MoveCell(Value):
    """The cell stands after the cell `after` from now on, or at the top."""

    action: Literal["move"] = "move"
    handle: GivenHandle
    after: GivenHandle | None = None


class FreezeCells(Value):
    """The cells keep the results they have, whatever changes above them; or, not `frozen`, they run again."""

    action: Literal["freeze"] = "freeze"
    handles: Annotated[tuple[GivenHandle, ...], Field(min_length=1, max_length=10_000)]
    frozen: bool = True


class Acknowledge(Value):
    """Caveats that the cell raises at one place mark nothing from now on: all of them, or those of one text."""

    action: Literal["acknowledge"] = "acknowledge"
    handle: GivenHandle
    place: Text
    message: Text | None = None
    note: Annotated[str, Field(max_length=10_000)] = ""


class TakeBack(Value):
    """Caveats that were acknowledged mark again."""

    action: Literal["take_back"] = "take_back"
    handle: GivenHandle
    place: Text
    message: Text | None = None


class SetPackages(Value):
    """The notebook needs these packages from now on, and no others beyond Trailbook's own."""

    action: Literal["set_packages"] = "set_packages"
    packages: Annotated[tuple[Requirement, ...], Field(max_length=200)]


CellEdit = Annotated[
    InsertCell | UpdateCell | DeleteCell | MoveCell | FreezeCells | Acknowledge | TakeBack | SetPackages,
    Field(discriminator="action"),
]
Edit = Annotated[CreateNotebook | ImportNotebook | ForkBranch | CellEdit, Field(discriminator="action")]
