"""Texts that Spark reads by the clock: words such as `today`, and times without a day."""

from __future__ import annotations

import re

from sqlglot import exp

from trailbook.algebra.datatypes import DATE, TIMESTAMP, TIMESTAMP_NTZ
from trailbook.algebra.expressions import FALSE, TRUE, Expr, call, names_in, text

WORDS = r"(?i)^\s*(now|today|tomorrow|yesterday)"
WORDS_AND_TIMES = r"(?i)^\s*now|^[^-t:]*[t:]"
"""Where there is a day, a `-` comes first."""

READERS = {
    "to_date": DATE,
    "try_to_date": DATE,
    "to_timestamp": TIMESTAMP,
    "to_timestamp_ltz": TIMESTAMP,
    "try_to_timestamp": TIMESTAMP,
    "to_timestamp_ntz": TIMESTAMP_NTZ,
}
"""Functions that, without a pattern, read a text as a cast to this type does."""


def by_the_clock(value: Expr, target: str) -> Expr:
    """Whether the text, as a value of this type, is another moment each day; never NULL."""
    # Spark knows the words in constants alone, and a time without a day as a timestamp alone.
    if target not in (DATE, TIMESTAMP, TIMESTAMP_NTZ) or (target != TIMESTAMP and names_in(value)):
        return FALSE
    pattern = WORDS_AND_TIMES if target == TIMESTAMP else WORDS
    if isinstance(value, exp.Literal):
        return TRUE if re.search(pattern, value.name) else FALSE
    written = exp.Cast(this=value, to=exp.DataType.build("string"))
    return call("coalesce", exp.RegexpLike(this=written, expression=text(pattern)), FALSE)
