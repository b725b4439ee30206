"""Makes UTF-8 of a text in any encoding."""

from __future__ import annotations

import codecs
from dataclasses import dataclass
from typing import BinaryIO

_CHUNK = 64 * 1024
_MOST_PLACES = 1000


@dataclass(frozen=True)
class Replaced:
    """How many characters could not be decoded and became U+FFFD, and the bytes at which the first of them were."""

    count: int
    places: tuple[int, ...]


def transcoded(source: BinaryIO, target: BinaryIO, encoding: str) -> Replaced:
    """Copy text as UTF-8."""
    decoder = codecs.getincrementaldecoder(encoding)()
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


def _copied(decoder: codecs.IncrementalDecoder, chunk: bytes, target: BinaryIO, done: int) -> list[int]:
    """Decode the chunk, or what is left if it is empty; the places of what could not be decoded."""
    wrong: list[int] = []
    is_last = not chunk
    while True:
        held, flags = decoder.getstate()
        try:
            target.write(decoder.decode(chunk, is_last).encode("utf-8"))
            return wrong
        except UnicodeDecodeError as error:
            rest = held + chunk
            decoder.setstate((b"", flags))
            target.write((decoder.decode(rest[: error.start]) + "\ufffd").encode("utf-8"))
            wrong.append(done - len(held) + error.start)
            done += error.end - len(held)
            chunk = rest[error.end :]
