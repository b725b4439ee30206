"""JSON as the world writes it: what is not strict is read where it is clear what is meant, and said."""

from __future__ import annotations

import json
import re
from collections import Counter
from typing import Any

from trailbook.settings import MIB
from trailbook.sources.formats.doubles import is_rounded

MOST_REPAIRED = MIB
"""Characters of a text that is searched for comments and surplus commas."""
_LOOSE = re.compile(r'"(?:[^"\\]++|\\.)*+"|//[^\r\n]*|/\*.*?\*/|,(?=\s*[\]}])', re.DOTALL)


class Decoder:
    """Decodes values. What it noticed about the last one is in `notes` until they are taken."""

    def __init__(self) -> None:
        self._notes: list[str] = []
        self._json = json.JSONDecoder(
            object_pairs_hook=self._object, parse_float=self._float, parse_constant=self._constant
        )

    def taken(self) -> list[str]:
        """The notes, which are forgotten then."""
        notes, self._notes = self._notes, []
        return notes

    def value_at(self, text: str, start: int) -> tuple[Any, int]:
        """The value that begins there, and where it ends; a ValueError if there is none."""
        self._notes.clear()
        try:
            return self._json.raw_decode(text, start)
        except RecursionError:
            raise json.JSONDecodeError("Nested too deeply", text, start) from None

    def value(self, text: str) -> Any:
        """The value that the text is, with comments and surplus commas left out if need be."""
        try:
            return self._whole(text)
        except ValueError:
            if len(text) > MOST_REPAIRED:
                raise
        changed: dict[str, None] = {}
        repaired = _LOOSE.sub(lambda match: _strict(match[0], changed), text)
        if not changed:
            return self._whole(text)
        value = self._whole(repaired)
        self._notes += changed
        return value

    def _whole(self, text: str) -> Any:
        start = len(text) - len(text.lstrip())
        value, end = self.value_at(text, start)
        if text[end:].strip():
            raise json.JSONDecodeError("Extra data", text, end)
        return value

    def _object(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        made = dict(pairs)
        if len(made) != len(pairs):
            twice = [name for name, times in Counter(name for name, _ in pairs).items() if times > 1]
            self._notes.append(f"in one object there are several values of {', '.join(twice[:10])}, the last counts")
        return made

    def _float(self, text: str) -> float:
        number = float(text)
        if is_rounded(text, number):
            self._notes.append(f"{text[:100]} was rounded to {number!r}")
        return number

    def _constant(self, text: str) -> float:
        self._notes.append(f"{text} is no JSON, and was read as the number of that name")
        return float(text.replace("Infinity", "inf"))


def _strict(token: str, changed: dict[str, None]) -> str:
    if token[0] == '"':
        return token
    changed["there is a comment in it" if token[0] == "/" else "there is a comma after the last value"] = None
    return " " if token[0] == "/" else ""
