"""Texts that often stand for a value that is missing."""

from __future__ import annotations

CODES = frozenset({".", "..", "-", "--", "?", "n/a", "na", "n.a.", "#n/a", "nan", "null", "none", "nil"})
"""In lower case. Each is used where the column's type has no other way to read it."""

NUMBER_CODES = frozenset(
    {"-1", "-9", "-99", "-999", "-9999", "-99999", "-888", "-8888", "99", "999", "9999", "99999", "999999"}
)
"""Proposed where they stand out among the other numbers of the column."""
