"""The Arrow types that Parquet, Spark and pyarrow all understand alike, and the way to them from any other type.

| type | stored as |
| --- | --- |
| timestamps of any unit | microseconds; a time zone stays, and naive stays naive |
| unsigned integers | the next larger signed type; 64 bits as decimal(20, 0) |
| half floats | float |
| dictionaries, run-end encodings, views, large and fixed-size variants | the plain type |
| columns of nothing but nulls | string |
| durations | bigint, in microseconds (noted) |
| times of day, calendar intervals, decimals of more than 38 digits | string (noted) |
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.types as pt

from trailbook.kernels.child.errors import BadDataset

Note = Callable[[str], None]
SLACK = 4096
"""Bytes that are not worth a copy."""

_SIMPLE = {
    pa.null(): pa.string(),
    pa.uint8(): pa.int16(),
    pa.uint16(): pa.int32(),
    pa.uint32(): pa.int64(),
    pa.uint64(): pa.decimal128(20, 0),
    pa.float16(): pa.float32(),
    pa.large_string(): pa.string(),
    pa.string_view(): pa.string(),
    pa.large_binary(): pa.binary(),
    pa.binary_view(): pa.binary(),
    pa.date64(): pa.date32(),
}


def plain_type(type: Any) -> Any:
    """The type that values of `type` are stored as."""
    if type in _SIMPLE:
        return _SIMPLE[type]
    if isinstance(type, pa.BaseExtensionType):
        return plain_type(type.storage_type)
    if pt.is_dictionary(type) or pt.is_run_end_encoded(type):
        return plain_type(type.value_type)
    if pt.is_timestamp(type):
        return pa.timestamp("us", type.tz)
    if pt.is_duration(type):
        return pa.int64()
    if pt.is_time(type) or pt.is_interval(type):
        return pa.string()
    if pt.is_fixed_size_binary(type):
        return pa.binary()
    if pt.is_decimal(type):
        return _plain_decimal(type)
    if pt.is_nested(type):
        return _plain_nested(type)
    return type


def _plain_decimal(type: Any) -> Any:
    scale = max(type.scale, 0)
    precision = type.precision + scale - type.scale
    return pa.decimal128(precision, scale) if precision <= 38 else pa.string()


def _plain_nested(type: Any) -> Any:
    if pt.is_struct(type) and type.num_fields:
        return pa.struct([pa.field(part.name, plain_type(part.type)) for part in type])
    if pt.is_map(type):
        return pa.map_(plain_type(type.key_type), plain_type(type.item_type))
    if pt.is_list(type) or pt.is_large_list(type) or pt.is_fixed_size_list(type):
        return pa.list_(plain_type(type.value_type))
    if pt.is_list_view(type) or pt.is_large_list_view(type):
        return pa.list_(plain_type(type.value_type))
    raise BadDataset(f"values of type {type} can't be stored")


def to_plain(name: str, column: Any, note: Note) -> Any:
    """The column in its plain type; what is lost on the way is noted."""
    target = plain_type(column.type)
    if target == column.type:
        return column
    if isinstance(column.type, pa.BaseExtensionType):
        return to_plain(name, column.cast(column.type.storage_type), note)
    if pt.is_duration(column.type):
        note(f"column {name!r} of durations is whole numbers of microseconds in SQL.")
        column = column.cast(pa.duration("us"), safe=False)
    if pt.is_run_end_encoded(column.type):
        return to_plain(name, _each_chunk(column, pc.run_end_decode), note)
    if pt.is_interval(column.type):
        note(f"column {name!r} of calendar intervals is stored as text for SQL.")
        return pa.chunked_array([pa.array([None if v is None else str(v) for v in column.to_pylist()], pa.string())])
    if target == pa.string() and (pt.is_time(column.type) or pt.is_decimal(column.type)):
        note(f"column {name!r} of type {column.type} is stored as text for SQL.")
    return _cast(name, column, target, note)


def _each_chunk(column: Any, function: Callable[[Any], Any]) -> Any:
    return pa.chunked_array([function(chunk) for chunk in column.chunks], column.type.value_type)


def _cast(name: str, column: Any, target: Any, note: Note) -> Any:
    try:
        return column.cast(target)
    except pa.ArrowInvalid as error:
        if "would lose data" not in str(error):
            raise BadDataset(f"column {name!r} can't be stored as {target}: {error}") from None
    note(f"column {name!r} of type {column.type} is cut to {target} in SQL.")
    return column.cast(target, safe=False)


def fitted(column: Any) -> Any:
    """The column, copied where it is a small part of a large one, which would be pickled along with it."""
    if isinstance(column, pa.ChunkedArray):
        return pa.chunked_array([fitted(chunk) for chunk in column.chunks], column.type)
    is_small = column.get_total_buffer_size() > 2 * column.nbytes + SLACK
    return pa.concat_arrays([column]) if is_small else column
