"""Which kind of values a column holds, and in which formats they are written."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from trailbook.lenses.types.decision import Guard
from trailbook.lenses.types.formats import (
    BITS,
    COMMA,
    EXPONENT,
    FORMATS,
    GROUPED,
    ISO_DATE,
    ISO_TIMESTAMP,
    ISO_ZONED,
    LENGTHS,
    PAIRS,
    PLAIN,
    SPACED,
    SPACED_COMMA,
    WORDS,
    ZEROS,
    Kind,
)
from trailbook.lenses.types.votes import TEXT, Ballot, Extent, Votes

ENOUGH = 0.9
"""The share of values that must fit a type. With more exceptions than one in ten, the text says more than NULLs."""
FEW_ZEROS = 0.01
"""The share of numbers that may begin with zeros. More of them are labels such as postcodes: no digit is to spare."""
SHORTEST_PHONE = 7
"""Digits: numbers in groups, of this length or more and all of the same, are dialled and not added."""

_OF = {kind: [name for name, format in FORMATS.items() if format.kind is kind] for kind in Kind}
_USUAL = {
    **_OF,
    Kind.BOOLEAN: [WORDS],
    Kind.NUMBER: [name for name in _OF[Kind.NUMBER] if name not in (EXPONENT, ZEROS)],
}
"""What may be the usual way to write values of a kind."""
_READABLE = {
    **_OF,
    Kind.DATE: [*_OF[Kind.DATE], *_OF[Kind.TIMESTAMP]],
    Kind.TIMESTAMP: [*_OF[Kind.TIMESTAMP], *_OF[Kind.DATE]],
}
"""What can be read as a value of a kind at all."""
_WITH_POINTS = frozenset({PLAIN, GROUPED, SPACED})
"""Formats in which decimals come after a point."""
_READ_BY_CASTS = {
    Kind.BOOLEAN: {BITS},
    Kind.NUMBER: {ZEROS},
    Kind.DATE: {PLAIN, ZEROS, ISO_TIMESTAMP, ISO_ZONED},
    Kind.TIMESTAMP: {PLAIN, ZEROS, ISO_DATE, ISO_TIMESTAMP, ISO_ZONED},
}
"""The formats that a cast makes a value of, besides the usual one."""


def elected(votes: Votes) -> Kind | None:
    """The kind that enough values are of, or none."""
    needed = ENOUGH * votes.telling
    if not needed:
        return None
    if number_of(votes.counts, WORDS) >= needed:
        return Kind.BOOLEAN if any(all(word in votes.watched for word in pair) for pair in PAIRS) else None
    numbers = _fitting(votes, _OF[Kind.NUMBER])
    if numbers >= needed:
        are_labels = number_of(votes.counts, ZEROS) > FEW_ZEROS * numbers or _are_phones(votes)
        return None if are_labels else Kind.NUMBER
    if _fitting(votes, _OF[Kind.DATE]) >= needed:
        return Kind.DATE
    return Kind.TIMESTAMP if _fitting(votes, _READABLE[Kind.TIMESTAMP]) >= needed else None


def formats_for(votes: Votes, kind: Kind, given: tuple[str, ...] = ()) -> tuple[str, ...]:
    """The usual format, then those that read most of what is left, again and again."""
    chosen = list(given) or [max(_candidates(votes, kind), key=lambda name: number_of(votes.counts, name))]
    while True:
        read = {*chosen, *companions(chosen[0])}
        left = {ballot: number for ballot, number in votes.counts.items() if read.isdisjoint(ballot)}
        best = max(_READABLE[kind], key=lambda name: number_of(left, name))
        if not number_of(left, best):
            return tuple(chosen)
        chosen.append(best)


def _candidates(votes: Votes, kind: Kind) -> list[str]:
    """Without those for which nothing speaks but what is read alike, or more likely in another way."""

    def is_shown(name: str) -> bool:
        return any(name in ballot and _WITH_POINTS.isdisjoint(ballot) for ballot in votes.counts)

    return [name for name in _USUAL[kind] if name not in (COMMA, SPACED_COMMA) or is_shown(name)]


def companions(usual: str) -> tuple[str, ...]:
    """Formats that a cast reads together with the usual one, and that are nothing unusual beside it."""
    return (EXPONENT,) if usual == PLAIN else ()


def guard_for(votes: Votes, kind: Kind, usual: str) -> Guard:
    """What keeps texts of the column from being read that are not written in the usual way."""
    unusual = {name for ballot in votes.counts if usual not in ballot for name in ballot}
    # What no format is, a cast may read nevertheless: `2026-07`, `2026-07-01 or later`, `12d`, digits of any alphabet.
    beyond = unusual & {TEXT, *_READ_BY_CASTS[kind]}
    if not beyond:
        return Guard.NONE
    return Guard.LENGTH if all(_differ_in_length(usual, name) for name in beyond) else Guard.SHAPE


def _differ_in_length(usual: str, other: str) -> bool:
    if usual not in LENGTHS or other not in LENGTHS:
        return False
    (shortest, longest), (others_shortest, others_longest) = LENGTHS[usual], LENGTHS[other]
    return others_longest < shortest or longest < others_shortest


def number_of(counts: Mapping[Ballot, int], name: str) -> int:
    """How many values may be written in a format."""
    return sum(number for ballot, number in counts.items() if name in ballot)


def _fitting(votes: Votes, names: Iterable[str]) -> int:
    wanted = set(names)
    return sum(number for ballot, number in votes.counts.items() if not wanted.isdisjoint(ballot))


def _are_phones(votes: Votes) -> bool:
    usual = formats_for(votes, Kind.NUMBER)[0]
    extent = votes.extents.get(usual, Extent())
    if usual not in (SPACED, SPACED_COMMA) or extent.low is None or extent.high is None or extent.most_places:
        return False
    return extent.low.adjusted() == extent.high.adjusted() >= SHORTEST_PHONE - 1
