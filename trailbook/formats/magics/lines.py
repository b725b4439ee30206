"""Finds the lines of a cell that are magics, by IPython's rule: only where a new statement could start."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

Sign = Literal["%", "!", "?"]

_MAGIC = re.compile(r"(?P<indent>\s*)(?P<target>)(?P<sign>%%?(?=[A-Za-z_])|!!?(?=\s*\S))(?P<text>.*)", re.DOTALL)
_ASSIGNED = re.compile(
    r"(?P<indent>\s*)(?P<target>[A-Za-z_](?:[\w.,\s*]|\[[^\]=]*\])*=\s*)(?P<sign>[%!])(?P<text>[^=].*)", re.DOTALL
)
_HELP = re.compile(r"(?P<indent>\s*)(?P<target>)(?P<sign>)(?P<text>\?{1,2}\s*[%\w.*]+|%{0,2}[\w.*\[\]]+\?{1,2})\s*")
_TOKEN = re.compile(
    r"""(?P<prefix>[rRbBuUfF]{0,2})(?P<quote>\"{3}|'{3}|"|')|(?P<open>[(\[{])|(?P<close>[)\]}])|(?P<comment>\#.*)|\w+|."""
)


@dataclass(frozen=True)
class Magic:
    """Lines from `first` to before `end` (from 0) that are one magic.

    `target` is what its value is assigned to, with the equals sign; `text` is what follows the sign, continued lines
    joined.
    """

    first: int
    end: int
    indent: str
    target: str
    sign: Sign
    text: str


def magics_in(lines: list[str]) -> Iterator[Magic]:
    """The magics in a cell's lines, in order."""
    reading = _Reading()
    at = 0
    while at < len(lines):
        magic = _magic_at(lines, at) if reading.is_between_statements else None
        if magic:
            yield magic
            at = magic.end
        else:
            reading.go_on(lines[at])
            at += 1


def _magic_at(lines: list[str], at: int) -> Magic | None:
    end, text = at + 1, lines[at]
    found = _HELP.fullmatch(text) or _MAGIC.fullmatch(text) or _ASSIGNED.fullmatch(text)
    if not found:
        return None
    while text.endswith("\\") and end < len(lines):
        text, end = f"{text[:-1]} {lines[end].strip()}", end + 1
    found = _HELP.fullmatch(text) or _MAGIC.fullmatch(text) or _ASSIGNED.fullmatch(text)
    assert found
    signs: dict[str, Sign] = {"": "?", "%": "%", "!": "!"}
    return Magic(at, end, found["indent"], found["target"], signs[found["sign"][:1]], found["text"].strip())


class _Reading:
    """How far a reader of Python is: inside a string, inside brackets, after a backslash, or between statements."""

    def __init__(self) -> None:
        self._quote = ""
        self._depth = 0
        self._continued = False

    @property
    def is_between_statements(self) -> bool:
        return not (self._quote or self._depth or self._continued)

    def go_on(self, line: str) -> None:
        self._continued = False
        at = 0
        while at < len(line):
            at = self._skip_string(line, at) if self._quote else self._step(line, at)
        if len(self._quote) == 1 and not line.endswith("\\"):
            self._quote = ""
        if line.endswith("\\") and not self._quote:
            self._continued = True

    def _step(self, line: str, at: int) -> int:
        token = _TOKEN.match(line, at)
        assert token
        if token["comment"]:
            return len(line) + 1
        self._quote = token["quote"] or ""
        self._depth = max(0, self._depth + bool(token["open"]) - bool(token["close"]))
        return token.end()

    def _skip_string(self, line: str, at: int) -> int:
        """To after the string's end, or the end of the line. A backslash keeps its quote, in raw strings, too."""
        while at < len(line):
            if line[at] == "\\":
                at += 2
            elif line.startswith(self._quote, at):
                at += len(self._quote)
                self._quote = ""
                return at
            else:
                at += 1
        return at
