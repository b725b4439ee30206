"""Parquet files, row group by row group."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate, pairwise
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from trailbook.errors import CellFailed
from trailbook.sources.formats.arrow_batches import columns_of, raw, rows_at_once
from trailbook.sources.formats.format import FORMATS, Format, Layout, Options, head_of

_DAMAGE = (pa.ArrowException, OSError)


class ParquetOptions(Options):
    """A Parquet file says all about itself."""


class ParquetFormat(Format[ParquetOptions]):
    """A column that is damaged in one row group is NULL there, with a problem; the rest is read."""

    name = "parquet"
    title = "Parquet"
    extensions = (".parquet", ".pq")
    media_types = ("application/vnd.apache.parquet",)
    needs_end = True
    Options = ParquetOptions

    def is_it(self, head: bytes) -> bool:
        return head.startswith(b"PAR1")

    def layout(self, path: Path, options: ParquetOptions, most_records: int | None = None) -> Layout[ParquetOptions]:
        with _opened(path) as file:
            columns, guessed = columns_of(file.schema_arrow)
            old = (
                f"{columns[place].name} is INT96 in the file, of which microseconds were kept" for place in _int96(file)
            )
            return Layout(columns, options, (*guessed, *old))

    def batches(
        self, path: Path, layout: Layout[ParquetOptions], most_records: int | None = None
    ) -> Iterator[pa.RecordBatch]:
        with _opened(path) as file:
            first = 1
            for group in range(file.num_row_groups):
                yield from _group(file, group, layout, first)
                first += file.metadata.row_group(group).num_rows


def _opened(path: Path) -> pq.ParquetFile:
    head = head_of(path)
    try:
        # Nanoseconds, as INT96 is read else, end in 2262 and begin anew.
        return pq.ParquetFile(path, page_checksum_verification=True, coerce_int96_timestamp_unit="us")
    except _DAMAGE as error:
        cut = " Its end is missing, which is where a Parquet file says what is in it." if head[:4] == b"PAR1" else ""
        raise CellFailed(f"It is no Parquet file, or it is damaged: {error}.{cut}") from error


def _group(file: pq.ParquetFile, group: int, layout: Layout[ParquetOptions], first: int) -> Iterator[pa.RecordBatch]:
    done = 0
    most = rows_at_once(len(layout.columns))
    try:
        for batch in file.iter_batches(most, row_groups=[group], use_threads=False):
            yield from raw(batch, layout, first + done)
            done += batch.num_rows
    except _DAMAGE:
        yield from _salvaged(file, group, layout, first, done)


def _salvaged(
    file: pq.ParquetFile, group: int, layout: Layout[ParquetOptions], first: int, done: int
) -> Iterator[pa.RecordBatch]:
    """What is left of a damaged row group, column by column."""
    count = file.metadata.row_group(group).num_rows
    columns, lost = [], []
    for place, (field, leaves) in enumerate(zip(file.schema_arrow, _leaves(file), strict=True)):
        try:
            column = _column(file, group, leaves)
        except _DAMAGE as error:
            column = pa.nulls(count, field.type)
            lost.append(f"{layout.columns[place].name} ({error})")
        columns.append(column)
    batch = pa.RecordBatch.from_arrays(columns, schema=file.schema_arrow)
    problem = f"records {first}–{first + count - 1}: damaged, so NULL: {'; '.join(lost)}"
    yield from raw(batch.slice(done), layout, first + done, problem)


def _column(file: pq.ParquetFile, group: int, leaves: range) -> pa.Array:
    read = file.reader.read_row_group(group, column_indices=list(leaves), use_threads=False)
    return read.column(0).combine_chunks()


def _leaves(file: pq.ParquetFile) -> list[range]:
    """Where each column is stored: a nested one as several."""
    ends = accumulate((_stored(field.type) for field in file.schema_arrow), initial=0)
    return [range(start, end) for start, end in pairwise(ends)]


def _int96(file: pq.ParquetFile) -> list[int]:
    """The columns that hold times in the old way."""
    stored = file.schema
    return [
        place
        for place, leaves in enumerate(_leaves(file))
        if any(stored.column(leaf).physical_type == "INT96" for leaf in leaves)
    ]


def _stored(kind: pa.DataType) -> int:
    """As how many columns one of this type is stored."""
    if isinstance(kind, pa.BaseExtensionType):
        return _stored(kind.storage_type)
    return sum(_stored(kind.field(number).type) for number in range(kind.num_fields)) or 1


FORMATS.add(ParquetFormat.name, ParquetFormat())
