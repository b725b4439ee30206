"""How a file is written, by its first bytes. What was guessed is told."""

from __future__ import annotations

from dataclasses import dataclass, replace

from trailbook.errors import CellFailed
from trailbook.sources.delimited.candidates import Fit, Wanted, best_fit, rows_of
from trailbook.sources.delimited.dialect import IN_PLACE, Dialect, Layout, encoding_named
from trailbook.sources.delimited.encodings import guess_encoding, refuse_controls
from trailbook.sources.delimited.header import Row, clean_names, guess_header
from trailbook.sources.delimited.transcode import HALVES

_NOTHING_WANTED = Wanted()
_QUOTE_WHY = {True: "where there are quotes they don't go round values", False: "it goes round values, or is not there"}
_SHOWN = {"\t": "tab", " ": "blank", "\x01": "U+0001", "\x1f": "U+001F"}
_BOM = "\ufeff".encode()


@dataclass(frozen=True)
class Guess:
    """One thing that nobody said, and how sure it is, in words."""

    what: str
    value: str
    why: str


@dataclass(frozen=True)
class Detected:
    """A file's dialect, header and columns. `header_at` is where the header is once the file can be read in place."""

    dialect: Dialect
    header: bool
    header_at: int | None
    columns: int
    names: tuple[str, ...]
    guessed: tuple[Guess, ...]

    @property
    def layout(self) -> Layout:
        """For the file once it is in an encoding that can be read in place."""
        dialect = self.dialect if self.dialect.is_in_place else replace(self.dialect, encoding=IN_PLACE)
        return Layout(dialect, self.columns, self.header_at, any(guess.what == "header" for guess in self.guessed))


def detect(head: bytes, is_whole: bool, wanted: Wanted = _NOTHING_WANTED) -> Detected:
    """How a file is written that starts with these bytes, where it was not said."""
    encoding = guess_encoding(head, is_whole)
    name = encoding_named(wanted.encoding or encoding.encoding)
    refuse_controls(head, name)
    data, start = _whole_lines(head, is_whole, name)
    fit = best_fit(data[start:], wanted, name if Dialect(encoding=name).is_in_place else IN_PLACE)
    rows = [(start + at, _texts(row.values, fit.dialect.encoding)) for at, row in rows_of(data[start:], fit.dialect)]
    if not rows:
        raise CellFailed("This has no rows: it holds nothing but comments and blank lines.")
    (header_at, names), rest = rows[0], [row for _, row in rows[1:]]
    header = guess_header(names, rest)
    is_header = header.is_header if wanted.header is None else wanted.header
    guessed = (
        *([Guess("encoding", name, encoding.why)] if wanted.encoding is None else []),
        *_marks_guessed(fit, wanted),
        *([Guess("header", "yes" if is_header else "no", header.why)] if wanted.header is None else []),
    )
    return Detected(
        replace(fit.dialect, encoding=name),
        is_header,
        header_at if is_header else None,
        fit.columns,
        clean_names(names if is_header else (), fit.columns),
        guessed,
    )


def readable(head: bytes, encoding: str) -> tuple[bytes, int]:
    """The bytes as they are or will be once transcoded, and where their text begins."""
    is_in_place = Dialect(encoding=encoding).is_in_place
    data = head if is_in_place else head.decode(encoding, "replace").encode("utf-8", HALVES)
    is_utf8 = encoding == IN_PLACE or not is_in_place
    return data, len(_BOM) if is_utf8 and data.startswith(_BOM) else 0


def _whole_lines(head: bytes, is_whole: bool, encoding: str) -> tuple[bytes, int]:
    """What can be read, without the last line if that is cut and not the only one."""
    data, start = readable(head, encoding)
    if not data[start:].strip():
        raise CellFailed("This is empty: it holds nothing but blanks.")
    if not is_whole:
        data = data[: max(data.rfind(b"\n"), data.rfind(b"\r")) + 1] or data
    return data, start


def _texts(values: list[bytes | None], encoding: str) -> Row:
    return [value if value is None else value.decode(encoding, "replace") for value in values]


def _marks_guessed(fit: Fit, wanted: Wanted) -> list[Guess]:
    is_one = fit.columns == 1
    values = "value" if is_one else "values"
    counted = f"{fit.agreeing} of the first {fit.rows} rows have {fit.columns} {values}"
    dialect = fit.dialect
    found = (
        ("delimiter", wanted.delimiter, None if is_one else dialect.delimiter, counted),
        ("quote", wanted.quote, dialect.quote, _QUOTE_WHY[dialect.quote is None]),
        ("escape", wanted.escape, dialect.escape, "quotes inside values have it before them"),
        ("comment", wanted.comment, dialect.comment, "lines that start with it are no rows like the others"),
    )
    guesses = [
        Guess(what, _SHOWN.get(mark, mark) if mark else "none", why)
        for what, given, mark, why in found
        if given is None and (mark or what in ("delimiter", "quote"))
    ]
    return [*guesses, Guess("columns", str(fit.columns), counted)]
