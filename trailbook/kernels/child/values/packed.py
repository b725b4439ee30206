"""One file for any Python value: its pickle, and beside it the large buffers, in place for being mapped into memory.

    magic, version, number of buffers, length of the pickle | length of each buffer | pickle | buffers, each aligned

Buffers are mapped privately: an array over one can be changed at once, nothing was copied for it, and the file stays as
it is.
"""

from __future__ import annotations

import errno
import hashlib
import io
import mmap
import os
import pickle
import struct
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import IO, Any

ALIGNMENT = 64
SMALLEST_BUFFER = 4096
"""Bytes below which a buffer is part of the pickle."""
MAGIC = b"trailpak"
VERSION = 1
DOUBTFUL = b" in doubt"
"""What the host puts after a value that rests on doubtful data, so that it is not the same artifact."""
BLOCK = 1 << 20
"""Bytes that are compared at once: they stay in the processor's cache."""

_START = struct.Struct("<8sIIQ")

MakePickler = Callable[[IO[bytes], Callable[[pickle.PickleBuffer], object]], pickle.Pickler]
MakeUnpickler = Callable[[IO[bytes], Iterable[memoryview]], pickle.Unpickler]


class BadPack(ValueError):
    """A file that was not written by `write`, or not to its end."""


@dataclass(frozen=True)
class Packed:
    """A value ready to be written: the head of its file, and the buffers that follow. They are not copies."""

    head: bytes
    buffers: list[memoryview]

    @property
    def size(self) -> int:
        """The bytes of the file."""
        return _ends(len(self.head), [buffer.nbytes for buffer in self.buffers])[-1]

    @cached_property
    def digest(self) -> str:
        """The SHA-256 of the file."""
        found = hashlib.sha256()
        for piece in _pieces(self):
            found.update(piece)
        return found.hexdigest()


def pack(value: Any, make_pickler: MakePickler) -> Packed:
    stream = io.BytesIO()
    buffers: list[memoryview] = []

    def is_small(buffer: pickle.PickleBuffer) -> bool:
        raw = buffer.raw()
        if raw.nbytes < SMALLEST_BUFFER:
            return True
        buffers.append(raw)
        return False

    make_pickler(stream, is_small).dump(value)
    pickled = stream.getbuffer()
    start = _START.pack(MAGIC, VERSION, len(buffers), pickled.nbytes)
    lengths = struct.pack(f"<{len(buffers)}Q", *(buffer.nbytes for buffer in buffers))
    return Packed(b"".join([start, lengths, pickled]), buffers)


def write(packed: Packed, path: str) -> None:
    with open(path, "wb") as file:
        for piece in _pieces(packed):
            file.write(piece)


def content(packed: Packed) -> bytes:
    """What `write` would write."""
    return b"".join(_pieces(packed))


def unpack(source: str | bytes, make_unpickler: MakeUnpickler) -> Any:
    """The value in a file, given its path or its content."""
    file = memoryview(_map(source) if isinstance(source, str) else bytearray(source))
    name = source if isinstance(source, str) else "it"
    pickled, buffers = _split(file, name)
    return make_unpickler(io.BytesIO(pickled), buffers).load()


def same(packed: Packed, path: str) -> bool:
    """Whether the file is what `write` would write."""
    with open(path, "rb", buffering=0) as file:
        if os.fstat(file.fileno()).st_size not in (packed.size, packed.size + len(DOUBTFUL)):
            return False
        is_same = all(_continues_with(file, memoryview(piece)) for piece in _pieces(packed))
        return is_same and file.read() in (b"", DOUBTFUL)


def alike(one: Packed, other: Packed) -> bool:
    """Whether `write` would write the same."""
    if one.head != other.head:
        return False
    # The head tells how long the buffers are.
    return all(_equal(mine, yours) for mine, yours in zip(one.buffers, other.buffers, strict=True))


def _pieces(packed: Packed) -> Iterator[bytes | memoryview]:
    yield packed.head
    end = len(packed.head)
    for buffer in packed.buffers:
        yield bytes(-end % ALIGNMENT)
        yield buffer
        end += -end % ALIGNMENT + buffer.nbytes


def _ends(head: int, lengths: Iterable[int]) -> list[int]:
    """Where the head and each buffer after it ends."""
    ends = [head]
    for length in lengths:
        ends.append(ends[-1] + -ends[-1] % ALIGNMENT + length)
    return ends


def _split(file: memoryview, name: str) -> tuple[memoryview, list[memoryview]]:
    """The pickle and the buffers."""
    if len(file) < _START.size or bytes(file[: len(MAGIC)]) != MAGIC:
        raise BadPack(f"{name} is not a packed value.")
    _, version, count, length = _START.unpack_from(file)
    if version != VERSION:
        raise BadPack(f"{name} was packed in version {version} of the format, which is not {VERSION}, the one known.")
    pickled = _START.size + 8 * count
    if pickled + length > len(file):
        raise BadPack(f"{name} ends in the middle of a packed value.")
    lengths = struct.unpack_from(f"<{count}Q", file, _START.size)
    ends = _ends(pickled + length, lengths)
    if len(file) < ends[-1] or bytes(file[ends[-1] :][: len(DOUBTFUL) + 1]) not in (b"", DOUBTFUL):
        raise BadPack(f"{name} has {len(file)} bytes and should have {ends[-1]}.")
    buffers = [file[end - size : end] for end, size in zip(ends[1:], lengths, strict=True)]
    return file[pickled : pickled + length], buffers


def _map(path: str) -> mmap.mmap | bytes:
    with open(path, "rb") as file:
        if not os.fstat(file.fileno()).st_size:
            return b""
        try:
            return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_COPY)
        except OSError as error:
            if error.errno == errno.ENOMEM:
                raise MemoryError(f"{path} does not fit into memory") from None
            raise


def _continues_with(file: io.FileIO, piece: memoryview) -> bool:
    """Whether the next bytes of the file are these."""
    block = bytearray(min(BLOCK, piece.nbytes))
    for wanted in _blocks(piece):
        del block[wanted.nbytes :]
        # A bytearray is compared as a whole, a memoryview byte by byte.
        if file.readinto(block) != wanted.nbytes or block != wanted:
            return False
    return True


def _equal(one: memoryview, other: memoryview) -> bool:
    return all(bytearray(mine) == yours for mine, yours in zip(_blocks(one), _blocks(other), strict=True))


def _blocks(piece: memoryview) -> Iterator[memoryview]:
    return (piece[start : start + BLOCK] for start in range(0, piece.nbytes, BLOCK))
