"""Whether doubles hold numbers as they are written."""

from __future__ import annotations

import re

import pyarrow as pa
import pyarrow.compute as pc

SURE_DIGITS = 15
"""A double gives back any number of so many digits, unless an exponent makes it too large or too small."""
NO_DIGITS = "[eE].*|[^0-9]"
"""In the text of a number, all but its digits."""
FIRST = 100
"""Texts that are looked at before the others, since they often tell."""


def doubles_hold(texts: pa.StringArray) -> bool:
    """Whether each of these plain numbers comes back from a double, rounded to as many digits as are written."""
    parts = (texts[:FIRST], texts[FIRST:])
    return all(_double_holds(text) for part in parts for text in _written_otherwise(part))


def _written_otherwise(texts: pa.StringArray) -> list[str]:
    """Those that are not the shortest text of a double."""
    found: list[str] = texts.filter(pc.not_equal(texts.cast(pa.float64()).cast(pa.string()), texts)).to_pylist()
    return found


def _double_holds(text: str) -> bool:
    value = float(text)
    # Most that write so many digits write just these.
    if f"{value:.17g}" == text:
        return True
    digits = _digits(text)
    # Zeros have none, and neither has infinity, where it is written so.
    return not digits or _digits(f"{value:.{len(digits) - 1}e}") == digits


def _digits(text: str) -> str:
    """Those that are significant."""
    return re.sub(NO_DIGITS, "", text).strip("0")
