"""A notebook apart from any store: what all formats are read into and written from."""

from __future__ import annotations

from pydantic import Field

from trailbook.cells.kind import parse
from trailbook.errors import Invalid
from trailbook.model.acknowledged import Acknowledged
from trailbook.model.artifacts import Column, Doubt
from trailbook.model.base import CellHandle, Json, Value
from trailbook.model.notebook import Spec
from trailbook.model.runs import CellError, Message

TEXT = {"markdown": "text", "python": "code", "sql": "query"}
"""The parameter that is a cell's text, by kind. Other kinds have none: all their parameters are short."""


class Accepted(Acknowledged):
    """Caveats that somebody acknowledged, with what was noted about it."""

    note: str = ""


class DatasetPreview(Value):
    """The first rows of a dataset as text, with what is in doubt of each: 0 is the row itself, i column i, from 1."""

    name: str
    columns: tuple[Column, ...]
    total: int
    rows: tuple[tuple[str | None, ...], ...]
    marks: tuple[tuple[int, ...], ...]
    doubt: Doubt


class DocumentCell(Value):
    """A cell, and what its last run said and made, where that is known.

    Bytes in messages are base64 under their media type. `is_parameters` marks the cell whose assignments are meant to
    be replaced from outside.
    """

    kind: str
    parameters: dict[str, Json] = Field(default_factory=dict)
    acknowledged: tuple[Accepted, ...] = ()
    is_parameters: bool = False
    handle: CellHandle | None = None
    messages: tuple[Message, ...] = ()
    error: CellError | None = None
    seconds: float | None = None
    datasets: tuple[DatasetPreview, ...] = ()

    @property
    def text(self) -> str:
        """The text of a cell whose kind has one."""
        text: str = self.parameters[TEXT[self.kind]]
        return text

    def without_results(self) -> DocumentCell:
        return self.model_copy(update={"messages": (), "error": None, "seconds": None, "datasets": ()})

    @property
    def has_run(self) -> bool:
        return self.seconds is not None or bool(self.messages) or self.error is not None


class Document(Value):
    """The cells of a notebook in their order, and the packages that they need."""

    cells: tuple[DocumentCell, ...] = ()
    title: str = ""
    packages: tuple[str, ...] = ()


def checked_parameters(kind: str, parameters: dict[str, Json]) -> dict[str, Json]:
    """The parameters with their defaults filled in. Refuses what does not fit the kind, and unknown kinds."""
    return parse(Spec(kind=kind, parameters=parameters)).model_dump(mode="json")


def checked_packages(given: Json) -> tuple[str, ...]:
    """The names as they stand in a file; whether there are such packages is not looked at."""
    if not isinstance(given, list) or not all(isinstance(one, str) for one in given):
        raise Invalid(f'packages is a list of names, such as ["scikit-learn"], not {str(given)[:60]!r}.')
    return tuple(given)


def text_cell(kind: str, text: str) -> DocumentCell:
    """A cell that is given by its text alone."""
    return DocumentCell(kind=kind, parameters=checked_parameters(kind, {TEXT[kind]: text}))
