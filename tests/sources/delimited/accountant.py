"""Finds out what became of each byte of a file, by the raw table alone: it knows nothing of how that was made."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from trailbook.sources.delimited.dialect import Dialect

_TOLD = re.compile(r"line (\d+), byte (\d+): ", re.DOTALL)


@dataclass
class Account:
    """How many bytes are values, how many stand between them, and how many are in records with a problem."""

    data: int = 0
    syntax: int = 0
    told: int = 0

    @property
    def total(self) -> int:
        return self.data + self.syntax + self.told


def account(data: bytes, dialect: Dialect, rows: list[dict[str, Any]]) -> Account:
    """Go through the file with its rows in hand. A byte that has no role is an error."""
    found = Account()
    starts = [0, *(match.end() for match in re.finditer(rb"\r\n?|\n", data))]
    bom = 3 if data.startswith(b"\xef\xbb\xbf") and dialect.encoding == "utf-8" else 0
    places = [starts[row["__line"] - 1] for row in rows]
    if places:
        places[0] = bom
    end = len(data.rstrip(b"\r\n")) if len(rows) and len(rows[0]) > 4 else len(data)
    found.syntax += bom + len(data) - end
    for row, start, after in zip(rows, places, [*places[1:], end], strict=True):
        record = data[start:after]
        if row["__problem"] is None:
            _Record(record, dialect, found).account(row)
        else:
            _account_told(record, start, row, dialect, found)
    return found


def _account_told(record: bytes, start: int, row: dict[str, Any], dialect: Dialect, found: Account) -> None:
    problem = row["__problem"]
    match = _TOLD.match(problem)
    assert match, problem
    assert (int(match[1]), int(match[2])) == (row["__line"], start)
    text = re.sub(rb"(?:\r\n|\r|\n)\Z", b"", record).decode(dialect.encoding, "replace")
    shown = f'"{text}"' if len(text) <= 1000 else f'"{text[:1000]}"… ({len(text) - 1000} more characters)'
    assert problem.endswith(shown), (problem, record)
    found.told += len(record)


class _Record:
    """One record that is said to be well-formed."""

    def __init__(self, record: bytes, dialect: Dialect, found: Account) -> None:
        self._rest = record
        self._dialect = dialect
        self._found = found

    def account(self, row: dict[str, Any]) -> None:
        assert not row["__left_out"]
        values = list(row.values())[:-3]
        for number, value in enumerate(values):
            if number:
                self._syntax(self._dialect.delimiter)
            self._value(value)
        end = next((end for end in (b"\r\n", b"\r", b"\n") if self._rest.startswith(end)), b"")
        self._found.syntax += len(end)
        assert self._rest == end, (self._rest, row)

    def _value(self, value: str | None) -> None:
        quote, escape = self._dialect.quote, self._dialect.escape
        is_quoted = value is not None and quote is not None and self._rest.startswith(quote.encode())
        if is_quoted and quote:
            self._syntax(quote)
        for character in value or "":
            if character == quote and is_quoted and self._rest.startswith(2 * quote.encode()):
                self._syntax(quote)
            elif escape and character in (quote, escape, self._dialect.delimiter) and self._starts(escape + character):
                self._syntax(escape)
            self._data(character)
        if is_quoted and quote:
            self._syntax(quote)

    def _starts(self, text: str) -> bool:
        return self._rest.startswith(text.encode(self._dialect.encoding))

    def _syntax(self, text: str) -> None:
        self._found.syntax += self._taken(text)

    def _data(self, text: str) -> None:
        self._found.data += self._taken(text)

    def _taken(self, text: str) -> int:
        written = text.encode(self._dialect.encoding)
        assert self._rest.startswith(written), (self._rest, text)
        self._rest = self._rest[len(written) :]
        return len(written)
