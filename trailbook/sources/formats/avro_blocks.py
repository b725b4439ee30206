"""The blocks of an Avro file. One that is damaged is left behind at the next mark between blocks."""

from __future__ import annotations

import bz2
import io
import lzma
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, BinaryIO

import fastavro
import pyarrow as pa

from trailbook.errors import CellFailed
from trailbook.settings import MIB

MARK_BYTES = 16
MOST_BLOCK = 256 * MIB
"""Bytes of a block once unpacked; writers begin a new one after some 16 kB."""

MOST_RATIO, MOST_EMPTY = 1_000, 1_000_000
"""Records for each byte of a packed block, and records that have no bytes: what has more is made to never end."""


@dataclass(frozen=True)
class Header:
    """What the file says of itself."""

    schema: Any
    codec: str
    mark: bytes


@dataclass(frozen=True)
class Block:
    """Some records, or what is wrong where they would be."""

    schema: Any
    content: bytes
    count: int
    place: str

    @property
    def bytes_of_one(self) -> int:
        return len(self.content) // max(1, self.count)

    def records(self) -> Iterator[dict[str, Any] | str]:
        """Each record; if one can't be read that and those after it can't, and the last thing given says so."""
        source = io.BytesIO(self.content)
        for done in range(self.count):
            try:
                yield fastavro.schemaless_reader(source, self.schema, None)  # type: ignore[misc]
            except Exception as error:
                yield f"{self.place}: {self.count - done} records can't be read: {str(error) or type(error).__name__}"
                return
        if rest := len(source.read()):
            yield f"{self.place}: it says that it has {self.count:,} records, but {rest:,} bytes follow them"


def header_of(file: BinaryIO) -> Header:
    """Read from the beginning; the file stands at the first block then."""
    try:
        reader = fastavro.reader(file)
        schema = fastavro.parse_schema(reader.writer_schema)
    except Exception as error:
        raise CellFailed(
            f"It is no Avro file, or its beginning is damaged: {str(error) or 'it ends too early'}."
        ) from error
    file.seek(-MARK_BYTES, io.SEEK_CUR)
    return Header(schema, reader.codec, file.read(MARK_BYTES))


def blocks(file: BinaryIO, header: Header) -> Iterator[Block | str]:
    """Each block, or in words why there is none."""
    unpack = _CODECS.get(header.codec)
    if unpack is None:
        raise CellFailed(f"It is packed with {header.codec}; known are {', '.join(_CODECS)}.")
    while True:
        start = file.tell()
        try:
            count = _long(file)
            if count is None:
                return
            content = _sized(file)
            if not 0 <= count <= max(len(content) * MOST_RATIO, MOST_EMPTY):
                raise ValueError(f"it says that it has {count:,} records")
            if file.read(MARK_BYTES) != header.mark:
                raise ValueError("it does not end where it says")
            yield Block(header.schema, unpack(content), count, f"block at byte {start}")
        except (ValueError, EOFError, OSError, zlib.error, lzma.LZMAError, pa.ArrowException) as error:
            end = _after_mark(file, start, header.mark)
            yield f"block at byte {start}: its records are lost ({end - start} bytes): {error}"
            file.seek(end)


def _long(file: BinaryIO) -> int | None:
    """A number as Avro writes it; None at the end of the file."""
    number = shift = 0
    while byte := file.read(1):
        number |= (byte[0] & 0x7F) << shift
        shift += 7
        if byte[0] < 0x80:
            return (number >> 1) ^ -(number & 1)
        if shift > 63:
            raise ValueError("it does not begin with a number")
    if shift:
        raise EOFError("the file ends in it")
    return None


def _sized(file: BinaryIO) -> bytes:
    size = _long(file)
    if size is None:
        raise EOFError("the file ends in it")
    if not 0 <= size <= MOST_BLOCK:
        raise ValueError(f"it says that it has {size:,} bytes")
    content = file.read(size)
    if len(content) < size:
        raise EOFError(f"the file ends in it, {size - len(content)} bytes early")
    return content


def _after_mark(file: BinaryIO, start: int, mark: bytes) -> int:
    """Where the next mark ends, or the file does."""
    file.seek(start)
    window = b""
    while chunk := file.read(MIB):
        window = window[-MARK_BYTES:] + chunk
        found = window.find(mark)
        if found >= 0:
            return file.tell() - len(window) + found + MARK_BYTES
    return file.tell()


def _limited(content: bytes) -> bytes:
    if len(content) > MOST_BLOCK:
        raise ValueError(f"it unpacks to more than {MOST_BLOCK:,} bytes")
    return content


def _deflate(content: bytes) -> bytes:
    return _limited(zlib.decompressobj(-15).decompress(content, MOST_BLOCK + 1))


def _bzip2(content: bytes) -> bytes:
    return _limited(bz2.BZ2Decompressor().decompress(content, MOST_BLOCK + 1))


def _xz(content: bytes) -> bytes:
    return _limited(lzma.LZMADecompressor(memlimit=MOST_BLOCK).decompress(content, MOST_BLOCK + 1))


def _zstandard(content: bytes) -> bytes:
    stream = pa.CompressedInputStream(pa.BufferReader(content), "zstd")
    return _limited(bytes(stream.read(MOST_BLOCK + 1)))


def _snappy(content: bytes) -> bytes:
    """The size stands before what is packed, and four bytes for a check after it."""
    size = shift = 0
    for byte in content[:5]:
        size |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            break
    if size > MOST_BLOCK:
        raise ValueError(f"it unpacks to more than {MOST_BLOCK:,} bytes")
    unpacked = bytes(pa.decompress(content[:-4], size, "snappy"))
    if zlib.crc32(unpacked).to_bytes(4, "big") != content[-4:]:
        raise ValueError("its checksum is another one")
    return unpacked


_CODECS: dict[str, Callable[[bytes], bytes]] = {
    "null": lambda content: content,
    "deflate": _deflate,
    "bzip2": _bzip2,
    "xz": _xz,
    "zstandard": _zstandard,
    "snappy": _snappy,
}
