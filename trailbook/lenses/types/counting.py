"""Counting votes, by whole arrays where their values are alike and text by text where they are not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import cache

import pyarrow as pa
import pyarrow.compute as pc

from trailbook.lenses.types.ballots import all_shapes, ballot_of
from trailbook.lenses.types.codes import NUMBER_CODES
from trailbook.lenses.types.extents import Numbers, plain_numbers
from trailbook.lenses.types.formats import (
    AMOUNTS,
    AROUND,
    COMMA,
    CURRENCIES,
    FORMATS,
    GROUPED,
    ISO_DATE,
    ISO_TIMESTAMP,
    PAIRS,
    PLAIN,
    SPACED,
    SPACED_COMMA,
    Kind,
)
from trailbook.lenses.types.votes import CODE, MOST_SAMPLES, TEXT, Ballot, Extent, Votes, few

SIMPLE_NUMBER = "^-?(?:0|[1-9][0-9]*)(?:[.][0-9]+)?$"
SHORTEST_TIMESTAMP = len("2026-03-31 10:00")
LONGEST_SAMPLE = 200
"""Characters of a text that are kept to be shown."""
FEW = 1000
"""Values that are looked at sooner than a pattern of all formats is compiled."""
FIRST = 100
"""Values that tell whether it is worth a try to count all of them as an array."""

Way = Callable[[pa.StringArray], Votes | None]

_BITS = ("0", "1")
_WATCHED = frozenset({*NUMBER_CODES, *_BITS, *(word for pair in PAIRS for word in pair)})
_WATCHED_TEXTS = pa.array(sorted(_WATCHED))


def counted(column: pa.Array | pa.ChunkedArray) -> Votes:
    """The votes of a column of texts; quickest for a hundred thousand of them at a time, or more."""
    votes = Votes()
    whole = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    # Texts of more than two gigabytes are no single array.
    for chunk in whole.chunks if isinstance(whole, pa.ChunkedArray) else [whole]:
        votes |= replace(_counted(chunk.drop_null().cast(pa.string())), nulls=chunk.null_count)
    return votes


def _counted(texts: pa.StringArray) -> Votes:
    if not len(texts):
        return Votes()
    for _, way in _WAYS:
        if way(texts[:FIRST]) and (votes := way(texts)):
            return votes
    if len(texts) <= FEW:
        return _one_by_one(texts)
    votes, rest = Votes(), texts
    for shape, way in _WAYS:
        if pc.any(pc.match_substring_regex(texts[:FIRST], shape)).as_py():
            fits = pc.match_substring_regex(rest, shape)
            if found := way(rest.filter(fits)) if pc.any(fits).as_py() else None:
                votes, rest = votes | found, rest.filter(pc.invert(fits))
    could_be = pc.match_substring_regex(rest, _any_shape())
    return votes | _mere_texts(rest.filter(pc.invert(could_be))) | _one_by_one(rest.filter(could_be))


def _mere_texts(texts: pa.StringArray) -> Votes:
    if not len(texts):
        return Votes()
    shown = few(text[:LONGEST_SAMPLE] for text in texts[:MOST_SAMPLES].to_pylist())
    return Votes(counts={(TEXT,): len(texts)}, samples={(TEXT,): shown})


def _numbers(texts: pa.StringArray) -> Votes | None:
    """If all are numbers without anything special about them."""
    if not _are_whole(texts) and not pc.all(pc.match_substring_regex(texts, SIMPLE_NUMBER)).as_py():
        return None
    numbers = Numbers(texts)
    watched = _tally(texts.filter(pc.is_in(texts, value_set=_WATCHED_TEXTS)))
    return Votes(
        counts=_ballots_of_numbers(numbers, sum(watched[bit] for bit in _BITS)),
        extents=_extents(numbers),
        watched=watched,
    )


def _extents(numbers: Numbers) -> dict[str, Extent]:
    """By all the formats that can be read so; to those with a comma, a point sets off thousands."""
    all_of_them = numbers.extent()
    extents = dict.fromkeys((PLAIN, GROUPED, SPACED), all_of_them)
    if not all_of_them.most_places:
        return {**extents, COMMA: all_of_them, SPACED_COMMA: all_of_them}
    if len(whole := numbers.texts.filter(pc.invert(numbers.have_point))):
        extents |= dict.fromkeys((COMMA, SPACED_COMMA), Numbers(whole).extent())
    if len(grouped := numbers.texts.filter(numbers.are_grouped)):
        plain = Numbers(pc.replace_substring(grouped, ".", ""))
        extents[COMMA] = extents.get(COMMA, Extent()) | plain.extent()
    return extents


def _are_whole(texts: pa.StringArray) -> bool:
    """Without zeros in front, or a way of writing that only Arrow reads."""
    zeros = pc.and_(pc.starts_with(texts, "0"), pc.greater(pc.binary_length(texts), 1))
    if pc.any(zeros).as_py() or pc.any(pc.starts_with(texts, "-0")).as_py():
        return False
    try:
        texts.cast(pa.int64())
    except pa.ArrowInvalid:
        return False
    return True


def _ballots_of_numbers(numbers: Numbers, bits: int) -> Counter[Ballot]:
    """As `ballot_of` would say of each."""
    small, has_point, grouped = numbers.are_small, numbers.have_point, numbers.are_grouped
    small_with_point = pc.and_(small, has_point)
    # Each by a number that is as good as all of its like.
    counts = {
        "1": bits,
        "5": _how_many(pc.and_not(small, has_point)) - bits,
        "5000": _how_many(pc.invert(pc.or_(small, has_point))),
        "5.555": _how_many(grouped),
        "5.5": _how_many(pc.and_not(small_with_point, grouped)),
        "5000.5": _how_many(pc.and_not(has_point, small)),
    }
    return Counter({ballot_of(text): number for text, number in counts.items() if number})


def _how_many(fits: pa.BooleanArray) -> int:
    return int(pc.sum(fits).as_py() or 0)


def _moments(name: str, kind: pa.DataType, shortest: int) -> Way:
    def way(texts: pa.StringArray) -> Votes | None:
        """If all are written so."""
        if pc.min(pc.binary_length(texts)).as_py() < shortest or pc.any(pc.starts_with(texts, "0000")).as_py():
            return None
        try:
            texts.cast(kind)
        except pa.ArrowInvalid:
            return None
        return Votes(counts={(name,): len(texts)})

    return way


_WAYS: tuple[tuple[str, Way], ...] = (
    (SIMPLE_NUMBER, _numbers),
    (FORMATS[ISO_DATE].whole_text, _moments(ISO_DATE, pa.date32(), 0)),
    (FORMATS[ISO_TIMESTAMP].whole_text, _moments(ISO_TIMESTAMP, pa.timestamp("us"), SHORTEST_TIMESTAMP)),
)
"""What can be counted as an array, also out of a column that holds other things as well."""


def _one_by_one(texts: pa.StringArray) -> Votes:
    """Each different text once."""
    tally = _tally(texts)
    found: dict[Ballot, list[str]] = {}
    for text in tally:
        found.setdefault(ballot_of(text), []).append(text)
    extents: dict[str, Extent] = {}
    for ballot, written in found.items():
        for name in _number_formats(ballot):
            extents[name] = extents.get(name, Extent()) | plain_numbers(written, FORMATS[name]).extent()
    return Votes(
        counts={ballot: sum(tally[text] for text in written) for ballot, written in found.items()},
        extents=extents,
        watched=_watched(tally, found.get((CODE,), ())) + _currencies(tally, found),
        samples={ballot: few(text[:LONGEST_SAMPLE] for text in written) for ballot, written in found.items()},
    )


def _watched(tally: Counter[str], codes: Iterable[str]) -> Counter[str]:
    watched: Counter[str] = Counter()
    for text in codes:
        watched[text.strip(AROUND).lower()] += tally[text]
    for text, number in tally.items():
        if (bare := text.strip(AROUND).lower()) in _WATCHED:
            watched[bare] += number
    return watched


def _currencies(tally: Counter[str], found: Mapping[Ballot, Iterable[str]]) -> Counter[str]:
    currencies: Counter[str] = Counter()
    for ballot, written in found.items():
        if not AMOUNTS.isdisjoint(ballot):
            for text in written:
                currencies[next(mark for mark in CURRENCIES if mark in text)] += tally[text]
    return currencies


def _number_formats(ballot: Ballot) -> list[str]:
    return [name for name in ballot if name in FORMATS and FORMATS[name].kind is Kind.NUMBER]


def _tally(texts: pa.StringArray) -> Counter[str]:
    pairs = pc.value_counts(texts)
    return Counter(dict(zip(pairs.field(0).to_pylist(), pairs.field(1).to_pylist(), strict=True)))


@cache
def _any_shape() -> str:
    return all_shapes()
