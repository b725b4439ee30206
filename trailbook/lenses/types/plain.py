"""Texts that are written plainly, read as whole arrays: many times quicker than by a query, with the same result.

What a text is read as is defined by `expressions.py`. Here, only that is read which it certainly reads alike, or
certainly does not read; a column with anything else is left to it.
"""

from __future__ import annotations

from dataclasses import dataclass

import pyarrow as pa
import pyarrow.compute as pc

from trailbook.algebra.datatypes import STRING, precision_and_scale
from trailbook.lenses.types.decision import Decision, Guard
from trailbook.lenses.types.doubles import SURE_DIGITS, doubles_hold
from trailbook.lenses.types.formats import AROUND, ISO_DATE, ISO_TIMESTAMP, PLAIN

_WHOLE = "-?(?:0|[1-9][0-9]*)"
_DAY = "(?:1[6-9]|[2-9][0-9])[0-9]{2}-[0-9]{2}-[0-9]{2}"
"""Of a year for which all calendars agree."""
_SHAPES = {
    pa.int32(): _WHOLE,
    pa.int64(): _WHOLE,
    pa.float64(): f"{_WHOLE}(?:[.][0-9]+)?",
    pa.date32(): _DAY,
    pa.timestamp("us", "UTC"): f"{_DAY}[T ][0-9]{{2}}:[0-9]{{2}}:[0-9]{{2}}(?:[.][0-9]{{1,6}})?",
}
_TYPES = {
    (PLAIN, "int"): pa.int32(),
    (PLAIN, "bigint"): pa.int64(),
    (PLAIN, "double"): pa.float64(),
    (ISO_DATE, "date"): pa.date32(),
    (ISO_TIMESTAMP, "timestamp"): pa.timestamp("us", "UTC"),
}

# Of texts in ASCII alone, since other alphabets have digits, too.
_ANY, _NO_DIGIT = r"[\x20-\x7e\t\r\n]*", r"[\x20-\x2f\x3a-\x7e\t\r\n]*"
_WITH_A_MARK = f"{_ANY}[,$%/:;]{_ANY}"
_WITH_A_LETTER = f"{_ANY}[a-df-zA-DF-Z]{_ANY}"
"""Any but that of exponents."""
_NAMED_NUMBER = "(?i)nan|inf"


@dataclass(frozen=True)
class Read:
    """The values of a column, and which of them are in doubt, if any are."""

    values: pa.Array
    doubtful: pa.BooleanArray | None = None


def plain_type(decision: Decision) -> pa.DataType | None:
    """The type of a column that may be read plainly; None if it can't be."""
    if decision.type == STRING:
        return None if decision.codes else pa.string()
    if len(decision.formats) != 1 or decision.guesses or decision.guard in (Guard.LENGTH, Guard.DIGITS):
        return None
    if any(not code.isascii() or any(map(str.isdigit, code)) for code in decision.codes):
        return None
    size = precision_and_scale(decision.type)
    if size and decision.formats == (PLAIN,):
        return pa.decimal128(*size)
    return _TYPES.get((decision.formats[0], decision.type))


def read_plainly(texts: pa.Array, kind: pa.DataType, *, blanks_are_null: bool) -> Read | None:
    """The column as this type; None if it is not written plainly."""
    if kind == pa.string():
        return Read(texts)
    plain = _match(texts, _shape(kind))
    if not pc.all(plain).as_py():
        texts = pc.utf8_trim(texts, AROUND)
        plain = _match(texts, _shape(kind))
    odd = pc.fill_null(pc.invert(plain), blanks_are_null)
    if not _are_no_values(texts.filter(odd).drop_null(), kind):
        return None
    written = pc.if_else(plain, texts, None)
    if pa.types.is_floating(kind):
        long = pc.greater(pc.binary_length(written), SURE_DIGITS)
        if not doubles_hold(written.filter(long)):
            return None
    values = _cast(written, kind)
    return values and Read(values, odd if pc.any(odd).as_py() else None)


def _shape(kind: pa.DataType) -> str:
    if not pa.types.is_decimal(kind):
        return _SHAPES[kind]
    # More digits would not fit, or be rounded.
    before, after = kind.precision - kind.scale, kind.scale
    whole = f"(?:0|[1-9][0-9]{{0,{before - 1}}})" if before else "0"
    return f"-?{whole}(?:[.][0-9]{{1,{after}}})?" if after else f"-?{whole}"


def _are_no_values(texts: pa.Array, kind: pa.DataType) -> bool:
    """Whether no way of reading such values reads one of these."""
    if not len(texts):
        return True
    none = _match(texts, _NO_DIGIT)
    if pa.types.is_temporal(kind):
        return bool(pc.all(none).as_py())
    none = pc.or_(none, _match(texts, _WITH_A_MARK))
    if pa.types.is_floating(kind):
        none = pc.and_not(none, pc.match_substring_regex(texts, _NAMED_NUMBER))
    else:
        none = pc.or_(none, _match(texts, _WITH_A_LETTER))
    return bool(pc.all(none).as_py())


def _match(texts: pa.Array, shape: str) -> pa.BooleanArray:
    return pc.match_substring_regex(texts, f"^(?:{shape})$")


def _cast(texts: pa.Array, kind: pa.DataType) -> pa.Array | None:
    try:
        if pa.types.is_timestamp(kind):
            return pc.assume_timezone(texts.cast(pa.timestamp(kind.unit)), kind.tz)
        return texts.cast(kind)
    except pa.ArrowInvalid:
        # A day that no month has, or a number that is too large.
        return None
