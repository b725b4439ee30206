"""What a single text speaks for."""

from __future__ import annotations

import re
from contextlib import suppress
from datetime import date
from functools import cache, lru_cache

from trailbook.lenses.types.codes import CODES
from trailbook.lenses.types.formats import AROUND, BITS, CURRENCIES, FORMATS, ISO_ZONED, ZONE, Format, Kind, whole
from trailbook.lenses.types.votes import BLANK, CODE, TEXT, Ballot

LONGEST = 64
"""Characters of texts whose looks are remembered."""

_ALIKE = str.maketrans("012345678", "9" * 9)
_BEFORE_NUMBERS = f"+-{CURRENCIES} "
_COMPILED = {name: re.compile(format.shape) for name, format in FORMATS.items() if name != BITS}
_ZONE = re.compile(f"{ZONE}$")
_MONTHS = (
    "january", "february", "march", "april", "may", "june",
    "july", "august", "september", "october", "november", "december",
)  # fmt: skip
_NUMBERS_OF_MONTHS = {name: i for i, month in enumerate(_MONTHS, 1) for name in (month, month[:3])}


def ballot_of(text: str) -> Ballot:
    """The formats that could have written the text, or what else it is."""
    bare = text.strip(AROUND)
    if not bare:
        return (BLANK,)
    if bare.lower() in CODES:
        return (CODE,)
    looks_like = _looks_like if len(bare) <= LONGEST else _looks_like.__wrapped__
    found, are_moments = looks_like(bare.translate(_ALIKE), bare.lstrip(_BEFORE_NUMBERS)[:1] == "0")
    if are_moments:
        found = tuple(name for name in found if _is_moment(FORMATS[name], bare))
    elif bare in ("0", "1"):
        found = (*found, BITS)
    return found or (TEXT,)


def all_shapes() -> str:
    """What every text looks like that is more than text."""
    codes = "|".join(map(re.escape, sorted(CODES)))
    shapes = (format.shape for format in FORMATS.values())
    return whole("|".join(("", *shapes, f"(?i:{codes})")))


@lru_cache(maxsize=1 << 14)
def _looks_like(alike: str, starts_with_zero: bool) -> tuple[tuple[str, ...], bool]:
    """The formats of all texts that differ in their digits alone; and whether some of them are dates or times."""
    text = alike.replace("9", "0", 1) if starts_with_zero else alike
    found = tuple(name for name, shape in _COMPILED.items() if shape.fullmatch(text))
    return found, any(FORMATS[name].kind in (Kind.DATE, Kind.TIMESTAMP) for name in found)


def _is_moment(format: Format, text: str) -> bool:
    """Whether a text of that shape means something: there is no 30th of February."""
    if format.kind not in (Kind.DATE, Kind.TIMESTAMP):
        return True
    if format.name == ISO_ZONED:
        text = _ZONE.sub("", text)
    parts = re.findall(r"[0-9]+|[A-Za-z]+", text.replace("T", " "))
    day = dict(zip(_order(format), parts, strict=False))
    with suppress(ValueError, KeyError):
        month = int(day["M"]) if day["M"].isdigit() else _NUMBERS_OF_MONTHS[day["M"].lower()]
        year = int(day["y"]) if len(day["y"]) == 4 else 2000 + int(day["y"])
        date(year, month, int(day["d"]))
        return _is_time(format, [int(part) for part in parts[3:6] if part.isdigit()])
    return False


@cache
def _order(format: Format) -> tuple[str, ...]:
    """In which day, month and year come."""
    return tuple(dict.fromkeys(letter for letter in (format.pattern or "y-M-d") if letter in "dMy"))


def _is_time(format: Format, numbers: list[int]) -> bool:
    """Of hours, minutes and seconds as far as there are some."""
    hours = range(1, 13) if " h:" in format.pattern else range(24)
    return all(number in allowed for number, allowed in zip(numbers, (hours, range(60), range(60)), strict=False))
