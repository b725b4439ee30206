"""ORC files, stripe by stripe."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
from pyarrow import orc

from trailbook.errors import CellFailed
from trailbook.sources.formats.arrow_batches import columns_of, raw
from trailbook.sources.formats.format import FORMATS, Format, Layout, Options, head_of
from trailbook.sources.formats.records import batched, lost

_DAMAGE = (pa.ArrowException, OSError)


class OrcOptions(Options):
    """An ORC file says all about itself."""


class OrcFormat(Format[OrcOptions]):
    """A column that can't be read in one stripe is NULL there, with a problem; the rest is read."""

    name = "orc"
    title = "ORC"
    extensions = (".orc",)
    media_types = ("application/x-orc",)
    needs_end = True
    Options = OrcOptions

    def is_it(self, head: bytes) -> bool:
        return head.startswith(b"ORC")

    def layout(self, path: Path, options: OrcOptions, most_records: int | None = None) -> Layout[OrcOptions]:
        columns, guessed = columns_of(_opened(path).schema)
        return Layout(columns, options, guessed)

    def batches(
        self, path: Path, layout: Layout[OrcOptions], most_records: int | None = None
    ) -> Iterator[pa.RecordBatch]:
        file = _opened(path)
        first = 1
        for number in range(file.nstripes):
            try:
                stripe, problem = file.read_stripe(number), None
            except _DAMAGE:
                stripe, problem = _salvaged(file, number, layout)
            if stripe.num_rows or not problem:
                yield from raw(stripe, layout, first, problem)
            else:
                # How many records it had is in the part that can't be read.
                yield from batched([lost(len(layout.columns), problem)], layout)
            first += stripe.num_rows


def _salvaged(file: orc.ORCFile, number: int, layout: Layout[OrcOptions]) -> tuple[pa.RecordBatch, str]:
    """What is left of a stripe, column by column: no rows if that is nothing."""
    read: dict[str, pa.Array] = {}
    wrong = []
    for field, column in zip(file.schema, layout.columns, strict=True):
        try:
            read[field.name] = file.read_stripe(number, [field.name]).column(field.name)
        except (*_DAMAGE, KeyError) as error:
            wrong.append(f"{column.name} ({error})")
    rows = len(next(iter(read.values()), ()))
    columns = [read.get(field.name, pa.nulls(rows, field.type)) for field in file.schema]
    problem = f"stripe {number + 1} of {file.nstripes} is damaged or beyond what can be read, in {'; '.join(wrong)}"
    return pa.RecordBatch.from_arrays(columns, schema=file.schema), problem


def _opened(path: Path) -> orc.ORCFile:
    head_of(path)
    try:
        return orc.ORCFile(path)
    except _DAMAGE as error:
        raise CellFailed(f"It is no ORC file, or it is damaged: {error}.") from error


FORMATS.add(OrcFormat.name, OrcFormat())
