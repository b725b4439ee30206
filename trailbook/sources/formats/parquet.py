"""Parquet files, row group by row group."""

from __future__ import annotations

from collections.abc import Iterator
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
        return Layout(columns, options, guessed)

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
        return pq.ParquetFile(path, page_checksum_verification=True)
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
    for place, field in enumerate(file.schema_arrow):
        try:
            column = _column(file, group, place)
        except _DAMAGE as error:
            column = pa.nulls(count, field.type)
            lost.append(f"{layout.columns[place].name} ({error})")
        columns.append(column)
    batch = pa.RecordBatch.from_arrays(columns, schema=file.schema_arrow)
    problem = f"records {first}–{first + count - 1}: damaged, so NULL: {'; '.join(lost)}"
    yield from raw(batch.slice(done), layout, first + done, problem)


def _column(file: pq.ParquetFile, group: int, place: int) -> pa.Array:
    read = file.reader.read_row_group(group, column_indices=_leaves(file, place), use_threads=False)
    return read.column(0).combine_chunks()


def _leaves(file: pq.ParquetFile, place: int) -> list[int]:
    """A nested column is stored as several."""
    paths = [file.schema.column(number).path.split(".")[0] for number in range(len(file.schema))]
    tops = [number for number, path in enumerate(paths) if not number or paths[number - 1] != path]
    end = tops[place + 1] if place + 1 < len(tops) else len(paths)
    return list(range(tops[place], end))


FORMATS.add(ParquetFormat.name, ParquetFormat())
