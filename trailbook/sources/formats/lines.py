"""A text file line by line, in constant memory: any of \\n, \\r\\n and \\r ends a line."""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, NamedTuple

from trailbook.errors import CellFailed
from trailbook.settings import MIB
from trailbook.sources.delimited.dialect import NAMES_ONLY
from trailbook.sources.delimited.encodings import guess_encoding, refuse_controls
from trailbook.sources.delimited.transcode import ordered
from trailbook.sources.formats.format import HEAD_BYTES
from trailbook.sources.formats.records import shown

CHUNK = MIB
MOST_LINE = 256 * MIB
_MARKS = {
    codecs.BOM_UTF8: "utf-8",
    codecs.BOM_UTF32_LE: "utf-32-le",
    codecs.BOM_UTF32_BE: "utf-32-be",
    codecs.BOM_UTF16_LE: "utf-16-le",
    codecs.BOM_UTF16_BE: "utf-16-be",
}
"""Byte order marks; the longer ones come first where one begins another."""
_MAGIC = {
    b"PAR1": "a Parquet file",
    b"ORC": "an ORC file",
    b"Obj\x01": "an Avro file",
    b"PK\x03\x04": "a zip archive or an Excel workbook",
    b"\xd0\xcf\x11\xe0": "an old Excel workbook, or one with a password",
    b"\x1f\x8b": "gzip",
    b"BZh": "bzip2",
    b"\x28\xb5\x2f\xfd": "zstd",
    b"\x89PNG": "a PNG image",
    b"\xff\xd8\xff": "a JPEG image",
    b"%PDF": "a PDF",
    b"\x7fELF": "a program",
    b"SQLite format 3": "an SQLite database",
}


class Encoding(NamedTuple):
    """How characters are written; `guessed` says so in words if nothing in the file tells it."""

    name: str
    mark: int = 0
    guessed: str | None = None


class Line(NamedTuple):
    """A line without its end. Bytes that are no characters were replaced; the problem says which."""

    number: int
    offset: int
    text: str
    size: int
    problem: str | None = None

    @property
    def unreadable(self) -> str | None:
        return self.wrong(self.problem) if self.problem else None

    def wrong(self, what: str) -> str:
        """A problem of this line, with the place and the text."""
        return f"line {self.number}, byte {self.offset}: {what}: {shown(self.text)}"


def looks_like_text(head: bytes) -> bool:
    if any(head.startswith(mark) for mark in _MARKS):
        return True
    return b"\0" not in head and not any(head.startswith(magic) for magic in _MAGIC)


def encoding_of(head: bytes, given: str = "") -> Encoding:
    """How the text that begins like this is encoded; what is no text is refused."""
    mark = next((mark for mark in _MARKS if head.startswith(mark)), b"")
    if given:
        name = _known(given)
        if mark and _MARKS[mark].startswith(name):
            return Encoding(_MARKS[mark], len(mark))
        return Encoding(ordered(name, head))
    if mark:
        return Encoding(_MARKS[mark], len(mark))
    refuse_binary(head)
    guess = guess_encoding(head, is_whole=len(head) < HEAD_BYTES)
    refuse_controls(head, guess.encoding)
    said = None if guess.encoding == "utf-8" else f"the text was read as {guess.encoding}: {guess.why}"
    return Encoding(guess.encoding, 0, said)


def refuse_binary(head: bytes) -> None:
    looks = next((what for magic, what in _MAGIC.items() if head.startswith(magic)), "")
    if looks:
        raise CellFailed(f"It is no text: it looks like {looks}.")


def _known(name: str) -> str:
    try:
        b"a".decode(name, "replace")
        known = codecs.lookup(name).name
    except (LookupError, ValueError):
        known = ""
    if not known or known in NAMES_ONLY:
        raise CellFailed(f"There is no encoding {name!r}. Known are utf-8, cp1252, shift_jis and so on.")
    return known


def lines(path: Path, encoding: Encoding) -> Iterator[Line]:
    """Each line with its number and place."""
    with path.open("rb") as file:
        file.seek(encoding.mark)
        number, offset = 1, encoding.mark
        is_wide = encoding.name.startswith(("utf-16", "utf-32"))
        for raw in _split(_recoded(file, encoding.name) if is_wide else iter(lambda: file.read(CHUNK), b"")):
            text, problem = _decoded(raw, "utf-8" if is_wide else encoding.name)
            yield Line(number, offset, text.rstrip("\r\n"), len(raw), problem)
            offset += len(text.encode(encoding.name, "replace")) if is_wide else len(raw)
            number += 1


def _recoded(file: BinaryIO, encoding: str) -> Iterator[bytes]:
    decoder = codecs.getincrementaldecoder(encoding)("replace")
    while chunk := file.read(CHUNK):
        yield decoder.decode(chunk).encode("utf-8", "replace")
    yield decoder.decode(b"", final=True).encode()


def _split(chunks: Iterator[bytes]) -> Iterator[bytes]:
    rest: list[bytes] = []
    for chunk in chunks:
        # The end of a chunk may be in the middle of a line, or of \r\n.
        *whole, last = [b"", *chunk.splitlines(keepends=True)]
        for line in filter(None, whole):
            yield from _ended(rest, line)
            rest = []
        rest.append(last)
        if sum(map(len, rest)) > MOST_LINE:
            raise CellFailed(f"It has a line of more than {MOST_LINE // MIB} MiB.")
    if any(rest):
        yield from b"".join(rest).splitlines(keepends=True)


def _ended(rest: list[bytes], line: bytes) -> list[bytes]:
    """The line with what was left of the chunk before; two lines if that had ended in \\r."""
    return [line] if not rest else b"".join([*rest, line]).splitlines(keepends=True)


def _decoded(raw: bytes, encoding: str) -> tuple[str, str | None]:
    try:
        text = raw.decode(encoding)
    except UnicodeDecodeError as error:
        text = raw.decode(encoding, "replace")
        return (
            text,
            f"byte {error.start + 1} of the line ({raw[error.start]:#04x}) is no {encoding} and was replaced by �",
        )
    if "\0" in text:
        return text, "there is a NUL character in it"
    return text, "there is � in it, which stands for lost characters" if "�" in text else None
