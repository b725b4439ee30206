"""What people call things."""

from __future__ import annotations

from unicodedata import category

LONGEST_NAME = 200

# Controls, halves of surrogate pairs, separators of lines, and what is invisible; but some scripts need joiners.
_INVISIBLE = frozenset({"Cc", "Cf", "Cn", "Cs", "Zl", "Zp"})
_JOINERS = "\u200c\u200d"


def is_visible(text: str) -> bool:
    """Whether it is one line, of which nothing is hidden from the eye."""
    return not any(category(c) in _INVISIBLE and c not in _JOINERS for c in text)
