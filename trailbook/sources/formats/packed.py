"""Packed files: gzip, bzip2, zstd and zip, unpacked within limits."""

from __future__ import annotations

import gzip
import lzma
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO, cast

import pyarrow as pa

from trailbook.errors import CellFailed, Invalid, TooLarge
from trailbook.settings import MIB
from trailbook.sources.formats.bzip2 import Bzip2File

CHUNK = MIB
MOST_RATIO = 1_000
"""Text packs to a tenth, logs to a hundredth; DEFLATE can't go beyond 1,032, which only bombs need."""
FREE_BYTES = 64 * MIB
"""Up to here any ratio is harmless."""
MOST_MEMBERS = 10_000
_DAMAGE = (EOFError, OSError, zlib.error, lzma.LZMAError, zipfile.BadZipFile, pa.ArrowException)


@dataclass(frozen=True)
class Member:
    """A file in a packed one. Its name is shown, never used as a path; `problem` says what could not be unpacked.

    One that `is_cut` goes on after what was unpacked.
    """

    name: str
    size: int
    path: Path | None = None
    problem: str | None = None
    is_cut: bool = False


def _zstd(path: Path) -> IO[bytes]:
    return cast(IO[bytes], pa.CompressedInputStream(pa.OSFile(str(path)), "zstd"))


_OPENERS: dict[str, tuple[bytes, Callable[[Path], IO[bytes]]]] = {
    "gz": (b"\x1f\x8b", lambda path: cast(IO[bytes], gzip.GzipFile(path))),
    "bz2": (b"BZh", lambda path: cast(IO[bytes], Bzip2File(path))),
    "zst": (b"\x28\xb5\x2f\xfd", _zstd),
}
_ZIP = b"PK\x03\x04"
_EMPTY_ZIP = b"PK\x05\x06"
_OFFICE = ("[Content_Types].xml", "META-INF/manifest.xml")
"""What workbooks hold, which are zip archives too."""


def packing_of(path: Path) -> str | None:
    """gz, bz2, zst or zip, as the first bytes tell; None for what is not packed. A workbook is a workbook."""
    with path.open("rb") as file:
        head = file.read(4)
    if head in (_ZIP, _EMPTY_ZIP):
        return None if _is_workbook(path) else "zip"
    return next((name for name, (magic, _) in _OPENERS.items() if head.startswith(magic)), None)


def _is_workbook(path: Path) -> bool:
    try:
        with zipfile.ZipFile(path) as archive:
            return any(name in archive.NameToInfo for name in _OFFICE)
    except _DAMAGE:
        return False


def members(path: Path, name: str) -> list[Member]:
    """What is in the packed file called `name`, as far as it tells without being unpacked."""
    packing = packing_of(path)
    if packing is None:
        raise Invalid(f"{name} is not packed: it is neither gz, bz2, zst nor zip.")
    if packing != "zip":
        return [Member(_stem(name), 0)]
    return [Member(info.filename, info.file_size) for info in _entries(_archive(path, name), name)]


def unpacked(
    path: Path, name: str, target: Path, most_bytes: int, member: str = "", first_bytes: int | None = None
) -> list[Member]:
    """What is in the packed file; its only member, or the one that is named, is unpacked to the file `target`.

    With `first_bytes`, that many of it are enough.
    """
    packing = packing_of(path)
    found = members(path, name)
    if packing != "zip":
        opener = _OPENERS[str(packing)][1]
        limits = Limits(name, path.stat().st_size, most_bytes, first_bytes)
        return [_written(lambda: opener(path), target, limits, found[0].name)]
    chosen = _chosen(found, member, name)
    if chosen is None:
        return found
    with _archive(path, name) as archive:
        limits = Limits(name, archive.getinfo(chosen.name).compress_size, most_bytes, first_bytes)
        written = _written(lambda: _member(archive, chosen, name), target, limits, chosen.name)
    return [written if each is chosen else each for each in found]


@dataclass(frozen=True)
class Limits:
    """How much may come of a packed file, and how much is enough."""

    name: str
    packed_bytes: int
    most_bytes: int
    first_bytes: int | None = None

    def check(self, size: int) -> None:
        if size > self.most_bytes:
            raise TooLarge(f"{self.name} is too large when unpacked: {self.most_bytes:,} bytes are allowed.")
        if size > FREE_BYTES and size > self.packed_bytes * MOST_RATIO:
            raise TooLarge(
                f"{self.name} unpacks to more than {MOST_RATIO:,} times its size, as if made to fill the disk."
                " If it is meant to, unpack it yourself."
            )


def _written(opened: Callable[[], IO[bytes]], target: Path, limits: Limits, name: str) -> Member:
    size, problem, is_enough = 0, None, False
    with target.open("wb") as out:
        for chunk in _chunks(opened):
            if isinstance(chunk, str):
                problem = f"{limits.name} is cut off or damaged after {size:,} bytes of what was packed: {chunk}"
                break
            size += len(chunk)
            limits.check(size)
            out.write(chunk)
            if is_enough := limits.first_bytes is not None and size >= limits.first_bytes:
                break
    if problem and not size:
        raise CellFailed(f"{limits.name} can't be unpacked: {problem}.")
    return Member(name, size, target, problem, is_enough)


def _chunks(opened: Callable[[], IO[bytes]]) -> Iterator[bytes | str]:
    """The bytes as far as they can be had, then what went wrong in words."""
    done = 0
    try:
        with opened() as source:
            while chunk := source.read(CHUNK):
                done += len(chunk)
                yield chunk
    except _DAMAGE as error:
        said = str(error) or type(error).__name__
    else:
        return
    # A reader throws away what it holds when it meets the damage, so the way there is gone again in small steps.
    with opened() as source, suppress(*_DAMAGE):
        while done:
            done -= len(source.read(min(done, CHUNK)))
        while byte := source.read(1):
            yield byte
    yield said


def _archive(path: Path, name: str) -> zipfile.ZipFile:
    try:
        return zipfile.ZipFile(path)
    except _DAMAGE as error:
        raise CellFailed(f"{name} is no zip archive, or its end is missing: {error}.") from error


def _entries(archive: zipfile.ZipFile, name: str) -> list[zipfile.ZipInfo]:
    with archive:
        infos = [info for info in archive.infolist() if not info.is_dir() and not _is_hidden(info.filename)]
    if len(infos) > MOST_MEMBERS:
        raise TooLarge(f"{name} holds {len(infos):,} files; {MOST_MEMBERS:,} are allowed.")
    if not infos:
        raise CellFailed(f"{name} is empty: there is no file in it.")
    return infos


def _is_hidden(name: str) -> bool:
    """What macOS adds to archives."""
    return name.startswith("__MACOSX/") or PurePosixPath(name).name == ".DS_Store"


def _chosen(found: list[Member], member: str, name: str) -> Member | None:
    if not member:
        return found[0] if len(found) == 1 else None
    for each in found:
        if each.name == member:
            return each
    known = ", ".join(each.name for each in found[:20])
    raise Invalid(f"There is no {member!r} in {name}. There is: {known}{', …' if len(found) > 20 else ''}.")


def _member(archive: zipfile.ZipFile, chosen: Member, name: str) -> IO[bytes]:
    info = archive.getinfo(chosen.name)
    if info.flag_bits & 0x1:
        raise CellFailed(f"{chosen.name} in {name} has a password. Unpack it yourself, and load what comes out.")
    try:
        return archive.open(info)
    except (NotImplementedError, *_DAMAGE) as error:
        raise CellFailed(f"{chosen.name} in {name} can't be unpacked: {error}.") from error


def _stem(name: str) -> str:
    """What a file was called before it was packed."""
    base = PurePosixPath(name).name
    ending = PurePosixPath(base).suffix.lower()
    return base[: -len(ending)] if ending in (".gz", ".gzip", ".bz2", ".zst", ".zstd") else base
