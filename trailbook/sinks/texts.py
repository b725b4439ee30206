"""Values as text, a column at a time."""

from __future__ import annotations

import base64
import json
import math
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.types as pt

TEXT = pa.large_string()
"""With offsets of 64 bits: a batch of long texts has more than 2 GB."""
_NOT_FINITE = {"nan": "NaN", "inf": "Infinity", "-inf": "-Infinity"}
_ESCAPED = r'[\x00-\x1f"\\]'
_ESCAPED_BYTES = bytes([*range(32), *b'"\\'])
_SECOND = {"s": 1, "ms": 1000, "us": 1000_000, "ns": 1000_000_000}
_FIRST_DAY, _LAST_DAY = np.datetime64("-32000-01-01"), np.datetime64("32000-01-01")
"""Between these Arrow knows how to write dates: it counts years in 16 bits."""


def constant(text: str) -> pa.Scalar:
    return pa.scalar(text, TEXT)


def joined(*parts: pa.Array | str) -> pa.Array:
    """The texts of each row one after the other; NULL if one of them is."""
    texts = (constant(part) if isinstance(part, str) else part for part in parts)
    return pc.binary_join_element_wise(*texts, constant(""))


def bytes_of(texts: pa.Array) -> memoryview:
    """The texts one after the other, in UTF-8, without a copy."""
    if not len(texts):
        return memoryview(b"")
    first, last = texts.offset, texts.offset + len(texts)
    _, offsets, content = texts.buffers()
    ends = memoryview(offsets).cast("q")
    return memoryview(content)[ends[first] : ends[last]] if content else memoryview(b"")


def is_text(type_: pa.DataType) -> bool:
    """Whether values of the type are texts that people wrote."""
    value = type_.value_type if pt.is_dictionary(type_) else type_
    return bool(pt.is_string(value) or pt.is_large_string(value) or pt.is_string_view(value))


def is_bytes(type_: pa.DataType) -> bool:
    kinds = (pt.is_binary, pt.is_large_binary, pt.is_fixed_size_binary, pt.is_binary_view)
    return any(is_kind(type_) for is_kind in kinds)


def texts_of(array: pa.Array) -> pa.Array:
    """The values as text: dates and times in ISO's form, bytes in base64, what is nested as JSON."""
    type_ = array.type
    if pt.is_dictionary(type_):
        return texts_of(array.dictionary_decode())
    if pt.is_nested(type_) or is_bytes(type_):
        return pa.array(map(_python_text, plain_values(array)), TEXT)
    if pt.is_duration(type_):
        return pa.array((None if value is None else str(value) for value in array.to_pylist()), TEXT)
    if (pt.is_date(type_) or pt.is_timestamp(type_)) and (far := _far(array)) is not None:
        return far
    if pt.is_timestamp(type_):
        return _moments(array)
    text = array.cast(TEXT)
    if pt.is_decimal(type_):
        return _written_out(array, text)
    return text if not pt.is_floating(type_) or pc.all(pc.is_finite(array)).as_py() else _finite_named(text)


def json_of(array: pa.Array) -> pa.Array:
    """The values as JSON. What JSON has no form for (decimals, times, bytes, infinity) is text in it."""
    type_ = array.type
    if pt.is_dictionary(type_):
        return json_of(array.dictionary_decode())
    if pt.is_nested(type_):
        found = pa.array(map(_json, plain_values(array)), TEXT)
    elif pt.is_integer(type_) or pt.is_boolean(type_) or pt.is_null(type_):
        found = array.cast(TEXT)
    elif pt.is_floating(type_):
        text = texts_of(array)
        found = pc.if_else(pc.is_finite(array), text, joined('"', text, '"'))
    else:
        found = _quoted(texts_of(array))
    return pc.fill_null(found, constant("null"))


def plain_values(array: pa.Array | pa.ChunkedArray) -> list[Any]:
    """The values as Python has them; dates and times that it can't hold, as text."""
    try:
        values: list[Any] = array.to_pylist()
    except (OverflowError, ValueError):
        values = [_of_scalar(scalar) for scalar in array]
    return values


def as_json(value: Any, largest: float = math.inf) -> Any:
    """What JSON has for a value of Python's; what it has no form for is text, whole numbers beyond the largest, too."""
    match value:
        case None | bool() | str():
            return value
        case int():
            return value if abs(value) <= largest else str(value)
        case float():
            return value if math.isfinite(value) else _NOT_FINITE[str(value)]
        case Decimal():
            return format(value, "f")
        case datetime() | date() | time():
            return value.isoformat()
        case bytes():
            return base64.b64encode(value).decode("ascii")
        case dict():
            return {key: as_json(item, largest) for key, item in value.items()}
        case list() | tuple():
            return [as_json(item, largest) for item in value]
        case _:
            return str(value)


def _moments(array: pa.Array) -> pa.Array:
    """Without the fraction of a second where there is none."""
    if array.type.tz == "UTC":
        # As Spark has them, and many times quicker than with a zone to look up.
        return joined(_moments(array.cast(pa.timestamp(array.type.unit))), "Z")
    counted, second = array.cast(pa.int64()), _SECOND[array.type.unit]
    whole = pc.equal(pc.multiply(pc.divide(counted, second), second), counted)
    seconds = array.cast(pa.timestamp("s", array.type.tz), safe=False).cast(TEXT)
    return seconds if pc.all(whole).as_py() else pc.if_else(whole, seconds, array.cast(TEXT))


def _far(array: pa.Array) -> pa.Array | None:
    """Dates and times as NumPy writes them, if some are too far away for Arrow, which would write others."""
    unit = "D" if pt.is_date32(array.type) else "ms" if pt.is_date64(array.type) else array.type.unit
    counted = array.cast(pa.int32()) if unit == "D" else array
    moments = pc.fill_null(counted.cast(pa.int64()), 0).to_numpy(zero_copy_only=False).view(f"datetime64[{unit}]")
    days = moments.astype("datetime64[D]")
    if ((days > _FIRST_DAY) & (days < _LAST_DAY)).all():
        return None
    shown = np.datetime_as_string(days if pt.is_date(array.type) else moments)
    zone = "Z" if pt.is_timestamp(array.type) and array.type.tz else ""
    texts = [moment.replace("T", " ") + zone for moment in shown.tolist()]
    return pa.array(texts, TEXT, mask=array.is_null().to_numpy(zero_copy_only=False))


def _written_out(array: pa.Array, text: pa.Array) -> pa.Array:
    """Decimals with all their zeros: 0.00000001, and not 1E-8."""
    short = pc.fill_null(pc.match_substring(text, "E"), False)
    if not short.true_count:
        return text
    long = (format(value, "f") for value in array.filter(short).to_pylist())
    return pc.replace_with_mask(text, short, pa.array(long, TEXT))


def _finite_named(text: pa.Array) -> pa.Array:
    for spelt, name in _NOT_FINITE.items():
        text = pc.if_else(pc.equal(text, constant(spelt)), constant(name), text)
    return text


def _quoted(text: pa.Array) -> pa.Array:
    """As strings of JSON."""
    quoted = joined('"', text, '"')
    content = bytes(bytes_of(text))
    if len(content.translate(None, _ESCAPED_BYTES)) == len(content):
        return quoted
    special = pc.fill_null(pc.match_substring_regex(text, _ESCAPED), False)
    escaped = (json.dumps(one, ensure_ascii=False) for one in text.filter(special).to_pylist())
    return pc.replace_with_mask(quoted, special, pa.array(escaped, TEXT))


def _python_text(value: Any) -> str | None:
    return base64.b64encode(value).decode("ascii") if isinstance(value, bytes) else _json(value)


def _json(value: Any) -> str | None:
    return None if value is None else json.dumps(as_json(value), ensure_ascii=False, separators=(",", ":"))


def _of_scalar(scalar: pa.Scalar) -> Any:
    if not scalar.is_valid:
        return None
    if isinstance(scalar, pa.MapScalar):
        return [[_of_scalar(entry[0]), _of_scalar(entry[1])] for entry in scalar.values]
    if isinstance(scalar, pa.ListScalar):
        return [_of_scalar(item) for item in scalar.values]
    if isinstance(scalar, pa.StructScalar):
        return {name: _of_scalar(item) for name, item in scalar.items()}
    try:
        return scalar.as_py()
    except (OverflowError, ValueError):
        return texts_of(pa.array([scalar], scalar.type))[0].as_py()
