"""What a sink is: a format that datasets are written in."""

from __future__ import annotations

from abc import ABC, abstractmethod
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, BinaryIO, ClassVar, Generic, Literal, TypeVar

from pydantic import Field, ValidationError

from trailbook.errors import Invalid
from trailbook.model.base import Value
from trailbook.model.misfits import misfits
from trailbook.registry import Registry

if TYPE_CHECKING:
    from trailbook.sinks.outgoing import Outgoing

Marks = Literal["none", "some", "all"]


class Options(Value):
    """How to write it. The fields are the form, the keyword arguments and the reference."""


class ColumnOptions(Options):
    """Of formats where marks are columns of their own."""

    marks: Marks = Field(
        default="some",
        description="Columns such as `price_in_doubt` and `row_in_doubt`, true where something is in doubt: "
        "none, some (of those columns that have doubtful values) or all.",
    )


Chosen = TypeVar("Chosen", bound=Options)


class Sink(ABC, Generic[Chosen]):
    """One format. What it is asked to write is never cut or changed without being told."""

    format: ClassVar[str]
    title: ClassVar[str]
    extension: ClassVar[str]
    media_type: ClassVar[str]
    options: ClassVar[type[Options]]
    tells_reasons: ClassVar[bool] = False
    """Whether the file has a place for why something is in doubt."""

    @abstractmethod
    def write(self, data: Outgoing, target: BinaryIO, options: Chosen) -> list[str]:
        """Write all of it, and say what a reader of the file should know."""


SINKS: Registry[Sink[Any]] = Registry("format", "trailbook.sinks.formats")


def sink_for(format: str, name: str) -> Sink[Any]:
    """The sink of that format; `auto` goes by the name of the file."""
    if format != "auto":
        return SINKS.get(format)
    suffix = PurePath(name).suffix.lower()
    for _, sink in SINKS:
        if sink.extension == suffix:
            return sink
    known = ", ".join(sink.extension for _, sink in SINKS)
    raise Invalid(f"The format of {name} can't be told from its name (known: {known}). Choose a format.")


def chosen(options: type[Options], given: dict[str, Any], what: str) -> Any:
    """The options as they were given, or what is wrong with them."""
    try:
        return options.model_validate(given)
    except ValidationError as error:
        found = misfits(error.errors())[0]
        known = ", ".join(options.model_fields)
        raise Invalid(f"{what} can't be written with {found}. Known: {known}.") from error
