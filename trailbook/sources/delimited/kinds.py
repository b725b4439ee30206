"""What the text of a value looks like."""

from __future__ import annotations

import re
from enum import Enum
from functools import lru_cache


class Look(Enum):
    """From what can hardly be read otherwise to what is probably cut at the wrong places."""

    EMPTY = "empty"
    NUMBER = "number"
    TIME = "time"
    ADDRESS = "address"
    WORDS = "words"
    OTHER = "other"


WEIGHTS = {Look.EMPTY: 0.5, Look.NUMBER: 1.0, Look.TIME: 1.0, Look.ADDRESS: 1.0, Look.WORDS: 0.7, Look.OTHER: 0.1}
"""How well a value of that look speaks for its limits."""

_DATE = r"(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4}|\d{1,2}[- ][A-Za-z]{3}[- ]\d{2,4})"
_CLOCK = r"\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?(?: ?[AaPp][Mm])?(?: ?(?:Z|[+-]\d{2}:?\d{2}))?"
_PATTERNS = (
    (Look.EMPTY, r"\s*|(?i:n/?a|nan|null|none|-|\.|\?)"),
    (Look.NUMBER, r"[$€£¥]? ?[+-]?(?:\d+|\d{1,3}(?:[., ']\d{3})+)?(?:[.,]\d+)?\d*(?:[eE][+-]?\d+)? ?[%$€£¥]?"),
    (Look.TIME, rf"{_DATE}(?:[T ]{_CLOCK})?|{_CLOCK}"),
    (
        Look.ADDRESS,
        r"(?:https?|ftp)://\S+|[\w.+-]+@[\w-]+\.[\w.-]+|[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}",
    ),
    (Look.WORDS, r"[\w(&#@/.+-](?:[^\t|;\"^~,\x00-\x1f]|, )*"),
)
_COMPILED = tuple((look, re.compile(pattern)) for look, pattern in _PATTERNS)


@lru_cache(maxsize=8192)
def look_of(text: str) -> Look:
    """The first look that fits the whole text."""
    shown = text[:200]
    return next((look for look, pattern in _COMPILED if pattern.fullmatch(shown)), Look.OTHER)
