"""What is said of a name that nobody knows."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

MOST_NAMES = 20


def no_such(kind: str, name: str, known: Iterable[str]) -> str:
    """There is no such column or dataset; these there are."""
    names = sorted(set(known), key=str.lower)
    alike = get_close_matches(name.lower(), [n.lower() for n in names], n=1)
    guess = next((f" Did you mean {n}?" for n in names if alike and n.lower() == alike[0]), "")
    shown = [*names[:MOST_NAMES], *(["…"] if len(names) > MOST_NAMES else [])]
    return f"There is no {kind} {name} here.{guess} Known: {', '.join(shown) or 'none'}."
