"""Where a large file is cut, so that its parts can be read side by side."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import pairwise
from pathlib import Path
from typing import BinaryIO

from trailbook.sources.delimited.dialect import Dialect
from trailbook.sources.delimited.fields import marks_of
from trailbook.sources.delimited.scan import Scan, Turn, empty_scan, joined, scan_piece

RANGE_BYTES = 32 * 1024 * 1024
"""Always the same, so that the parts of a dataset don't depend on the machine."""
MOST_RECORD = 1024 * 1024 * 1024
"""A quote that nothing closes in so many bytes opens nothing."""
_PIECE = 1024 * 1024
_WINDOW = 4096
_FIRST = len(codecs.BOM_UTF8) + 2
"""No cut is so near to the start that a byte-order mark could be before it."""


@dataclass(frozen=True)
class Range:
    """Whole records: bytes `start` to `end` of a file, the first of which is on that line."""

    start: int
    end: int
    line: int


def bounds(size: int, range_bytes: int = RANGE_BYTES) -> list[tuple[int, int]]:
    """The stretches to scan of a file of that size."""
    return list(pairwise([*range(0, size, range_bytes), size]))


def scan_range(path: Path, start: int, end: int, dialect: Dialect, piece: int = _PIECE) -> Scan:
    """What is to be known of a stretch to cut the file near its start."""
    with path.open("rb") as file:
        size = file.seek(0, 2)
        edges = [_settled(file, place, size, dialect) for place in (*range(start, end, piece), end)]
        pieces = (_piece(file, *edge, dialect) for edge in pairwise(edges) if edge[0] < edge[1])
        return reduce(joined, pieces, empty_scan(edges[0]))


def cut(scans: Sequence[Scan], columns: int) -> list[Range]:
    """Ranges of whole records: all bytes of the file but a byte-order mark, and blank lines at its end.

    In a file of one column, blank lines are values.
    """
    if not scans:
        return []
    contents = [scan.content_end for scan in scans if scan.content_end is not None]
    end = scans[-1].end if columns == 1 else max(contents, default=0)
    starts = [found for found in _record_starts(scans) if found[0] < end]
    ends = [*(start for start, _ in starts[1:]), end]
    return [Range(start, to, line) for (start, line), to in zip(starts, ends, strict=True)]


def _record_starts(scans: Sequence[Scan]) -> Iterator[tuple[int, int]]:
    """The first record of each stretch that has one, and its line."""
    is_inside, line, last = False, 1, 0
    for scan, turn in zip(scans, _turns_from(scans), strict=True):
        # Nothing closes the quote that was taken for an opening one.
        if turn in (None, Turn.OPENS) or scan.start - last > MOST_RECORD:
            is_inside = False
        entry = scan.entry(is_inside)
        if entry.record_start is not None:
            last = entry.record_start
            yield last, line + entry.lines
        line += scan.lines
        is_inside = entry.ends_inside


def _turns_from(scans: Sequence[Scan]) -> list[Turn | None]:
    """For each stretch the first turn in it or after it."""
    turns: list[Turn | None] = []
    turn: Turn | None = None
    for scan in reversed(scans):
        turn = scan.first_turn or turn
        turns.append(turn)
    return turns[::-1]


def _piece(file: BinaryIO, start: int, end: int, dialect: Dialect) -> Scan:
    first = max(0, start - 1)
    file.seek(first)
    return scan_piece(file.read(end - first), start, dialect)


def _settled(file: BinaryIO, place: int, size: int, dialect: Dialect) -> int:
    """The first place from there on that no quote, escape or carriage return is before: those belong together."""
    marks = marks_of(dialect)
    free = re.compile(rb"[^\r" + re.escape(marks.quote + marks.escape) + rb"]{2}", re.DOTALL)
    while 0 < place < size:
        place = max(place, _FIRST)
        file.seek(place - 2)
        window = file.read(_WINDOW)
        if match := free.search(window):
            return place - 2 + match.end()
        place += len(window) - 1
    return min(place, size)
