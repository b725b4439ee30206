"""From records, as Python has them, to batches: a value that has no place in its column is told with the record."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, NamedTuple, Protocol, TypeVar

import pyarrow as pa
from pyarrow import types as T

from trailbook.sources.formats.format import Layout
from trailbook.sources.formats.names import whole_characters
from trailbook.sources.raw_columns import LINE, PROBLEM

BATCH_ROWS = 65_536
BATCH_CELLS = 1_000_000
BATCH_BYTES = 16 * 1024 * 1024
MOST_SHOWN = 1_000
"""Characters of a text in a problem."""
MOST_LOST = 10
"""Stretches that can't be read which are told together."""
TOO_DEEP = "it is nested too deeply to be written as text"
_MISFITS = (pa.ArrowException, OverflowError, TypeError, ValueError, ArithmeticError)


class Record(NamedTuple):
    """A record by its number in the file, and about how many bytes it has there.

    One that `is_lost` is none, but stands for any number of records that can't be read.
    """

    line: int
    values: Sequence[Any]
    problem: str | None = None
    left_out: bool = False
    size: int = 0
    is_lost: bool = False


def lost(columns: int, problem: str) -> Record:
    """A stretch of the file that can't be read."""
    return Record(0, [None] * columns, problem, left_out=True, is_lost=True)


def lost_places(batch: pa.RecordBatch | pa.Table) -> list[str]:
    """What is said of the stretches that can't be read."""
    lines = batch.column(LINE)
    return list(batch.filter(lines.is_null()).column(PROBLEM).to_pylist()) if lines.null_count else []


def all_lost(places: Sequence[str]) -> str | None:
    """That in one text, if there is any."""
    return joined(*places[:MOST_LOST], "and more" if len(places) > MOST_LOST else None)


def shown(text: str) -> str:
    """A text as problems quote it."""
    more = len(text) - MOST_SHOWN
    return f'"{text[:MOST_SHOWN]}"' if more <= 0 else f'"{text[:MOST_SHOWN]}"… ({more:,} more characters)'


def joined(*problems: str | None) -> str | None:
    """Several problems of one record."""
    return "; ".join(problem for problem in problems if problem) or None


class Sized(Protocol):
    """Something of a file that has about so many bytes there."""

    @property
    def size(self) -> int: ...


S = TypeVar("S", bound=Sized)


def grouped(items: Iterable[S], most: int) -> Iterator[list[S]]:
    """Some at a time: no more than that many, and no more bytes than fit into memory."""
    group: list[S] = []
    size = 0
    for item in items:
        group.append(item)
        size += item.size
        if len(group) >= most or size >= BATCH_BYTES:
            yield group
            group, size = [], 0
    if group:
        yield group


def batched(
    records: Iterable[Record], layout: Layout[Any], most_records: int | None = None
) -> Iterator[pa.RecordBatch]:
    """In batches of a size that fits into memory, whatever the width and length of the records."""
    most = max(1, min(BATCH_ROWS, BATCH_CELLS // len(layout.columns)))
    return (_batch(group, layout) for group in grouped(islice(records, most_records), most))


def _batch(records: list[Record], layout: Layout[Any]) -> pa.RecordBatch:
    problems = [record.problem for record in records]
    columns = []
    rows = zip(*(record.values for record in records), strict=True)
    for column, values in zip(layout.columns, rows, strict=True):
        array, misfits = array_of(values, column.kind)
        columns.append(array)
        for row, misfit in misfits.items():
            # What was left out says why already, and its values need not fit.
            if not records[row].left_out:
                problems[row] = joined(problems[row], f"{column.name}: {misfit}")
    columns.append(pa.array([None if record.is_lost else record.line for record in records], pa.int64()))
    columns.append(pa.array([whole_characters(problem) if problem else None for problem in problems], pa.string()))
    columns.append(pa.array([record.left_out for record in records], pa.bool_()))
    return pa.record_batch(columns, schema=layout.schema)


def array_of(values: Sequence[Any], kind: pa.DataType) -> tuple[pa.Array, dict[int, str]]:
    """The values in that type, and by their places what was wrong with those that don't fit."""
    try:
        return pa.array(values, kind), {}
    except _MISFITS:
        fitted = [_fitted(value, kind) for value in values]
    misfits = {row: misfit for row, (_, misfit) in enumerate(fitted) if misfit}
    return pa.array([value for value, _ in fitted], kind), misfits


def _fitted(value: Any, kind: pa.DataType) -> tuple[Any, str | None]:
    """A value that Arrow takes, NULL if need be, and what is lost by it."""
    if value is None:
        return None, None
    if T.is_string(kind):
        text = json_text(value) if isinstance(value, (dict, list, bool, int, float)) else _plain(value)
        if text is TOO_DEEP:
            return None, TOO_DEEP
        whole = whole_characters(text)
        return whole, None if whole == text else "what is no character was replaced by �"
    if T.is_floating(kind) and isinstance(value, int) and not isinstance(value, bool):
        return _rounded(value)
    if T.is_struct(kind) and isinstance(value, dict):
        parts = {field.name: _fitted(value.get(field.name), field.type) for field in kind}
        return {name: part for name, (part, _) in parts.items()}, joined(*(misfit for _, misfit in parts.values()))
    if T.is_list(kind) and isinstance(value, list):
        items = [_fitted(item, kind.value_type) for item in value]
        return [item for item, _ in items], joined(*(misfit for _, misfit in items))
    try:
        pa.array([value], kind)
    except _MISFITS:
        return None, f"{shown(str(value))} does not fit {kind}"
    return value, None


def _rounded(value: int) -> tuple[float | None, str | None]:
    try:
        number = float(value)
    except OverflowError:
        return None, f"{shown(str(value))} is too large"
    return number, None if int(number) == value else f"{value} was rounded to {number!r}"


def json_text(value: Any) -> str:
    """A value as JSON would have it."""
    try:
        return json.dumps(value, ensure_ascii=False, default=_plain)
    except RecursionError:
        # It could just be read, but not be written from here.
        return TOO_DEEP


def _plain(value: Any) -> str:
    return value.hex() if isinstance(value, bytes) else str(value)
