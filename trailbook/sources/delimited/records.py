"""What a text table means, record by record: nothing is refused, and all that is not well-formed is told."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from trailbook.sources.delimited.dialect import Layout
from trailbook.sources.delimited.fields import Split, end_of_line, marks_of, split
from trailbook.sources.delimited.problems import foreign, miscounted, told

_LINE_END = re.compile(rb"\r\n?|\n")


class Kind(Enum):
    ROW = "row"
    LEFT_OUT = "left out"
    NAMES = "names"
    """The line with the names of the columns, if somebody said that it is one."""


@dataclass(frozen=True, slots=True)
class Record:
    """Bytes `start` to `end` of the data, with the line end. There is a field for each column."""

    start: int
    end: int
    line: int
    fields: tuple[str | None, ...]
    kind: Kind = Kind.ROW
    problem: str | None = None


def records(data: bytes, layout: Layout, line: int = 1, offset: int = 0) -> Iterator[Record]:
    """All records of data that starts with one, at the given line and byte of its file."""
    parser = Parser(data, layout, offset)
    at = 0
    while at < len(data):
        record = parser.record(at, line)
        yield record
        line += len(_LINE_END.findall(data, at, record.end))
        at = record.end


def content_end(data: bytes, columns: int) -> int:
    """Where blank lines begin that end the file. In a file of one column they are values like any other."""
    return len(data) if columns == 1 else len(data.rstrip(b"\r\n"))


def after_line_end(data: bytes, at: int) -> int:
    """The byte after the line end that is there, if one is."""
    ending = _LINE_END.match(data, at)
    return ending.end() if ending else at


class Parser:
    """Reads single records of data that lies at `offset` in its file."""

    def __init__(self, data: bytes, layout: Layout, offset: int) -> None:
        self._data = data
        self._layout = layout
        self._offset = offset
        self._marks = marks_of(layout.dialect)
        self._encoding = layout.dialect.encoding

    def record(self, start: int, line: int) -> Record:
        """The record that starts at that byte, which is the first one of a line."""
        left_out = self._left_out(start)
        if left_out:
            end = end_of_line(self._data, start)
            found = Split(end, split(self._data[start:end], 0, self._marks).values, [left_out])
        else:
            found = split(self._data, start, self._marks)
        values = tuple(value if value is None else value.decode(self._encoding, "replace") for value in found.values)
        columns = self._layout.columns
        if len(values) != columns and not left_out:
            found.problems.append(miscounted(len(values), columns, values[columns:]))
        fields = values[:columns] + (None,) * (columns - len(values))
        return self._judged(start, line, fields, found, bool(left_out))

    def _left_out(self, start: int) -> str | None:
        marks = self._marks
        if marks.comment and self._data.startswith(marks.comment, start):
            return "left out, a comment"
        if self._layout.columns > 1:
            line = self._data[start : end_of_line(self._data, start)]
            if marks.delimiter not in line and not line.strip(b" \t"):
                return "left out, a blank line"
        return None

    def _judged(self, start: int, line: int, fields: tuple[str | None, ...], found: Split, is_left_out: bool) -> Record:
        raw = self._data[start : found.end]
        reasons = found.problems + foreign(raw, self._offset + start, self._encoding)
        kind = Kind.LEFT_OUT if is_left_out else Kind.ROW
        if start + self._offset == self._layout.header_at and not is_left_out:
            is_certain = not self._layout.is_header_guessed and not reasons
            kind = Kind.NAMES if is_certain else Kind.LEFT_OUT
            reasons = [] if is_certain else ["left out, taken for the names of the columns", *reasons]
        text = raw.decode(self._encoding, "replace")
        problem = told(line, self._offset + start, reasons, text) if reasons else None
        return Record(start, after_line_end(self._data, found.end), line, fields, kind, problem)
