"""Whether a double holds a number as it is written."""

from __future__ import annotations

import math
import re

_SURE_LENGTH = 15
"""Characters of a text without an exponent that is always held."""
_NO_DIGITS = re.compile("[eE].*|[^0-9]")


def is_rounded(text: str, number: float) -> bool:
    """Whether the text of a number says more than the double that it was read as.

    Any double comes back as it was, however many of its digits were written.

    >>> is_rounded("1.1000000000000001", 1.1000000000000001), is_rounded("9007199254740993", 9007199254740993.0)
    (False, True)
    """
    if (len(text) <= _SURE_LENGTH and "e" not in text.lower()) or repr(number) == text:
        return False
    digits = _digits(text)
    return math.isinf(number) or (digits != "" and _digits(f"{number:.{len(digits) - 1}e}") != digits)


def _digits(text: str) -> str:
    """Those that are significant."""
    return _NO_DIGITS.sub("", text).strip("0")
