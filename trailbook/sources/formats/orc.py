"""ORC files, stripe by stripe."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
from pyarrow import orc

from trailbook.errors import CellFailed
from trailbook.sources.formats.arrow_batches import columns_of, raw
from trailbook.sources.formats.format import FORMATS, Format, Layout, Options, head_of

_DAMAGE = (pa.ArrowException, OSError)


class OrcOptions(Options):
    """An ORC file says all about itself."""


class OrcFormat(Format[OrcOptions]):
    """A stripe that is damaged becomes one record of NULLs, with a problem; the rest is read."""

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
            problem = None
            try:
                stripe = file.read_stripe(number)
            except _DAMAGE as error:
                # How many records it had is in the part that can't be read.
                problem = f"stripe {number + 1} of {file.nstripes} is damaged, all its records are lost: {error}"
                nulls = [pa.nulls(1, field.type) for field in file.schema]
                stripe = pa.RecordBatch.from_arrays(nulls, schema=file.schema)
            yield from raw(stripe, layout, first, problem)
            first += stripe.num_rows


def _opened(path: Path) -> orc.ORCFile:
    head_of(path)
    try:
        return orc.ORCFile(path)
    except _DAMAGE as error:
        raise CellFailed(f"It is no ORC file, or it is damaged: {error}.") from error


FORMATS.add(OrcFormat.name, OrcFormat())
