"""What a database gives, and how it is written: values that have no place in their column's type are kept as texts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from pyarrow import types as T

from trailbook.errors import TooLarge
from trailbook.sources.formats.format import Column, laid_out, renamed
from trailbook.sources.raw_columns import LEFT_OUT, LINE, PROBLEM

Rows = Sequence[Sequence[Any]]

FEW = 200
"""Rows that a database is to give at a time: they may be long, and nobody knows before they are here."""
BATCH_BYTES = 16 * 1024 * 1024
ROW_GROUP = 65_536
PART_ROWS = 500_000
_MISFITS = (pa.ArrowException, OverflowError, TypeError, ValueError)


@dataclass(frozen=True)
class Answer:
    """Columns by name and type, and their rows, a `FEW` at a time. Moments and decimals come as texts."""

    fields: list[tuple[str, pa.DataType]]
    rows: Iterable[Rows]


@dataclass(frozen=True)
class Written:
    """A raw table. `texts` are the numbers of the columns with values that don't fit their types."""

    columns: tuple[Column, ...]
    rows: int
    texts: tuple[int, ...]
    changed_names: tuple[str, ...]


def write(answer: Answer, folder: Path, most_bytes: int, on_rows: Callable[[int], None]) -> Written:
    """Write all of it into files of the folder, some rows at a time."""
    columns = laid_out(answer.fields, has_types=True)
    schema = _schema(columns)
    rows, misfits = 0, set[int]()
    with closing(_Parts(folder, schema)) as parts:
        for table in _gathered(_batches(answer, columns, schema)):
            parts.write(table)
            rows += table.num_rows
            misfits |= {
                number for number in range(len(columns)) if table.column(f"t{number}").null_count < table.num_rows
            }
            on_rows(rows)
            if sum(part.stat().st_size for part in folder.iterdir()) > most_bytes:
                raise TooLarge(f"it has more than {most_bytes:,} bytes (setting upload_limit).")
    return Written(columns, rows, tuple(sorted(misfits)), tuple(renamed(columns)))


class _Parts:
    """Files of a folder, filled one after the other: several are read side by side later."""

    def __init__(self, folder: Path, schema: pa.Schema) -> None:
        self._folder = folder
        self._schema = schema
        self._number = 0
        self._open()

    def _open(self) -> None:
        place = self._folder / f"part-{self._number:05d}.parquet"
        self._writer = pq.ParquetWriter(place, self._schema, compression="lz4")
        self._rows = 0

    def write(self, table: pa.Table) -> None:
        if self._rows >= PART_ROWS:
            self._writer.close()
            self._number += 1
            self._open()
        self._writer.write_table(table, row_group_size=ROW_GROUP)
        self._rows += table.num_rows

    def close(self) -> None:
        self._writer.close()


def _schema(columns: Sequence[Column]) -> pa.Schema:
    fields = [pa.field(f"c{number}", column.kind) for number, column in enumerate(columns)]
    fields += [pa.field(f"t{number}", pa.string()) for number in range(len(columns))]
    extra = [pa.field(LINE, pa.int64()), pa.field(PROBLEM, pa.string()), pa.field(LEFT_OUT, pa.bool_())]
    return pa.schema([*fields, *extra])


def _batches(answer: Answer, columns: Sequence[Column], schema: pa.Schema) -> Iterator[pa.RecordBatch]:
    done = 0
    for rows in answer.rows:
        made = [fitted(values, column.kind) for values, column in zip(zip(*rows, strict=True), columns, strict=True)]
        numbers = pa.array(range(done + 1, done + len(rows) + 1), pa.int64())
        extra = [numbers, pa.nulls(len(rows), pa.string()), pa.repeat(pa.scalar(False), len(rows))]
        yield pa.record_batch([*(array for array, _ in made), *(texts for _, texts in made), *extra], schema=schema)
        done += len(rows)


def _gathered(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.Table]:
    """As many at once as make a row group, or fit into memory."""
    waiting: list[pa.RecordBatch] = []
    rows = size = 0
    for batch in batches:
        waiting.append(batch)
        rows, size = rows + batch.num_rows, size + batch.nbytes
        if rows >= ROW_GROUP or size >= BATCH_BYTES:
            yield pa.Table.from_batches(waiting)
            waiting, rows, size = [], 0, 0
    if waiting:
        yield pa.Table.from_batches(waiting)


def fitted(values: Sequence[Any], kind: pa.DataType) -> tuple[pa.Array, pa.Array]:
    """The values in that type, NULL for those that don't fit, and these as texts."""
    try:
        return _array(values, kind), pa.nulls(len(values), pa.string())
    except _MISFITS:
        pass
    parts: list[pa.Array] = []
    texts: list[str | None] = []
    for value in values:
        try:
            parts.append(_array([value], kind))
            texts.append(None)
        except _MISFITS:
            parts.append(pa.nulls(1, kind))
            texts.append(str(value))
    return pa.concat_arrays(parts), pa.array(texts, pa.string())


def _array(values: Sequence[Any], kind: pa.DataType) -> pa.Array:
    if T.is_temporal(kind) or T.is_decimal(kind):
        return pa.array(values, pa.string()).cast(kind)
    # A cast refuses to cut off fractions.
    return pa.array(values).cast(kind) if T.is_integer(kind) else pa.array(values, kind)
