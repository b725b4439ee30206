"""Arrow as files of typed formats give it, in Spark's types."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pyarrow as pa

from trailbook.sources.formats.format import Column, Layout, laid_out, renamed
from trailbook.sources.formats.records import BATCH_CELLS, BATCH_ROWS, joined, shown
from trailbook.sources.formats.spark_types import converted, finer_rows, is_exact, nearest, spark_type


def columns_of(schema: pa.Schema) -> tuple[tuple[Column, ...], tuple[str, ...]]:
    """The columns in Spark's types, and in words which of them are not exactly the file's."""
    columns = laid_out([(field.name, nearest(field.type)) for field in schema], has_types=True)
    told = [
        f"{column.name} is {field.type} in the file and was read as {_read_as(field.type)}"
        for column, field in zip(columns, schema, strict=True)
        if not is_exact(field.type)
    ]
    return columns, (*told, *renamed(columns))


def _read_as(kind: pa.DataType) -> str:
    return "microseconds (bigint)" if pa.types.is_duration(kind) else spark_type(nearest(kind))


def rows_at_once(columns: int) -> int:
    return max(1, min(BATCH_ROWS, BATCH_CELLS // max(1, columns)))


def raw(batch: pa.RecordBatch, layout: Layout[Any], first: int, problem: str | None = None) -> Iterator[pa.RecordBatch]:
    """The batch in raw form, in parts of a size that fits; its rows are numbered from `first`, all with the problem."""
    most = rows_at_once(len(layout.columns))
    for start in range(0, batch.num_rows, most):
        yield _raw(batch.slice(start, most), layout, first + start, problem)


def _raw(batch: pa.RecordBatch, layout: Layout[Any], first: int, problem: str | None) -> pa.RecordBatch:
    count = batch.num_rows
    problems = [problem] * count
    arrays = []
    for column, array in zip(layout.columns, batch.columns, strict=True):
        made, misfits = _converted(array, column.kind)
        arrays.append(made)
        misfits |= {row: f"{_as_text(array.slice(row, 1))} was cut to microseconds" for row in finer_rows(array)}
        for row, misfit in misfits.items():
            problems[row] = joined(problems[row], f"record {first + row}: {column.name}: {misfit}")
    numbers = pa.array(range(first, first + count), pa.int64())
    extra = [numbers, pa.array(problems, pa.string()), pa.repeat(pa.scalar(False), count)]
    return pa.record_batch([*arrays, *extra], schema=layout.schema)


def _converted(array: pa.Array, kind: pa.DataType) -> tuple[pa.Array, dict[int, str]]:
    try:
        return converted(array, kind), {}
    except pa.ArrowException:
        pass
    parts, misfits = [], {}
    for row in range(len(array)):
        try:
            parts.append(converted(array.slice(row, 1), kind))
        except pa.ArrowException as error:
            parts.append(pa.nulls(1, kind))
            misfits[row] = f"{_as_text(array.slice(row, 1))} does not fit {spark_type(kind)}: {error}"
    return pa.concat_arrays(parts), misfits


def _as_text(one: pa.Array) -> str:
    if pa.types.is_time(one.type):
        return str(one.cast(pa.string())[0])
    try:
        return shown(str(one[0].as_py()))
    except (ValueError, OverflowError):
        # A time beyond what Python's calendar has.
        return f"{one.cast(pa.int64())[0]} {getattr(one.type, 'unit', '')}"
