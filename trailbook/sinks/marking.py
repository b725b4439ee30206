"""Marks as columns of their own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import pyarrow as pa

from trailbook.model.artifacts import Doubt
from trailbook.sinks.outgoing import Outgoing
from trailbook.sinks.sink import Marks
from trailbook.store.masks import ROW_BIT, read_bit

MARK = "_in_doubt"
ROW_IN_DOUBT = f"row{MARK}"


@dataclass(frozen=True)
class MarkColumn:
    """A column that is true where a bit of the masks is set; `about` is what is marked there."""

    name: str
    bit: int
    about: str

    @property
    def usual_name(self) -> str:
        return ROW_IN_DOUBT if self.bit == ROW_BIT else self.about + MARK


def mark_columns(names: Sequence[str], doubt: Doubt, marks: Marks) -> tuple[MarkColumn, ...]:
    """The columns to add for the marks, of the values first. No two names are alike, in any spelling."""
    if marks == "none":
        return ()
    wanted = {index + 1: name for index, name in enumerate(names) if marks == "all" or doubt.values.get(name)}
    if marks == "all" or doubt.rows:
        wanted[ROW_BIT] = "rows"
    taken = {name.lower() for name in names}
    found = []
    for bit, about in wanted.items():
        column = MarkColumn("", bit, about)
        column = replace(column, name=_free(column.usual_name, taken))
        taken.add(column.name.lower())
        found.append(column)
    return tuple(found)


def _free(name: str, taken: set[str]) -> str:
    number, found = 1, name
    while found.lower() in taken:
        number += 1
        found = f"{name}_{number}"
    return found


@dataclass(frozen=True)
class Marked:
    """The rows of a dataset, its marks among the columns."""

    data: Outgoing
    added: tuple[MarkColumn, ...]

    @classmethod
    def of(cls, data: Outgoing, marks: Marks) -> Marked:
        return cls(data, mark_columns(data.schema.names, data.doubt, marks))

    @property
    def notes(self) -> list[str]:
        """Which marks are called otherwise than one would think."""
        return [
            f"The marks of {one.about} are in the column {one.name}: another one is called {one.usual_name}."
            for one in self.added
            if one.name != one.usual_name
        ]

    @property
    def schema(self) -> pa.Schema:
        fields = [pa.field(column.name, pa.bool_(), nullable=False) for column in self.added]
        return pa.schema([*self.data.schema, *fields])

    def batches(self) -> Iterator[pa.RecordBatch]:
        schema = self.schema
        for batch in self.data.batches():
            values = batch.columns[: len(self.data.schema)]
            marks = [pa.array(read_bit(batch, column.bit)) for column in self.added]
            yield pa.RecordBatch.from_arrays([*values, *marks], schema=schema)
