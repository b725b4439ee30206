"""What a format is: it finds out how a file is laid out, then gives its records, whatever state they are in."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Generic, TypeVar

import pyarrow as pa

from trailbook.errors import CellFailed
from trailbook.model.base import Value
from trailbook.registry import Registry
from trailbook.sources.formats.names import unique_names
from trailbook.sources.formats.spark_types import spark_type
from trailbook.sources.raw_columns import LEFT_OUT, LINE, PROBLEM

HEAD_BYTES = 64 * 1024
"""How much of a file's beginning tells its format."""
ENCODINGS = ["utf-8", "cp1252", "utf-16", "shift_jis"]
"""Some that people may want to choose."""
MOST_COLUMNS = 10_000
"""Spark plans each column: with more of them it takes minutes for queries of all."""


class Options(Value):
    """How to read a file of one format. What is not given is found out."""


O = TypeVar("O", bound=Options)  # noqa: E741


@dataclass(frozen=True)
class Column:
    """A column of a file, of a type that Spark has; that of a text may be inferred. The file calls it `key`."""

    name: str
    kind: pa.DataType
    is_text: bool = False
    key: str = ""

    @property
    def type(self) -> str:
        """As Spark spells it."""
        return spark_type(self.kind)


@dataclass(frozen=True)
class Layout(Generic[O]):
    """How a file is laid out: its columns, the options with all that was found out in place, and what was guessed."""

    columns: tuple[Column, ...]
    options: O
    guessed: tuple[str, ...] = ()
    is_header_said: bool = False
    """Whether somebody said where the names of the columns are: what is left out for them is in no doubt then."""

    @property
    def schema(self) -> pa.Schema:
        """Of the batches: the columns by their numbers, and what there is to say about each record."""
        fields = [pa.field(f"c{number}", column.kind) for number, column in enumerate(self.columns)]
        extra = [pa.field(LINE, pa.int64()), pa.field(PROBLEM, pa.string()), pa.field(LEFT_OUT, pa.bool_())]
        return pa.schema([*fields, *extra])


class Format(ABC, Generic[O]):
    """One format. Its errors call the file `it`: who knows the name of the file puts that before them."""

    name: ClassVar[str]
    title: ClassVar[str]
    extensions: ClassVar[tuple[str, ...]]
    media_types: ClassVar[tuple[str, ...]]
    blanks_are_null: ClassVar[bool] = False
    """Whether it can't write NULL but as nothing."""
    needs_end: ClassVar[bool] = False
    """Whether nothing can be read of a file without its end."""
    Options: type[O]

    @abstractmethod
    def is_it(self, head: bytes) -> bool:
        """Does a file that begins like this look like one of this format?"""

    @abstractmethod
    def layout(self, path: Path, options: O, most_records: int | None = None) -> Layout[O]:
        """How the file is laid out, or as far as its first records tell."""

    @abstractmethod
    def batches(self, path: Path, layout: Layout[O], most_records: int | None = None) -> Iterator[pa.RecordBatch]:
        """All records, or about as many of the first, each with its number and what is wrong with it."""


FORMATS: Registry[Format[Any]] = Registry("format", "trailbook.sources.formats")


def laid_out(fields: list[tuple[str, pa.DataType]], *, has_types: bool) -> tuple[Column, ...]:
    """Columns of these names and types. Where the format has few types, those of texts are to be inferred."""
    if not fields:
        raise CellFailed("There are no columns in it.")
    refuse_many(len(fields))
    names = unique_names(key for key, _ in fields)
    return tuple(
        Column(name, kind, kind == pa.string() and not has_types, key)
        for name, (key, kind) in zip(names, fields, strict=True)
    )


def renamed(columns: tuple[Column, ...]) -> list[str]:
    """In words, which columns could not be called what the file calls them."""
    return [f"the name {column.key!r} was changed to {column.name}" for column in columns if column.name != column.key]


def refuse_many(columns: int) -> None:
    if columns > MOST_COLUMNS:
        raise CellFailed(
            f"It has {columns:,} columns or more; {MOST_COLUMNS:,} can be loaded. Cut it into several files, or write "
            "it with a row for each value."
        )


def head_of(path: Path) -> bytes:
    with path.open("rb") as file:
        head = file.read(HEAD_BYTES)
    if not head:
        raise CellFailed("It is empty: it has no bytes.")
    return head
