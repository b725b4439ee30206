"""Looks at a stretch of a file without knowing whether it begins inside quotes: both cases are told."""

from __future__ import annotations

import codecs
from dataclasses import dataclass, replace
from enum import Enum

import numpy as np

from trailbook.sources.delimited.dialect import IN_PLACE, Dialect
from trailbook.sources.delimited.fields import Marks, marks_of
from trailbook.sources.delimited.quotes import Bytes, Flags, Places, among, escapes_in, line_ends


class Turn(Enum):
    """What a quote does, as far as its neighbours tell: one that could neither open nor close a value does nothing."""

    OPENS = "opens"
    CLOSES = "closes"
    EITHER = "either"


@dataclass(frozen=True)
class Entry:
    """A stretch that begins inside quotes, or outside: where its first record starts (None: in a later stretch), how
    many lines end before that, and whether it ends inside quotes."""

    record_start: int | None
    lines: int
    ends_inside: bool


@dataclass(frozen=True)
class Scan:
    """Bytes `start` to `end` of a file. `content_end` is where line ends at its end begin, None if it is no more."""

    start: int
    end: int
    lines: int
    first_turn: Turn | None
    outside: Entry
    inside: Entry
    content_end: int | None

    def entry(self, is_inside: bool) -> Entry:
        return self.inside if is_inside else self.outside


def empty_scan(place: int) -> Scan:
    return Scan(place, place, 0, None, Entry(None, 0, False), Entry(None, 0, True), None)


def joined(first: Scan, then: Scan) -> Scan:
    """Two stretches, the second of which begins where the first ends, as one."""
    return Scan(
        first.start,
        then.end,
        first.lines + then.lines,
        first.first_turn or then.first_turn,
        _joined(first, first.outside, then),
        _joined(first, first.inside, then),
        first.content_end if then.content_end is None else then.content_end,
    )


def _joined(first: Scan, entry: Entry, then: Scan) -> Entry:
    following = then.entry(entry.ends_inside)
    if entry.record_start is not None:
        return replace(entry, ends_inside=following.ends_inside)
    return replace(following, lines=first.lines + following.lines)


def scan_piece(data: bytes, start: int, dialect: Dialect) -> Scan:
    """The scan of data at that place of its file, of which the first byte is the one before (unless it is the first).

    Neither edge may be next to a quote, an escape or a carriage return.
    """
    base = max(0, start - 1)
    if not start and dialect.encoding == IN_PLACE and data.startswith(codecs.BOM_UTF8):
        base = len(codecs.BOM_UTF8)
        data = data[base:]
    array = np.frombuffer(data, np.uint8)
    ends = base + line_ends(array)
    first = np.array([] if start else [base], np.int64)
    record_starts = np.concatenate((first, ends[: ends.searchsorted(base + len(data))]))
    ends = ends[ends.searchsorted(start, "right") :]
    turns = _Turns(array, base, marks_of(dialect))
    content_end = base + len(data.rstrip(b"\r\n"))
    return Scan(
        start,
        base + len(data),
        len(ends),
        turns.first,
        turns.entry(record_starts, ends, is_inside=False),
        turns.entry(record_starts, ends, is_inside=True),
        content_end if content_end > max(base, start) else None,
    )


def last_record_end(data: bytes, dialect: Dialect) -> int:
    """Where the last record ends that is whole, in data that starts with one. 0: none is."""
    array = np.frombuffer(data, np.uint8)
    ends = line_ends(array)
    if not len(ends):
        return 0
    outside = _Turns(array, 0, marks_of(dialect)).outside(ends)
    # A quote that stays open for so long was probably none.
    is_likely = len(outside) and outside[-1] > len(data) // 2
    return int(outside[-1] if is_likely else ends[-1])


class _Turns:
    """The quotes of a stretch that may open or close a value."""

    def __init__(self, data: Bytes, base: int, marks: Marks) -> None:
        places, opens, closes = _odd_runs(data, marks)
        counts = opens | closes
        self._places, opens, closes = base + places[counts], opens[counts], closes[counts]
        numbers = np.arange(len(opens))
        # One that only opens or only closes settles what is so after it; one that could do either turns it round.
        self._settled = np.maximum.accumulate(np.where(opens & closes, -1, numbers))
        turned = np.cumsum(opens & closes)
        since: Places = turned - np.where(self._settled >= 0, turned[self._settled], 0)
        self._is_turned = since % 2 == 1
        self._is_opened = opens[self._settled]
        self.first = None
        if len(opens):
            self.first = Turn.EITHER if opens[0] and closes[0] else Turn.OPENS if opens[0] else Turn.CLOSES

    def entry(self, record_starts: Places, ends: Places, *, is_inside: bool) -> Entry:
        """The first of these places that a record starts at, if the stretch begins inside quotes or outside."""
        outside = self.outside(record_starts, is_inside=is_inside)
        first = int(outside[0]) if len(outside) else None
        lines = 0 if first is None else int(ends.searchsorted(first, "right"))
        return Entry(first, lines, bool(self._states(is_inside)[-1]))

    def outside(self, places: Places, *, is_inside: bool = False) -> Places:
        """Those of the places that are outside quotes, if the stretch begins inside or not."""
        return places[~self._states(is_inside)[self._places.searchsorted(places)]]

    def _states(self, is_inside: bool) -> Flags:
        """Whether it is inside quotes, before the first turn and after each."""
        after = np.where(self._settled >= 0, self._is_opened, is_inside) ^ self._is_turned
        return np.concatenate(([is_inside], after))


def _odd_runs(data: Bytes, marks: Marks) -> tuple[Places, Flags, Flags]:
    """Quotes in a row, if their number is odd: where they start, whether they could open a value and close one."""
    places = np.flatnonzero(data == marks.quote[0]) if marks.quote else np.empty(0, np.int64)
    escapes = escapes_in(data, marks)
    if escapes.is_escaped is not None:
        places = places[~escapes.is_escaped[places]]
    is_first = np.diff(places, prepend=-2) != 1
    numbers = np.flatnonzero(is_first)
    lengths = np.diff(numbers, append=len(places))
    is_odd = lengths % 2 == 1
    first, last = places[numbers][is_odd], (places[numbers] + lengths - 1)[is_odd]
    bounds = marks.delimiter + b"\r\n"
    opens = (first == 0) | among(data[first - 1], bounds)
    if escapes.is_escaped is not None:
        opens &= (first == 0) | ~escapes.is_escaped[first - 1]
    closes = (last == len(data) - 1) | among(data[np.minimum(last + 1, len(data) - 1)], bounds)
    return first, opens, closes
