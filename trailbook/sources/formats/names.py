"""Names of columns: as they are written, but unique and never empty."""

from __future__ import annotations

import re
from collections.abc import Iterable

_HALVES = re.compile("[\ud800-\udfff]")


def unique_names(written: Iterable[str]) -> list[str]:
    """Spark does not tell capitals from small letters, so `a` and `A` would be one name."""
    names = [_clean(name) or f"column_{number}" for number, name in enumerate(written, 1)]
    # A name that somebody wrote stays; those made up go around it.
    taken = {name.lower() for name in names}
    seen: set[str] = set()
    return [_apart(name, seen, taken) for name in names]


def whole_characters(text: str) -> str:
    """Without halves of characters (surrogates), which JSON can write and UTF-8 can't."""
    return text if text.isascii() else _HALVES.sub("�", text)


def _clean(name: str) -> str:
    return whole_characters(name).replace("\0", "�") if name.strip() else ""


def _apart(name: str, seen: set[str], taken: set[str]) -> str:
    unique, number = name, 2
    while unique.lower() in seen or (unique != name and unique.lower() in taken):
        unique, number = f"{name}_{number}", number + 1
    seen.add(unique.lower())
    return unique
