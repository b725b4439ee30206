"""Which encoding a text is in, by its first bytes."""

from __future__ import annotations

import codecs
from dataclasses import dataclass

import numpy as np

from trailbook.errors import CellFailed
from trailbook.sources.delimited.quotes import Flags, Places

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_MOST_CONTROLS = 0.05
_CONTROLS = bytes({*range(32), 127} - {*b"\t\n\v\f\r\x01\x1b\x1f"})


@dataclass(frozen=True)
class _Script:
    """An encoding, the letters that at least this share of a text is in, and whether no byte of theirs is ASCII."""

    encoding: str
    letters: tuple[tuple[int, int], ...]
    least: float
    is_paired: bool


_KANA, _HANGUL = (0x3040, 0x30FF), (0xAC00, 0xD7A3)
_HAN = ((0x3000, 0x303F), (0x4E00, 0x9FFF), (0xFF00, 0xFF60))
_EAST_ASIAN = (
    _Script("cp932", (_KANA, *_HAN), 0.9, is_paired=False),
    _Script("euc_jp", (_KANA,), 0.2, is_paired=True),
    _Script("cp949", (_HANGUL,), 0.9, is_paired=True),
    _Script("gb18030", _HAN, 0.9, is_paired=True),
    _Script("big5", _HAN, 0.9, is_paired=False),
)
"""In the order in which they are told apart."""


@dataclass(frozen=True)
class EncodingGuess:
    encoding: str
    why: str


def guess_encoding(head: bytes, is_whole: bool) -> EncodingGuess:
    """The encoding of a file that starts with these bytes, and how it was told."""
    for mark, encoding in _BOMS:
        if head.startswith(mark):
            return EncodingGuess(encoding, "it starts with the byte-order mark of it")
    if wide := _utf16(head):
        return EncodingGuess(wide, "every second byte of most characters is NUL, as in no other encoding")
    if _decoded(head, "utf-8", is_whole) is not None:
        words = "there are only ASCII characters" if head.isascii() else "all of it is valid"
        return EncodingGuess("utf-8", f"{words} in the first {len(head):,} bytes")
    return _legacy(head, is_whole)


def refuse_controls(head: bytes, encoding: str) -> None:
    """Text has few control characters, or NULs that its encoding explains."""
    if encoding.startswith(("utf-16", "utf-32")):
        return
    controls = len(head) - len(head.translate(None, _CONTROLS))
    if controls > _MOST_CONTROLS * len(head):
        share = 100 * controls / len(head)
        raise CellFailed(f"It is no text: {share:.0f} % of its first {len(head):,} bytes are control characters.")


def _decoded(head: bytes, encoding: str, is_whole: bool) -> str | None:
    """The text, whose last character may be cut if there is more to come; None if it is not in that encoding."""
    try:
        return codecs.getincrementaldecoder(encoding)().decode(head, is_whole)
    except UnicodeDecodeError:
        return None


def _utf16(head: bytes) -> str | None:
    places = np.flatnonzero(np.frombuffer(head[: len(head) // 2 * 2], np.uint8) == 0)
    # Line ends and delimiters alone are so many in any script.
    if len(places) <= 0.04 * len(head):
        return None
    odd = np.count_nonzero(places % 2) / len(places)
    encoding = "utf-16-le" if odd > 0.98 else "utf-16-be" if odd < 0.02 else None
    return encoding if encoding and _decoded(head, encoding, False) is not None else None


def _legacy(head: bytes, is_whole: bool) -> EncodingGuess:
    """Bytes above ASCII stand alone in Western text, in rows in Cyrillic, and in pairs in East Asian text."""
    array = np.frombuffer(head, np.uint8)
    high = array[array >= 0x80]
    runs = _runs(array >= 0x80)
    if np.sum(runs[runs > 1]) < 0.5 * len(high):
        return EncodingGuess("cp1252", "it is not UTF-8, and most bytes above ASCII stand alone, as in Western text")
    if np.count_nonzero(high >= 0xC0) > 0.95 * len(high):
        is_upper_half = np.count_nonzero(high >= 0xE0) > 0.5 * len(high)
        encoding = "cp1251" if is_upper_half else "koi8-r"
        return EncodingGuess(encoding, "it is not UTF-8, and bytes above ASCII are spread as in Cyrillic text")
    is_paired = np.count_nonzero(runs % 2 == 0) > 0.95 * len(runs)
    for script in _EAST_ASIAN:
        text = _decoded(head, script.encoding, is_whole) if is_paired or not script.is_paired else None
        if text is not None and _share(text, script.letters) >= script.least:
            return EncodingGuess(script.encoding, "it is not UTF-8, and read like this it is in letters of one script")
    return EncodingGuess("cp1252", "it is not UTF-8, and no other encoding fits")


def _runs(flags: Flags) -> Places:
    """The lengths of rows of true flags."""
    edges = np.flatnonzero(np.diff(flags, prepend=False, append=False))
    return edges[1::2] - edges[::2]


def _share(text: str, letters: tuple[tuple[int, int], ...]) -> float:
    """How much of what is not ASCII is among these letters."""
    points = [ord(character) for character in text if ord(character) >= 0x80]
    found = sum(any(first <= point <= last for first, last in letters) for point in points)
    return found / max(1, len(points))
