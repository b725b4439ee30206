"""Where the records of a block start, found with arrays: only where quotes are not well-formed is it parsed."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from trailbook.sources.delimited.dialect import Layout
from trailbook.sources.delimited.fields import marks_of
from trailbook.sources.delimited.problems import REPLACEMENT
from trailbook.sources.delimited.quotes import CR, LF, Bytes, Flags, Places, Quotes, escapes_in, line_ends
from trailbook.sources.delimited.records import Parser, Record

_PIECE = 64 * 1024


@dataclass(frozen=True)
class Structure:
    """The records of a block: where they start, on which line of the file, and which ones only the parser can read.

    `parsed` are those of them that it has read already.
    """

    starts: Places
    lines: Places
    is_odd: Flags
    parsed: list[Record]


def structure_of(data: bytes, layout: Layout, line: int, offset: int) -> Structure:
    """The structure of data that starts with a record, at the given line and byte of its file."""
    marks = marks_of(layout.dialect)
    array = np.frombuffer(data, np.uint8)
    ends = line_ends(array)
    escapes = escapes_in(array, marks)
    parsed: list[Record] = []
    starts = np.concatenate((np.zeros(1, np.int64), ends))
    lines = np.arange(line, line + len(starts))
    if marks.quote and marks.quote in data:
        starts = _apart(Quotes(array, ends, escapes, marks), ends, Parser(data, layout, offset), line, parsed)
        lines = line + ends.searchsorted(starts, "right")
    size = starts.searchsorted(len(data))
    starts, lines = starts[:size], lines[:size]
    is_odd = _look_alikes(array, starts, marks.comment)
    for places in ([record.start for record in parsed], escapes.stray, list(_foreign(data, starts, layout, offset))):
        is_odd[starts.searchsorted(places, "right") - 1] = True
    return Structure(starts, lines, is_odd, parsed)


def _apart(quotes: Quotes, ends: Places, parser: Parser, line: int, parsed: list[Record]) -> Places:
    """The starts of all records. The ones whose quotes are not well-formed are parsed to know where they end."""
    starts: list[Places] = []
    at, is_wrong = 0, True
    while is_wrong:
        stretch, is_wrong = quotes.stretch(at)
        starts += (np.array([at]), stretch)
        if is_wrong:
            start = int(stretch[-1]) if len(stretch) else at
            record = parser.record(start, line + int(ends.searchsorted(start, "right")))
            parsed.append(record)
            at = record.end
    return np.concatenate(starts)


def _look_alikes(array: Bytes, starts: Places, comment: bytes) -> Flags:
    """Blank lines and comments, which look like rows."""
    first = array[starts]
    is_odd: Flags = (first == LF) | (first == CR)
    return is_odd | (first == comment[0]) if comment else is_odd


def _foreign(data: bytes, starts: Places, layout: Layout, offset: int) -> Iterator[int]:
    """Places in records that are no plain rows: the names, NUL, and what is not of the encoding."""
    if layout.header_at is not None and 0 <= layout.header_at - offset < len(data):
        yield layout.header_at - offset
    if b"\0" in data:
        yield from (match.start() for match in re.finditer(rb"\0", data))
    if data.isascii():
        return
    if layout.dialect.encoding == "utf-8":
        # A byte-order mark would be skipped if what is read fast happens to start with it.
        yield from (match.start() for match in re.finditer(codecs.BOM_UTF8 + b"|" + REPLACEMENT, data))
    yield from _undecodable(data, starts, layout.dialect.encoding)


def _undecodable(data: bytes, starts: Places, encoding: str) -> Iterator[int]:
    """One place in each record that can't be decoded."""
    decode = codecs.lookup(encoding).decode
    view = memoryview(data)
    at = 0
    while at < len(data):
        end = _start_from(starts, at + _PIECE, len(data))
        try:
            decode(view[at:end])
            at = end
        except UnicodeDecodeError as error:
            yield at + error.start
            at = _start_from(starts, at + error.start + 1, len(data))


def _start_from(starts: Places, place: int, size: int) -> int:
    number = starts.searchsorted(place)
    return int(starts[number]) if number < len(starts) else size
