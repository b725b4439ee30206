"""What is wrong with a record, in words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

MOST_TEXT = 1000
MOST_REASONS = 10
MOST_PLACES = 5
REPLACEMENT = "\ufffd".encode()


def told(line: int, byte: int, reasons: Sequence[str], text: str) -> str:
    """The reasons with their place and the text they are about."""
    shown = "; ".join(reasons[:MOST_REASONS])
    more = f"; and {len(reasons) - MOST_REASONS} more" if len(reasons) > MOST_REASONS else ""
    return f"line {line}, byte {byte}: {shown}{more}: {quoted(text, MOST_TEXT)}"


def quoted(text: str, most: int) -> str:
    """The text in quotes; if it is long, its start and how much is missing."""
    return f'"{text}"' if len(text) <= most else f'"{text[:most]}"… ({len(text) - most} more characters)'


def miscounted(values: int, columns: int, surplus: Iterable[str | None]) -> str:
    found = f"{values} {'value' if values == 1 else 'values'} instead of {columns}"
    if values <= columns:
        return found
    return f"{found}, without a column: {quoted(', '.join(value or '' for value in surplus), MOST_TEXT)}"


def foreign(raw: bytes, byte: int, encoding: str) -> list[str]:
    """What a text should not hold: NUL, and bytes that are no characters."""
    found = []
    if b"\0" in raw:
        found.append(_listed("NUL", (byte + match.start() for match in re.finditer(rb"\0", raw))))
    if encoding == "utf-8" and REPLACEMENT in raw:
        places = (byte + match.start() for match in re.finditer(REPLACEMENT, raw))
        found.append(_listed("U+FFFD, which stands for lost characters,", places))
    if undecoded := list(islice(_undecodable(raw, encoding), MOST_PLACES + 1)):
        shown = [f"0x{raw[start:end].hex()} at byte {byte + start}" for start, end in undecoded[:MOST_PLACES]]
        more = " and more" if len(undecoded) > MOST_PLACES else ""
        found.append(f"not {encoding}: {', '.join(shown)}{more}")
    return found


def _listed(what: str, places: Iterator[int]) -> str:
    shown = list(islice(places, MOST_PLACES + 1))
    more = " and more" if len(shown) > MOST_PLACES else ""
    return f"{what} at byte {', '.join(map(str, shown[:MOST_PLACES]))}{more}"


def _undecodable(raw: bytes, encoding: str) -> Iterator[tuple[int, int]]:
    at = 0
    while at < len(raw):
        try:
            raw[at:].decode(encoding)
            return
        except UnicodeDecodeError as error:
            yield at + error.start, at + error.end
            at += error.end
