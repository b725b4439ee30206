"""Texts that a spreadsheet would take for formulas.

A file from elsewhere may hold `=HYPERLINK(…)` where people expect a name. Who opens it in a spreadsheet would run it.
"""

from __future__ import annotations

import re

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from trailbook.sinks.texts import joined

GUARD = "'"
_STARTS_FORMULA = r"(?s)^[=+\-@\t\r\n＝＋－＠]."
_FIRST_BYTES = np.frombuffer("=+-@\t\r\n＝".encode(), np.uint8)[:8]
"""What is written wide has a first byte in common."""
_IS_NUMBER = r"^[+-][0-9.,]+([eE][+-]?[0-9]+)?%?$"


def are_formulas(texts: pa.Array) -> pa.Array:
    """Which of the texts start like a formula and are no number, such as -12.5; false for NULL."""
    if not _may_be_formulas(texts):
        return pa.repeat(pa.scalar(False), len(texts))
    starts = pc.match_substring_regex(texts, _STARTS_FORMULA)
    return pc.fill_null(pc.and_not(starts, pc.match_substring_regex(texts, _IS_NUMBER)), False)


def _may_be_formulas(texts: pa.Array) -> bool:
    """Whether one starts with a byte that formulas start with, which is known much sooner."""
    _, offsets, content = texts.buffers()
    if not content or not content.size:
        return False
    starts = np.frombuffer(offsets, np.int64)[texts.offset : texts.offset + len(texts)]
    first = np.frombuffer(content, np.uint8)[starts[starts < content.size]]
    return bool(np.isin(first, _FIRST_BYTES).any())


def is_formula(text: str) -> bool:
    return bool(re.match(_STARTS_FORMULA, text)) and not re.match(_IS_NUMBER, text)


def guarded(texts: pa.Array) -> tuple[pa.Array, int]:
    """The texts, those that start like a formula behind an apostrophe, and how many those are."""
    found = are_formulas(texts)
    count = found.true_count
    return (pc.if_else(found, joined(GUARD, texts), texts) if count else texts), count


def guarded_name(name: str) -> str:
    return GUARD + name if is_formula(name) else name
