"""Makes UTF-8 of a text in any encoding."""

from __future__ import annotations

import codecs
from dataclasses import dataclass
from typing import BinaryIO

HALVES = "surrogatepass"
"""Halves of characters, which some encodings can write, become bytes that are no UTF-8, and are told as such."""
_CHUNK = 64 * 1024
_MOST_PLACES = 1000
_MARKS = {
    "utf-16": (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE),
    "utf-32": (codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE),
}
_LONGEST_MARK = 4


@dataclass(frozen=True)
class Replaced:
    """How many characters could not be decoded and became U+FFFD, and the bytes at which the first of them were."""

    count: int
    places: tuple[int, ...]


def transcoded(source: BinaryIO, target: BinaryIO, encoding: str) -> Replaced:
    """Copy text as UTF-8."""
    decoder = codecs.getincrementaldecoder(ordered(encoding, source.read(_LONGEST_MARK)))()
    source.seek(0)
    places: list[int] = []
    count = done = 0
    while True:
        chunk = source.read(_CHUNK)
        wrong = _copied(decoder, chunk, target, done)
        places += wrong[: _MOST_PLACES - len(places)]
        count += len(wrong)
        done += len(chunk)
        if not chunk:
            return Replaced(count, tuple(places))


def ordered(encoding: str, head: bytes) -> str:
    """The encoding of a text that begins like this, with the order of bytes if no mark tells it: the usual one."""
    is_told = head.startswith(_MARKS.get(encoding, b""))
    return encoding if is_told else f"{encoding}-le"


def _copied(decoder: codecs.IncrementalDecoder, chunk: bytes, target: BinaryIO, done: int) -> list[int]:
    """Decode the chunk, or what is left if it is empty; the places of what could not be decoded."""
    wrong: list[int] = []
    is_last = not chunk
    while True:
        held, flags = decoder.getstate()
        try:
            target.write(decoder.decode(chunk, is_last).encode("utf-8", HALVES))
            return wrong
        except UnicodeDecodeError as error:
            rest = held + chunk
            decoder.setstate((b"", flags))
            target.write((decoder.decode(rest[: error.start]) + "\ufffd").encode("utf-8", HALVES))
            wrong.append(done - len(held) + error.start)
            done += error.end - len(held)
            chunk = rest[error.end :]
