"""Texts that Spark reads by the clock: words such as `today`, and times without a day."""

from __future__ import annotations

import re

from sqlglot import exp

from trailbook.algebra.expressions import Expr

WORDS = r"(?i)^\s*(now|today|tomorrow|yesterday)(?![a-z])"
WORDS_AND_TIMES = r"(?i)^\s*now|^[^-t:]*[t:]"
"""Where there is a day, a `-` comes first."""


def is_word_of_the_clock(expr: Expr) -> bool:
    """Whether this is a constant such as 'today', which is a moment wherever Spark makes a date or timestamp of it."""
    return isinstance(expr, exp.Literal) and expr.is_string and re.search(WORDS, expr.name) is not None
