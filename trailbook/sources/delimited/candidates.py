"""Which dialect fits a text best: rows of one length, values that look like something, quotes that are in order."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product

from trailbook.sources.delimited.dialect import Dialect
from trailbook.sources.delimited.fields import Split, marks_of, split
from trailbook.sources.delimited.kinds import WEIGHTS, Look, look_of
from trailbook.sources.delimited.records import after_line_end

_PRIORS = {",": 1.0, ";": 1.0, "\t": 1.0, "|": 1.0, "\x01": 1.0, "\x1f": 1.0, "^": 0.8, "~": 0.8, ":": 0.6, " ": 0.35}
"""Delimiters, and how likely it is that one does nothing else."""
_ONE_COLUMN = {True: 0.6, False: 0.25}
"""What stands for the length of rows if there is one column: of values that are surely whole, or of text."""
_CUSTOM = {'"': 1.02, "'": 0.98}
"""Between dialects that fit equally well, the usual quote is taken."""
NO_DELIMITER = "\x1f"
"""For a text of one column that has commas: no file of text holds it."""
_MOST_ROWS = 100
_MOST_BYTES = 16 * 1024
_FEWEST_LINES = 5
_MOST_VALUES = 300


@dataclass(frozen=True)
class Wanted:
    """What is known of a dialect. None: nothing; empty: there is none of it."""

    delimiter: str | None = None
    quote: str | None = None
    escape: str | None = None
    comment: str | None = None
    encoding: str | None = None
    header: bool | None = None


@dataclass(frozen=True)
class Fit:
    """How well a dialect fits: `agreeing` of so many `rows` have as many values as there are `columns`."""

    dialect: Dialect
    score: float
    columns: int
    agreeing: int
    rows: int


def best_fit(data: bytes, wanted: Wanted, encoding: str) -> Fit:
    """The best of all dialects that are not ruled out by what is known."""
    head = _sample(data)
    dialects = list(_dialects(head, wanted, encoding)) or [_contradicting(wanted)]
    best = max((_fit(head, dialect) for dialect in dialects), key=lambda fit: fit.score)
    return _with_comment(head, best, wanted)


def rows_of(data: bytes, dialect: Dialect, most: int = _MOST_ROWS) -> Iterator[tuple[int, Split]]:
    """The first records that are neither blank nor comments, with the bytes they start at."""
    marks = marks_of(dialect)
    at = found = 0
    while at < len(data) and found < most:
        is_comment = marks.comment and data.startswith(marks.comment, at)
        row = split(data, at, replace(marks, quote=b"", escape=b"") if is_comment else marks)
        if not is_comment and not _is_blank(row):
            yield at, row
            found += 1
        at = after_line_end(data, row.end)


def _is_blank(row: Split) -> bool:
    return len(row.values) == 1 and not (row.values[0] or b"").strip()


def _sample(data: bytes) -> bytes:
    """Whole lines: so many that it is soon done, but a few at least, however long they are."""
    few = re.match(rb"(?:[^\r\n]*+(?:\r\n?|\n|\Z)){,%d}" % _FEWEST_LINES, data)
    many = data[:_MOST_BYTES]
    whole = max(many.rfind(b"\n"), many.rfind(b"\r")) + 1 if len(many) < len(data) else len(data)
    return data[: max(whole, few.end() if few else 0)]


def _dialects(head: bytes, wanted: Wanted, encoding: str) -> Iterator[Dialect]:
    text = head.decode(encoding, "replace")
    quotes = [one for one in ('"', "'") if one in text] or ['"']
    escapes = ["", "\\"] if '\\"' in text or "\\'" in text else [""]
    comment = wanted.comment if wanted.comment is not None else _likely_comment(text, wanted)
    for delimiter, quote, escape in product(
        [wanted.delimiter] if wanted.delimiter else _delimiters(text),
        [wanted.quote] if wanted.quote is not None else [*quotes, ""],
        [wanted.escape] if wanted.escape is not None else escapes,
    ):
        marks = [mark for mark in (delimiter, quote, escape, comment) if mark]
        if len(set(marks)) == len(marks):
            yield Dialect(delimiter, quote or None, escape or None, comment or None, encoding)


def _contradicting(wanted: Wanted) -> Dialect:
    """Raises the error that says which two of these can't be the same."""
    return Dialect(wanted.delimiter or ",", wanted.quote or None, wanted.escape or None, wanted.comment or None)


def _delimiters(text: str) -> list[str]:
    """Those that there are, and one that there is not: the text may be one column."""
    there = [one for one in _PRIORS if one in text]
    return [*there, "," if "," not in text else NO_DELIMITER]


def _likely_comment(text: str, wanted: Wanted) -> str:
    if "#" in (wanted.delimiter, wanted.quote, wanted.escape):
        return ""
    lines = text.splitlines()
    marked = sum(line.startswith("#") for line in lines)
    return "#" if 0 < marked < len(lines) / 2 else ""


def _fit(head: bytes, dialect: Dialect) -> Fit:
    rows = [row for _, row in rows_of(head, dialect)]
    lengths = Counter(len(row.values) for row in rows)
    columns, agreeing = max(lengths.items(), key=lambda item: (item[1], item[0]), default=(1, 0))
    looks = Counter(_look(value, dialect.encoding) for row in rows for value in row.values[:_MOST_VALUES])
    total = max(1, sum(looks.values()))
    look = sum(WEIGHTS[one] * count for one, count in looks.items()) / total
    if columns == 1:
        shape = _ONE_COLUMN[sum(_is_surely_whole(row, dialect.encoding) for row in rows) >= 0.75 * len(rows)]
    else:
        shape = (agreeing / len(rows)) ** 2 * (columns - 1) / columns * _PRIORS.get(dialect.delimiter, 1.0)
    in_order = sum(not row.problems for row in rows) / max(1, len(rows))
    return Fit(dialect, shape * look * in_order * _CUSTOM.get(dialect.quote or "", 1.0), columns, agreeing, len(rows))


def _is_surely_whole(row: Split, encoding: str) -> bool:
    """Whether it is one value that nothing would cut; what has a comma may be a number, or two."""
    text = (row.values[0] or b"").decode(encoding, "replace")
    return len(row.values) == 1 and "," not in text and look_of(text) not in (Look.WORDS, Look.OTHER)


def _look(value: bytes | None, encoding: str) -> Look:
    return Look.EMPTY if value is None else look_of(value.decode(encoding, "replace"))


def _with_comment(head: bytes, best: Fit, wanted: Wanted) -> Fit:
    """A line that starts like a comment and has as many values as the others is a row or the header."""
    if best.dialect.comment is None or wanted.comment is not None or best.columns == 1:
        return best
    mark = best.dialect.comment.encode()
    rows = rows_of(head, replace(best.dialect, comment=None))
    marked = [len(row.values) == best.columns for at, row in rows if head.startswith(mark, at)]
    is_row = sum(marked) * 2 > len(marked)
    return replace(best, dialect=replace(best.dialect, comment=None)) if is_row else best
