"""Tokens: numbers that stand for the values of a column, the same for values that are equal."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from datetime import UTC, date, datetime, time
from decimal import Decimal
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.types as pt

from trailbook.sinks.texts import plain_values

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers = NDArray[np.int64]
    Bits = NDArray[np.uint64]

_MISSING = 0xD6E8FEB86659FD93
_STEP = 0x9E3779B97F4A7C15
_FACTOR = np.uint64(0xBF58476D1CE4E5B9)
_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,3})?")

SKETCH = 64
"""So many of the least tokens of a column tell about how many there are."""


def tokens_of(column: pa.ChunkedArray, number: int, other: pa.DataType) -> tuple[Numbers, list[int]]:
    """Those of a column's values, and the least of them.

    They are the same for equal values of the `other` type, but not in another column.
    """
    from pandas.util import hash_array

    chunks = _comparable(column, other).dictionary_encode().unify_dictionaries().chunks
    if not chunks:
        return np.empty(0, dtype=np.int64), []
    distinct = chunks[0].dictionary.to_numpy(zero_copy_only=False)
    tokens = _mixed(np.append(hash_array(distinct, categorize=False), np.uint64(_MISSING)), number)
    places = np.concatenate([chunk.indices.fill_null(len(distinct)).to_numpy(zero_copy_only=False) for chunk in chunks])
    least = np.partition(tokens, min(SKETCH, len(tokens)) - 1)[:SKETCH]
    return tokens[places].view(np.int64), least.tolist()


def missing_tokens(columns: int) -> Numbers:
    """What stands for NULL in each column."""
    return np.array([_mixed(np.array([_MISSING], dtype=np.uint64), n)[0] for n in range(columns)]).view(np.int64)


def distinct_values(sketches: Iterable[Sequence[Sequence[int]]]) -> list[int]:
    """About how many values each column has, by its least tokens in each part."""
    return [_estimate(sorted(set(chain(*column)))[:SKETCH]) for column in zip(*sketches, strict=True)]


def _estimate(least: Sequence[int]) -> int:
    return len(least) if len(least) < SKETCH else int((SKETCH - 1) * 2**64 / least[-1])


def together(columns: Sequence[Numbers], rows: int) -> Numbers:
    """A number for each row that stands for all of its numbers."""
    found = np.zeros(rows, dtype=np.uint64)
    for number, column in enumerate(columns):
        found = _mixed(found ^ column.view(np.uint64), number)
    return found.view(np.int64)


def as_texts(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """The values as people read them."""
    type = column.type
    if pt.is_string(type):
        return column
    if pt.is_nested(type):
        return _each(column, lambda value: json.dumps(value, default=str, ensure_ascii=False))
    if pt.is_binary(type) or pt.is_large_binary(type) or pt.is_fixed_size_binary(type):
        return _each(column, bytes.hex)
    return column.cast(pa.string())


def _comparable(column: pa.ChunkedArray, other: pa.DataType) -> pa.ChunkedArray:
    """The values in a form that is the same for equal values of both types."""
    types = (column.type, other)
    if column.type != other and all(map(_is_single, types)) and not all(map(_is_text, types)):
        return _spelt_alike(column, other)
    if pt.is_floating(column.type):
        # Plus zero, since there are two zeros.
        return pc.add(column, 0.0)
    if pt.is_timestamp(column.type):
        return column.cast(pa.int64())
    return column if any(test(column.type) for test in (pt.is_integer, pt.is_boolean)) else as_texts(column)


def _spelt_alike(column: pa.ChunkedArray, other: pa.DataType) -> pa.ChunkedArray:
    """Numbers without an exponent or zeros at the end, moments without a time where it is midnight."""
    chunks = column.dictionary_encode().unify_dictionaries().chunks
    if not chunks:
        return pa.chunked_array([], pa.string())
    values = plain_values(chunks[0].dictionary)
    distinct = [_spelt(_meant(value, other) if isinstance(value, str) else value) for value in values]
    texts = pa.array(distinct, pa.string())
    return pa.chunked_array([texts.take(chunk.indices) for chunk in chunks])


def _spelt(value: Any) -> str:
    match value:
        case bool():
            return str(value).lower()
        case float() if math.isfinite(value):
            return _spelt(Decimal(repr(value)))
        case int() | Decimal() if (number := Decimal(value)).is_finite():
            text = f"{number:f}"
            text = text.rstrip("0").rstrip(".") if "." in text else text
            return text if number else "0"
        case datetime():
            moment = value.astimezone(UTC).replace(tzinfo=None) if value.tzinfo else value
            return moment.isoformat() if moment.time() != time() else moment.date().isoformat()
        case date():
            return value.isoformat()
        case _:
            return str(value)


def _meant(text: str, other: pa.DataType) -> Any:
    """What a text says, if it could be of the other type."""
    if _is_number(other):
        return Decimal(text) if _NUMBER.fullmatch(text) else text
    if _is_moment(other):
        with suppress(ValueError):
            return datetime.fromisoformat(text)
    return text


def _is_single(type: pa.DataType) -> bool:
    return any(test(type) for test in (_is_number, _is_moment, _is_text, pt.is_boolean))


def _is_number(type: pa.DataType) -> bool:
    return any(test(type) for test in (pt.is_integer, pt.is_floating, pt.is_decimal))


def _is_moment(type: pa.DataType) -> bool:
    return any(test(type) for test in (pt.is_date, pt.is_timestamp))


def _is_text(type: pa.DataType) -> bool:
    return any(test(type) for test in (pt.is_string, pt.is_large_string))


def _each(column: pa.ChunkedArray, told: Callable[[Any], str]) -> pa.ChunkedArray:
    values = (None if value is None else told(value) for value in column.to_pylist())
    return pa.chunked_array([pa.array(values, pa.string())])


def _mixed(numbers: Bits, seed: int) -> Bits:
    mixed = (numbers ^ np.uint64((seed + 1) * _STEP % 2**64)) * _FACTOR
    return mixed ^ (mixed >> np.uint64(29))
