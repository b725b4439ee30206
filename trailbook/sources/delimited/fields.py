"""Where the values of a record are, and what their quotes and escapes stand for."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache

from trailbook.sources.delimited.dialect import Dialect

LINE = re.compile(rb"[^\r\n]*+")
_NEVER = rb"(?!)"


@dataclass(frozen=True)
class Marks:
    """A dialect in bytes (empty: it has no such mark), with the patterns of its values."""

    delimiter: bytes
    quote: bytes
    escape: bytes
    comment: bytes
    plain: re.Pattern[bytes]
    quoted: re.Pattern[bytes]
    escaped: re.Pattern[bytes]
    """What stands for another character outside quotes: that is the group."""
    doubled: re.Pattern[bytes]
    """The same inside quotes."""


@lru_cache(maxsize=16)
def marks_of(dialect: Dialect) -> Marks:
    written = (dialect.delimiter, dialect.quote, dialect.escape, dialect.comment)
    delimiter, quote, escape, comment = ((mark or "").encode("ascii") for mark in written)
    d, q, e = (re.escape(mark) for mark in (delimiter, quote, escape))
    escaped = e + b"[" + d + q + e + b"]" if escape else _NEVER
    stray = e or _NEVER
    either = b"(?:" + e + b"|" + q + b"(?=" + q + b"))([" + d + q + e + b"])" if escape else q + b"(" + q + b")"
    return Marks(
        delimiter,
        quote,
        escape,
        comment,
        plain=re.compile(rb"(?:[^\r\n" + d + e + rb"]++|" + escaped + b"|" + stray + b")*+"),
        quoted=re.compile(rb"(?:[^" + q + e + rb"]++|" + q + q + b"|" + escaped + b"|" + stray + b")*+")
        if quote
        else LINE,
        escaped=re.compile(e + b"([" + d + q + e + b"])" if escape else _NEVER),
        doubled=re.compile(either if quote else _NEVER),
    )


@dataclass
class Split:
    """The values of a record (None: empty without quotes), the byte after them, and what was not well-formed."""

    end: int
    values: list[bytes | None] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    line_end: int = -1
    """Where the line ends that was looked at last."""


def split(data: bytes, start: int, marks: Marks) -> Split:
    """The record that starts there. It ends before a line end or at the end of the data."""
    line_end = end_of_line(data, start)
    line = data[start:line_end]
    if not (marks.quote and marks.quote in line) and not (marks.escape and marks.escape in line):
        return Split(line_end, [value or None for value in line.split(marks.delimiter)])
    found = Split(start, line_end=line_end)
    while _next_value(data, found, marks):
        found.end += 1
    return found


def end_of_line(data: bytes, start: int) -> int:
    match = LINE.match(data, start)
    assert match
    return match.end()


def _next_value(data: bytes, found: Split, marks: Marks) -> bool:
    """Read one value more; whether a delimiter follows it."""
    start = found.end
    if marks.quote and data.startswith(marks.quote, start):
        if found.line_end < start:
            found.line_end = end_of_line(data, start)
        closing = _closing(data, start, found.line_end, marks)
        if closing is None:
            found.problems.append(f"the quote before value {len(found.values) + 1} is not closed")
            found.end = found.line_end
            found.values += [value or None for value in data[start : found.end].split(marks.delimiter)]
            return False
        found.end = closing + 1
        found.values.append(_meant(data[start + 1 : closing], marks.doubled, found, marks))
    else:
        match = marks.plain.match(data, start)
        assert match
        found.end = match.end()
        found.values.append(_meant(match[0], marks.escaped, found, marks) or None)
    return data.startswith(marks.delimiter, found.end)


def _closing(data: bytes, start: int, line_end: int, marks: Marks) -> int | None:
    """Where the value that opens there is closed; quotes before that on the same line are text."""
    at = _next_quote(data, start + 1, len(data), marks)
    if at == len(data) or _closes(data, at, marks):
        return at if at < len(data) else None
    while at < line_end:
        if _closes(data, at, marks):
            return at
        at = _next_quote(data, at + 1, line_end, marks)
    return None


def _next_quote(data: bytes, start: int, end: int, marks: Marks) -> int:
    match = marks.quoted.match(data, start, end)
    assert match
    return match.end()


def _closes(data: bytes, at: int, marks: Marks) -> bool:
    return data[at + 1 : at + 2] in (b"", b"\r", b"\n", marks.delimiter)


def _meant(raw: bytes, pattern: re.Pattern[bytes], found: Split, marks: Marks) -> bytes:
    rest = pattern.sub(b"", raw)
    number = len(found.values) + 1
    if marks.quote and marks.quote in rest:
        found.problems.append(f"a quote inside value {number}")
    if marks.escape and marks.escape in rest:
        found.problems.append(f"an escape before nothing that it escapes, in value {number}")
    return pattern.sub(rb"\1", raw) if len(rest) < len(raw) else raw
