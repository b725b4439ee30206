"""The entries of a zip file that anybody may have made: plain files with known names, bytes of their own, and an end.

Python's reader never gives more of an entry than the directory declares, so what is declared can be held against the
limits before anything is unpacked. An entry that lies about it does not have the digest that it should have.
"""

from __future__ import annotations

import errno
import stat
import struct
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import BinaryIO, NamedTuple
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from trailbook.errors import BadArchive, TooLarge
from trailbook.formats.archive import layout
from trailbook.settings import GIB, Settings

LARGEST_DIRECTORY = 200 * layout.MOST_ENTRIES
LOCAL_HEADER = 30
ENCRYPTED, STRONGLY_ENCRYPTED, MASKED = 0x1, 0x40, 0x2000
ALWAYS_ALLOWED = GIB
"""Bytes that even the smallest archive may unpack to."""


class Limits(NamedTuple):
    """Bytes that an archive may unpack to, and how many times its own size that may be."""

    total: int
    ratio: int

    @classmethod
    def of(cls, settings: Settings) -> Limits:
        return cls(settings.archive_limit, settings.archive_ratio)


def opened(file: BinaryIO, limits: Limits) -> tuple[ZipFile, dict[str, ZipInfo]]:
    """The zip file, and its entries by name, once nothing is wrong with them."""
    with zip_failures_told(entry=""):
        zip = ZipFile(_Bounded(file))
    found = _checked(zip)
    _require_limits(found, file.seek(0, 2), limits)
    return zip, found


def refusal(entry: str, problem: str, line: int | None = None) -> BadArchive:
    """Of an entry, or of the archive as such."""
    where = entry if line is None else f"{entry}, line {line}"
    said = f"{where}: {problem}" if where else problem
    return BadArchive(f"The archive is refused: {said}.", entry=entry, line=line)


@contextmanager
def zip_failures_told(entry: str) -> Iterator[None]:
    try:
        yield
    except (BadZipFile, EOFError, NotImplementedError, zlib.error, struct.error, UnicodeDecodeError) as error:
        raise refusal(entry, f"it is damaged ({error or type(error).__name__})") from error
    except (OSError, ValueError) as error:
        # An offset that is before the beginning.
        if isinstance(error, OSError) and error.errno != errno.EINVAL:
            raise
        raise refusal(entry, f"it is damaged ({error})") from error


def _checked(zip: ZipFile) -> dict[str, ZipInfo]:
    """The entries by name, each a plain file with a name that an archive has, and bytes of its own."""
    infos = zip.infolist()
    if len(infos) > layout.MOST_ENTRIES:
        raise TooLarge(f"The archive has {len(infos):,} entries; {layout.MOST_ENTRIES:,} are allowed.")
    found: dict[str, ZipInfo] = {}
    for info in infos:
        if problem := _problem_of(info):
            raise refusal(_printable(info.orig_filename), problem)
        if info.filename in found:
            raise refusal(info.filename, "there are two entries of that name")
        found[info.filename] = info
    _require_apart(infos, zip.start_dir)
    return found


def _problem_of(info: ZipInfo) -> str | None:
    mode = info.external_attr >> 16
    if info.orig_filename != info.filename or not layout.ENTRY.fullmatch(info.filename):
        return "no entry of an archive has such a name"
    if stat.S_IFMT(mode) not in (0, stat.S_IFREG):
        return "it is not a plain file"
    if info.flag_bits & (ENCRYPTED | STRONGLY_ENCRYPTED | MASKED):
        return "it is encrypted"
    if info.compress_type not in (ZIP_STORED, ZIP_DEFLATED):
        return f"it is compressed by method {info.compress_type}; only 0 (stored) and 8 (deflated) are read"
    if info.compress_type == ZIP_STORED and info.file_size != info.compress_size:
        return "it is stored, and has two sizes"
    return None


def _require_apart(infos: list[ZipInfo], directory: int) -> None:
    """Entries that share bytes would unpack to more than there is."""
    ordered = sorted(infos, key=lambda info: info.header_offset)
    following = [*(info.header_offset for info in ordered[1:]), directory]
    for info, after in zip(ordered, following, strict=True):
        end = info.header_offset + LOCAL_HEADER + len(info.filename) + info.compress_size
        if info.header_offset < 0 or end > after:
            raise refusal(info.filename, "it overlaps with what comes after it")


def _require_limits(entries: dict[str, ZipInfo], size: int, limits: Limits) -> None:
    unpacked = sum(info.file_size for info in entries.values())
    if unpacked > limits.total:
        raise TooLarge(
            f"The archive would unpack to {unpacked:,} bytes, and {limits.total:,} are allowed. "
            "See the setting `archive_limit`.",
            limit=limits.total,
        )
    if unpacked > max(ALWAYS_ALLOWED, size * limits.ratio):
        raise TooLarge(
            f"The archive would unpack to {unpacked:,} bytes, more than {limits.ratio} times its own size. "
            "See the setting `archive_ratio`.",
            limit=size * limits.ratio,
        )
    records = sum(info.file_size for name, info in entries.items() if name.startswith("records/"))
    if records > layout.LARGEST_RECORDS:
        raise TooLarge(f"The archive has {records:,} bytes of records; {layout.LARGEST_RECORDS:,} are allowed.")


def _printable(name: str) -> str:
    return "".join(character if character.isprintable() else "\ufffd" for character in name[:200])


class _Bounded:
    """A file of which not too much is read at once: a directory may claim to be as long as it likes."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file

    def read(self, size: int = -1) -> bytes:
        read = self._file.read(LARGEST_DIRECTORY + 1 if size < 0 else min(size, LARGEST_DIRECTORY + 1))
        if len(read) > LARGEST_DIRECTORY:
            raise BadZipFile("its directory is too long")
        return read

    def seek(self, offset: int, whence: int = 0) -> int:
        return self._file.seek(offset, whence)

    def tell(self) -> int:
        return self._file.tell()

    def seekable(self) -> bool:
        return True
