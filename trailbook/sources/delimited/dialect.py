"""How a text table is written."""

from __future__ import annotations

import codecs
import sys
from dataclasses import dataclass

from trailbook.errors import BadParameters

IN_PLACE = "utf-8"
_FOREIGN = frozenset("\r\n\0")
NAMES_ONLY = ("idna", "punycode", "undefined")
"""Encodings that are not meant for files."""
_WITHOUT_TABLE = ("ascii", "iso8859-1")


@dataclass(frozen=True)
class Dialect:
    """What the bytes between values mean. A doubled quote inside quotes is one; an `escape` does the same before the
    delimiter, the quote or itself. A line that starts with `comment` is none of the table."""

    delimiter: str = ","
    quote: str | None = '"'
    escape: str | None = None
    comment: str | None = None
    encoding: str = IN_PLACE

    def __post_init__(self) -> None:
        marks = {"delimiter": self.delimiter, "quote": self.quote, "escape": self.escape, "comment": self.comment}
        used: dict[str, str] = {}
        for name, mark in marks.items():
            if mark is None:
                continue
            if len(mark) != 1 or not mark.isascii() or mark in _FOREIGN:
                raise BadParameters(f"The {name} is one ASCII character and no line end, not {mark!r}.")
            if mark in used:
                raise BadParameters(f"{mark!r} can't be both {used[mark]} and {name}.")
            used[mark] = name
        object.__setattr__(self, "encoding", encoding_named(self.encoding))

    @property
    def is_in_place(self) -> bool:
        """Whether each ASCII byte is that character wherever it stands, so that the file can be read without being
        transcoded first: in UTF-8, and where a table has a character for each byte."""
        if self.encoding in (IN_PLACE, *_WITHOUT_TABLE):
            return True
        codec = sys.modules[codecs.lookup(self.encoding).incrementaldecoder.__module__]
        return getattr(codec, "decoding_table", "")[:128] == bytes(range(128)).decode("ascii")


@dataclass(frozen=True)
class Layout:
    """What is known of a file before it is read: its dialect, how many columns it has, and the byte at which the line
    with their names starts (None: it has none)."""

    dialect: Dialect
    columns: int
    header_at: int | None = None
    is_header_guessed: bool = False

    @property
    def raw_names(self) -> list[str]:
        return [f"c{number}" for number in range(self.columns)]


def encoding_named(name: str) -> str:
    """Python's own name of an encoding of text."""
    try:
        info = codecs.lookup(name)
    except (LookupError, ValueError) as error:
        raise BadParameters(f"There is no encoding {name!r}; utf-8, utf-16, cp1252 and shift_jis are some.") from error
    if not info._is_text_encoding or info.name in NAMES_ONLY:
        raise BadParameters(f"{name!r} is no encoding of text; utf-8, utf-16, cp1252 and shift_jis are some.")
    return info.name.removesuffix("-sig")
