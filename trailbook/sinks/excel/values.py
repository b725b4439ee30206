"""What becomes of values in a sheet of Excel."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from enum import StrEnum
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.types as pt

from trailbook.errors import Invalid
from trailbook.sinks.formulas import are_formulas
from trailbook.sinks.texts import is_text, texts_of

LONGEST_TEXT = 32_767
"""In units of UTF-16, as Excel counts."""
EXACT_BELOW = 10**15
"""Excel keeps 15 digits."""
DAYS_TO_1970 = 25_569
FIRST_DAY, LAST_DAY = 61, 2_958_465
"""The first of March 1900, before which Excel counts a day that never was, and the last day of 9999."""
MICROSECONDS_A_DAY = 86_400_000_000


class Exact(float):
    """A number with all its digits: XlsxWriter writes 16 of them, and some need 17."""

    def __format__(self, form: str) -> str:
        return repr(float(self))


class Look(StrEnum):
    """How Excel shows a value."""

    PLAIN = ""
    DATE = "yyyy-mm-dd"
    MOMENT = "yyyy-mm-dd hh:mm:ss"
    QUOTED = "'"


@dataclass(frozen=True)
class Cells:
    """A piece of a column: numbers, booleans, texts or None; `as_text` of them have no exact form of their own.

    `rounded` of them are times with less than a millisecond, which no workbook keeps. `look` is that of its numbers.
    `formulas` are those texts that look like one, if there are any.
    """

    values: Sequence[Any]
    look: Look = Look.PLAIN
    as_text: int = 0
    rounded: int = 0
    formulas: Sequence[bool] | None = None


def cells_of(name: str, array: pa.Array) -> Cells:
    type_ = array.type
    if pt.is_dictionary(type_):
        return cells_of(name, array.dictionary_decode())
    if pt.is_boolean(type_):
        return Cells(array.to_pylist())
    if pt.is_integer(type_):
        return _numbers(array, [value is not None and abs(value) >= EXACT_BELOW for value in array.to_pylist()])
    if pt.is_floating(type_):
        return _floats(array)
    if pt.is_decimal(type_):
        return _decimals(array)
    if pt.is_date(type_):
        return _serials(array.cast(pa.date32()).cast(pa.int32()), array, Look.DATE, 1)
    if pt.is_timestamp(type_):
        local = pc.local_timestamp(array) if type_.tz else array
        moments = local.cast(pa.timestamp("us"), safe=False).cast(pa.int64())
        rounded = pc.sum(pc.not_equal(pc.multiply(pc.divide(moments, 1000), 1000), moments)).as_py() or 0
        return replace(_serials(moments, array, Look.MOMENT, MICROSECONDS_A_DAY), rounded=rounded)
    return _texts(name, array)


def _numbers(array: pa.Array, as_text: Sequence[bool]) -> Cells:
    values = array.to_pylist()
    return Cells(_replaced(values, as_text, array), as_text=sum(as_text))


def _floats(array: pa.Array) -> Cells:
    values = [None if value is None else Exact(value) for value in array.to_pylist()]
    as_text = pc.fill_null(pc.invert(pc.is_finite(array)), False).to_pylist()
    return Cells(_replaced(values, as_text, array), as_text=sum(as_text))


def _decimals(array: pa.Array) -> Cells:
    values = array.to_pylist()
    as_text = [value is not None and _digits(value) > 15 for value in values]
    numbers = [None if value is None else float(value) for value in values]
    return Cells(_replaced(numbers, as_text, array), as_text=sum(as_text))


def _digits(value: Decimal) -> int:
    """How many it has, without zeros at its ends. Not by `normalize`, which rounds to 28."""
    return len("".join(map(str, value.as_tuple().digits)).strip("0"))


def _serials(counted: pa.Array, array: pa.Array, look: Look, units_a_day: int) -> Cells:
    """Dates as Excel counts them: days, and parts of days."""
    units = pc.fill_null(counted, 0).to_numpy(zero_copy_only=False)
    days = units / units_a_day + DAYS_TO_1970
    is_there = array.is_valid().to_numpy(zero_copy_only=False)
    as_text = (is_there & ((days < FIRST_DAY) | (days >= LAST_DAY + 1))).tolist()
    values = [day if there else None for day, there in zip(days.tolist(), is_there.tolist(), strict=True)]
    return Cells(_replaced(values, as_text, array), look, as_text=sum(as_text))


def _texts(name: str, array: pa.Array) -> Cells:
    texts = texts_of(array)
    require_short(f"A text of {name}", texts)
    formulas = are_formulas(texts) if is_text(array.type) else pa.array([], pa.bool_())
    return Cells(texts.to_pylist(), formulas=formulas.to_pylist() if formulas.true_count else None)


def _replaced(values: list[Any], as_text: Sequence[bool], array: pa.Array) -> list[Any]:
    if any(as_text):
        places = [place for place, is_so in enumerate(as_text) if is_so]
        for place, text in zip(places, texts_of(array.take(pa.array(places))).to_pylist(), strict=True):
            values[place] = text
    return values


def require_short(what: str, texts: pa.Array) -> None:
    """Refuse texts that have no room in a cell."""
    # Each character is one unit or two.
    if (pc.max(pc.utf8_length(texts)).as_py() or 0) <= LONGEST_TEXT // 2:
        return
    longest = max((len(text.encode("utf-16-le")) // 2 for text in texts.to_pylist() if text is not None), default=0)
    if longest > LONGEST_TEXT:
        raise Invalid(
            f"{what} has {longest:,} characters, and a cell of Excel has room for {LONGEST_TEXT:,}. "
            "Export it as CSV or Parquet, or shorten it in a cell before."
        )
