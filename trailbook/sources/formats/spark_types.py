"""Arrow's types as Spark has them: which stands for which, how it is spelt, and how arrays get there."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import types as T

from trailbook.sources.formats.names import unique_names

MOST_DIGITS = 38
"""Of a decimal number in Spark."""
_SPELT = {
    pa.bool_(): "boolean",
    pa.int8(): "tinyint",
    pa.int16(): "smallint",
    pa.int32(): "int",
    pa.int64(): "bigint",
    pa.float32(): "float",
    pa.float64(): "double",
    pa.string(): "string",
    pa.binary(): "binary",
    pa.date32(): "date",
    pa.timestamp("us"): "timestamp_ntz",
    pa.timestamp("us", "UTC"): "timestamp",
}
_WIDER = {
    pa.uint8(): pa.int16(),
    pa.uint16(): pa.int32(),
    pa.uint32(): pa.int64(),
    pa.uint64(): pa.decimal128(20, 0),
    pa.float16(): pa.float32(),
    pa.date64(): pa.date32(),
    pa.large_string(): pa.string(),
    pa.string_view(): pa.string(),
    pa.large_binary(): pa.binary(),
    pa.binary_view(): pa.binary(),
    pa.null(): pa.string(),
}


def spark_type(kind: pa.DataType) -> str:
    """How Spark spells a type that it has."""
    if T.is_struct(kind):
        fields = (f"`{field.name.replace('`', '``')}`: {spark_type(field.type)}" for field in kind)
        return f"struct<{', '.join(fields)}>"
    if T.is_map(kind):
        return f"map<{spark_type(kind.key_type)}, {spark_type(kind.item_type)}>"
    if T.is_list(kind):
        return f"array<{spark_type(kind.value_type)}>"
    if T.is_decimal(kind):
        return f"decimal({kind.precision},{kind.scale})"
    return _SPELT[kind]


def nearest(kind: pa.DataType) -> pa.DataType:
    """The type in Spark that holds values of this one; text where there is none."""
    if kind in _SPELT or kind in _WIDER:
        return _WIDER.get(kind, kind)
    if T.is_timestamp(kind):
        return pa.timestamp("us", "UTC" if kind.tz else None)
    if T.is_duration(kind):
        # Microseconds: Parquet has no durations.
        return pa.int64()
    if T.is_decimal(kind):
        fits = kind.precision <= MOST_DIGITS and 0 <= kind.scale <= kind.precision
        return pa.decimal128(kind.precision, kind.scale) if fits else pa.string()
    if T.is_dictionary(kind) or T.is_run_end_encoded(kind):
        return nearest(kind.value_type)
    if isinstance(kind, pa.BaseExtensionType):
        return nearest(kind.storage_type)
    if T.is_fixed_size_binary(kind):
        return pa.binary()
    return _nested(kind)


def _nested(kind: pa.DataType) -> pa.DataType:
    if T.is_struct(kind) and kind.num_fields:
        names = unique_names(field.name for field in kind)
        return pa.struct([(name, nearest(field.type)) for name, field in zip(names, kind, strict=True)])
    if T.is_map(kind):
        return pa.map_(nearest(kind.key_type), nearest(kind.item_type))
    if T.is_list(kind) or T.is_large_list(kind) or T.is_fixed_size_list(kind):
        return pa.list_(nearest(kind.value_type))
    return pa.string()


def is_exact(kind: pa.DataType) -> bool:
    """Does each value of this type stay as it is in Spark?"""
    if T.is_timestamp(kind) or T.is_duration(kind):
        return bool(kind.unit != "ns" and T.is_timestamp(kind))
    if T.is_nested(kind) and T.is_nested(nearest(kind)):
        return all(is_exact(kind.field(number).type) for number in range(kind.num_fields))
    return not T.is_string(nearest(kind)) or _is_textual(kind)


def _is_textual(kind: pa.DataType) -> bool:
    textual = T.is_string(kind) or T.is_large_string(kind) or T.is_string_view(kind) or T.is_null(kind)
    return textual or (T.is_dictionary(kind) and _is_textual(kind.value_type))


def converted(array: pa.Array, target: pa.DataType) -> pa.Array:
    """The values in the type of Spark's that is nearest to theirs; an ArrowInvalid if one has no place in it."""
    kind = array.type
    if kind == target:
        return array
    if isinstance(kind, pa.BaseExtensionType):
        return converted(array.storage, target)
    if T.is_dictionary(kind):
        return converted(array.dictionary_decode(), target)
    if T.is_run_end_encoded(kind):
        return converted(pc.run_end_decode(array), target)
    if T.is_struct(target):
        parts = [converted(part, field.type) for part, field in zip(array.flatten(), target, strict=True)]
        return pa.StructArray.from_arrays(parts, fields=list(target), mask=array.is_null())
    if T.is_duration(kind):
        return (_floored(array) if kind.unit == "ns" else array.cast(pa.duration("us"))).view(target)
    if T.is_timestamp(kind) and kind.unit == "ns":
        return _floored(array).view(target)
    if T.is_string(target) and not T.is_null(kind) and not _is_textual(kind):
        return pa.array([None if value is None else str(value) for value in array.to_pylist()], pa.string())
    if T.is_list(target) and not T.is_fixed_size_list(kind):
        return _list_of(array, target)
    return array.cast(target)


def finer_rows(array: pa.Array) -> list[int]:
    """Where there are nanoseconds, of which Spark has whole thousands only."""
    kind = array.type
    if getattr(kind, "unit", "") == "ns":
        counts = array.view(pa.int64())
        rest = pc.subtract(counts, pc.multiply(pc.divide(counts, 1000), 1000))
        return list(pc.indices_nonzero(rest).to_pylist())
    if T.is_dictionary(kind):
        return finer_rows(array.dictionary_decode())
    if (T.is_struct(kind) or T.is_list(kind) or T.is_large_list(kind)) and _is_finer(array):
        return [row for row in range(len(array)) if _is_finer(array.slice(row, 1))]
    return []


def _is_finer(nested: pa.Array) -> bool:
    parts = nested.flatten()
    return any(map(finer_rows, parts if T.is_struct(nested.type) else [parts]))


def _list_of(array: pa.Array, target: pa.DataType) -> pa.Array:
    """Element by element, as casts of lists don't rename the fields of structs in them."""
    # An offset that is NULL makes the list NULL that starts there.
    offsets = pc.if_else(pc.invert(array.is_null()), array.offsets[:-1].cast(pa.int32()), None)
    ends = pa.concat_arrays([offsets, array.offsets[-1:].cast(pa.int32())])
    return pa.ListArray.from_arrays(ends, converted(array.values, target.value_type), type=target)


def _floored(array: pa.Array) -> pa.Array:
    """Nanoseconds as numbers of whole microseconds, downwards: a cast would go towards 1970."""
    counts = array.view(pa.int64())
    whole = pc.divide(counts, 1000)
    down = pc.less(pc.subtract(counts, pc.multiply(whole, 1000)), 0)
    return pc.subtract(whole, down.cast(pa.int64()))
