"""Whether the first row holds the names of the columns, and what they are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from trailbook.sources.delimited.kinds import Look, look_of
from trailbook.sources.formats.names import unique_names

_TYPED = frozenset({Look.NUMBER, Look.TIME, Look.ADDRESS})
Row = Sequence[str | None]


@dataclass(frozen=True)
class HeaderGuess:
    is_header: bool
    why: str


def guess_header(first: Row, rest: Sequence[Row]) -> HeaderGuess:
    """Names are words above values of another kind; if all is words, they are at least no values themselves."""
    filled = [name for name in first if name and name.strip()]
    if not filled:
        return HeaderGuess(False, "the first row is empty")
    values = [number for number, name in enumerate(first) if look_of(name or "") in (Look.NUMBER, Look.TIME)]
    if values:
        if len(values) < len(first) and all(_is_year_above(number, first, rest) for number in values):
            return HeaderGuess(True, "it holds words and years, and the years are above other values")
        return HeaderGuess(False, "the first row holds numbers or dates")
    if differing := _differing(first, rest):
        return HeaderGuess(True, f"in {differing} of {len(first)} columns it holds words above values of another kind")
    return _among_words(first, filled, rest)


def _differing(first: Row, rest: Sequence[Row]) -> int:
    """In how many columns most values are typed, and the first is not."""
    count = 0
    for number, name in enumerate(first):
        looks = Counter(look_of(row[number] or "") for row in rest if number < len(row))
        typed = sum(looks[look] for look in _TYPED)
        is_name = name is not None and look_of(name) in (Look.WORDS, Look.OTHER)
        count += is_name and typed * 2 > sum(looks.values()) - looks[Look.EMPTY] > 0
    return count


def _is_year_above(number: int, first: Row, rest: Sequence[Row]) -> bool:
    below = [row[number] for row in rest if number < len(row)]
    return bool(below) and _is_year(first[number]) and not any(_is_year(value) for value in below)


def _is_year(text: str | None) -> bool:
    return text is not None and len(text) == 4 and text.isdecimal() and text[:2] in ("18", "19", "20", "21")


def _among_words(first: Row, filled: Sequence[str], rest: Sequence[Row]) -> HeaderGuess:
    if len(first) == 1:
        return HeaderGuess(False, "in one column of words a name can't be told from a value")
    if len(filled) < len(first) or len(set(filled)) < len(filled):
        return HeaderGuess(False, "its values are not all different and filled, as names would be")
    values = {value for row in rest for value in row if value}
    if repeated := next((name for name in filled if name in values), None):
        return HeaderGuess(False, f"{repeated!r} is a value further down, too")
    lengths = sorted(len(value) for value in values)
    if lengths and max(map(len, filled)) > max(40, 2 * lengths[-1]):
        return HeaderGuess(False, "its values are too long for names")
    if all(_is_identifier(name) for name in filled) and len(rest) > 1:
        return HeaderGuess(True, "its values read like names, and don't occur further down")
    return HeaderGuess(False, "its values look like those of other rows")


def _is_identifier(name: str) -> bool:
    return name.strip().replace("_", "a").replace(" ", "a").replace("-", "a").isalnum() and not name[0].isdigit()


def clean_names(written: Row, columns: int) -> tuple[str, ...]:
    """A name for each column, whether the header has one for it or not."""
    return tuple(unique_names((written[number] if number < len(written) else None) or "" for number in range(columns)))
