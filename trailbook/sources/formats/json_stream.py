"""A JSON document of any length, value by value."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from typing import Any, NamedTuple, TextIO

from trailbook.errors import CellFailed
from trailbook.settings import MIB
from trailbook.sources.formats.json_decoder import Decoder

CHUNK = MIB
MOST_VALUE = 256 * MIB
"""Characters of one record, or of what stands before the records."""
_BLANK = re.compile(r"\s*")
_COMMENT = re.compile(r"//[^\r\n]*|/\*.*?\*/", re.DOTALL)
_STRUCTURE = re.compile(r'"(?:[^"\\]++|\\.)*+"|[\[\]{},]', re.DOTALL)
_BRACKET = re.compile(r"[\[\]{}]")
_NEXT = re.compile(r"[}\]]\s*[,\n]\s*(?=[{\[])")
_MOST_TRIES = 1_000
_LONGEST_WORD = 16
"""A word or number that is cut off at the end of what was read so far is an error no further from there."""


class Found(NamedTuple):
    """A value with its place, and its text if there is something to say; with `left_out` only the place of one.
    If it `is_lost`, there may be any number of them."""

    value: Any
    offset: int
    size: int
    notes: tuple[str, ...] = ()
    text: str = ""
    is_json: bool = True
    left_out: bool = False
    is_lost: bool = False


class Stream:
    """Reads on as far as is needed for the next value. Places are counted in characters."""

    def __init__(self, file: TextIO) -> None:
        self._file = file
        self._decoder = Decoder()
        self._text = ""
        self._at = 0
        self._before = 0
        self._is_ended = False
        self._notes: list[str] = []

    @property
    def offset(self) -> int:
        return self._before + self._at

    def peek(self) -> str:
        """The next character that is no blank and in no comment; empty at the end."""
        while True:
            self._at = _BLANK.match(self._text, self._at).end()  # type: ignore[union-attr]
            if self._at >= len(self._text) - 1 and self._more():
                continue
            comment = _COMMENT.match(self._text, self._at)
            if comment is None:
                return self._text[self._at : self._at + 1]
            self._notes.append("there is a comment before it")
            self._at = comment.end()

    def _more(self) -> bool:
        if self._is_ended:
            return False
        rest = self._text[self._at :]
        if len(rest) > MOST_VALUE:
            raise CellFailed(f"It has one value of more than {MOST_VALUE // MIB} MiB of text.")
        # As much again as there is: a long value is then looked at a few times, not thousands of times.
        chunk = self._file.read(max(CHUNK, len(rest)))
        self._is_ended = not chunk
        self._before += self._at
        self._text, self._at = rest + chunk, 0
        return True

    def value(self) -> Any:
        """The next value, or a ValueError."""
        while True:
            try:
                value, end = self._decoder.value_at(self._text, self._at)
            except json.JSONDecodeError as error:
                is_cut = error.msg.startswith("Unterminated") or error.pos >= len(self._text) - _LONGEST_WORD
                if is_cut and self._more():
                    continue
                raise
            # A number may go on.
            if end == len(self._text) and self._more():
                continue
            self._at = end
            return value

    def elements(self) -> Iterator[Found]:
        """Those of the array that begins here."""
        self._at += 1
        before = "["
        while (character := self.peek()) not in ("]", ""):
            if character == ",":
                self._at += 1
                if before:
                    yield self._missing("there is nothing before a comma")
                before = ","
                continue
            if not before:
                self._notes.append("there is no comma before it")
            yield self.found()
            before = ""
        if not character:
            yield self.lost("the file ends before the array does")
        elif before == ",":
            yield self._missing("there is a comma after the last value")
        self._at += 1

    def members(self) -> Iterator[str]:
        """The names in the object that begins here; the value of each must be taken before going on."""
        self._at += 1
        while (character := self.peek()) not in ("}", ""):
            if character == ",":
                self._at += 1
                continue
            name = self.value()
            if not isinstance(name, str) or self.peek() != ":":
                raise ValueError("a name and a colon are expected")
            self._at += 1
            self.peek()
            yield name
        if not character:
            raise ValueError("the file ends before the object does")
        self._at += 1

    def found(self) -> Found:
        """The next value, whatever it is; the text up to the next comma if it is no JSON."""
        start = self.offset
        try:
            value = self.value()
        except ValueError as error:
            return self._repaired(start, str(error))
        notes = self._taken()
        size = self.offset - start
        return Found(value, start, size, notes, self._text[self._at - size : self._at] if notes else "")

    def _repaired(self, start: int, error: str) -> Found:
        end, is_one = self._end_of_bad()
        text = self._text[self._at : end]
        self._at += len(text)
        try:
            value = self._decoder.value(text)
        except ValueError:
            notes = (*self._taken(), f"it is no JSON ({error})")
            return Found(None, start, len(text), notes, text, is_json=False, is_lost=not is_one)
        return Found(value, start, len(text), self._taken(), text)

    def _taken(self) -> tuple[str, ...]:
        notes, self._notes = (*self._notes, *self._decoder.taken()), []
        return notes

    def _end_of_bad(self) -> tuple[int, bool]:
        """Where what is no JSON ends: with its brackets, or before the next object that can be read; then it may have
        been more than one value."""
        while len(self._text) - self._at < CHUNK and self._more():
            pass
        end, is_sure = self._closing()
        if is_sure:
            return end, True
        for match in islice(_NEXT.finditer(self._text, self._at + 1), _MOST_TRIES):
            with suppress(ValueError):
                self._decoder.value_at(self._text, match.end())
                return match.start() + 1, False
        return end, False

    def _closing(self) -> tuple[int, bool]:
        """Where the brackets close. If there are some in quotes, it may be that the quotes don't pair up."""
        depth, is_sure = 0, True
        for match in _STRUCTURE.finditer(self._text, self._at):
            if match[0][0] == '"':
                is_sure = is_sure and not _BRACKET.search(match[0])
            elif match[0] in "{[":
                depth += 1
            elif match[0] in "}]":
                depth -= 1
                if depth == 0:
                    return match.end(), is_sure
            if depth < 0 or (depth == 0 and match[0] == ","):
                return max(match.start(), self._at + 1), is_sure
        return len(self._text), False

    def _missing(self, what: str) -> Found:
        return Found(None, self.offset, 0, (what,), left_out=True)

    def lost(self, what: str) -> Found:
        return self._missing(what)._replace(is_lost=True)
