"""Texts read by Spark's patterns of dates and times, in plain Python."""

from __future__ import annotations

import re
from datetime import datetime
from functools import cache

from trailbook.errors import InterpreterError

_MONTHS = (
    "january", "february", "march", "april", "may", "june",
    "july", "august", "september", "october", "november", "december",
)  # fmt: skip
_NUMBERS_OF_MONTHS = {name: i for i, month in enumerate(_MONTHS, 1) for name in (month, month[:3])}
_NUMBERS = {"M": "month", "d": "day", "H": "hour", "h": "hour", "m": "minute", "s": "second"}
_PARTS = {
    **{letter: (part, r"\d{1,2}") for letter, part in _NUMBERS.items()},
    **{letter * 2: (part, r"\d{2}") for letter, part in _NUMBERS.items()},
    "yyyy": ("year", r"\d{4}"),
    "yy": ("year", r"\d{2}"),
    "MMM": ("month", "|".join(month[:3] for month in _MONTHS)),
    "MMMM": ("month", "|".join(_MONTHS)),
    "SSSSSS": ("microsecond", r"\d{1,6}"),
    "a": ("half", "am|pm"),
}
_TOKENS = re.compile(r"[A-Za-z]+|.", re.DOTALL)
_BRACKETS = {"[": "(?:", "]": ")?"}
_CENTURY = 2000
"""Of years with two digits."""


def parsed(text: str, pattern: str) -> datetime:
    """The moment that a text means, or an error."""
    shape, parts = _compiled(pattern)
    match = shape.fullmatch(text)
    if match is None:
        raise InterpreterError(f"{text!r} is not like {pattern!r}.")
    found = {part: value for part, value in zip(parts, match.groups(), strict=True) if value is not None}
    is_noon = {"am": False, "pm": True}.get(found.pop("half", "").lower())
    try:
        return _moment(found, is_noon)
    except ValueError as error:
        raise InterpreterError(f"{text!r} is no moment: {error}.") from error


def _moment(found: dict[str, str], is_noon: bool | None) -> datetime:
    year = int(found.get("year", "1970"))
    month = found.get("month", "1")
    hour = int(found.get("hour", "0"))
    if is_noon is not None:
        if not 1 <= hour <= 12:
            raise ValueError("the hours of half a day are 1 to 12")
        hour = hour % 12 + 12 * is_noon
    return datetime(
        year + _CENTURY if len(found.get("year", "")) == 2 else year,
        int(month) if month.isdigit() else _NUMBERS_OF_MONTHS[month.lower()],
        int(found.get("day", "1")),
        hour,
        int(found.get("minute", "0")),
        int(found.get("second", "0")),
        int(found.get("microsecond", "0").ljust(6, "0")),
    )


@cache
def _compiled(pattern: str) -> tuple[re.Pattern[str], list[str]]:
    """The shape of the texts, and the part of a date or time that each of its groups is."""
    shape, parts = "", []
    for token in _TOKENS.findall(pattern):
        if token in _PARTS:
            part, one = _PARTS[token]
            shape += f"({one})"
            parts.append(part)
        elif token.isalpha():
            raise NotImplementedError(f"The interpreter knows {', '.join(_PARTS)} in a pattern, not {token}.")
        else:
            shape += _BRACKETS.get(token) or re.escape(token)
    return re.compile(shape, re.ASCII | re.IGNORECASE), parts
