"""Texts that a spreadsheet would take for formulas.

A file from elsewhere may hold `=HYPERLINK(…)` where people expect a name. Who opens it in a spreadsheet would run it.
"""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from trailbook.sinks.texts import joined

GUARD = "'"
_BLANK = r"\x00-\x20\x{a0}"
_STARTS_FORMULA = rf"(?s)^(?:[\t\r\n]|[{_BLANK}]*[=+\-@＝＋－＠])."
"""Also behind blanks, which spreadsheets leave out."""
_FIRST_BYTES = np.array([*range(0x21), *b"=+-@", 0xC2, 0xEF], np.uint8)
"""Two that characters start with: a blank that does not break, and what is written wide."""
_IS_NUMBER = rf"^[{_BLANK}]*[+-][0-9.,]+([eE][+-]?[0-9]+)?%?$"


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


def guarded(texts: pa.Array) -> tuple[pa.Array, int]:
    """The texts, those that start like a formula behind an apostrophe, and how many those are."""
    found = are_formulas(texts)
    count = found.true_count
    return (pc.if_else(found, joined(GUARD, texts), texts) if count else texts), count
