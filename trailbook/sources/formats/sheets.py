"""What workbooks have in common: sheets of rows of cells, in a zip archive of XML that is opened within limits."""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Protocol

from trailbook.errors import CellFailed, TooLarge
from trailbook.settings import GIB, MIB
from trailbook.sources.formats.markup import Markup

MOST_BYTES = 4 * GIB
"""Of XML in a workbook; Excel itself needs as much memory again for a tenth of it."""
MOST_RATIO = 1_000
FREE_BYTES = 64 * MIB
MOST_ROWS = 1_048_576
MOST_COLUMNS = 16_384
DAMAGE = (ValueError, KeyError, EOFError, OSError, zlib.error, zipfile.BadZipFile, NotImplementedError)
"""What reading a damaged workbook may raise; what is no XML any more is a ValueError."""
_OLD = b"\xd0\xcf\x11\xe0"


@dataclass(frozen=True, slots=True)
class Row:
    """The cells of a row that hold something, by column from 0, and what is wrong with some.

    One that `is_lost` stands for all that is in the part of the sheet that can't be read.
    """

    number: int
    cells: dict[int, object]
    problems: list[str]
    is_lost: bool = False


@dataclass(frozen=True)
class Range:
    """Cells that are merged, with both ends."""

    top: int
    left: int
    bottom: int
    right: int


class Workbook(Protocol):
    """A file of sheets."""

    sheets: list[str]
    hidden: list[str]

    def rows(self, sheet: str) -> Iterator[Row]:
        """Those that hold something."""

    def merged(self, sheet: str) -> list[Range]:
        """Which cells are merged."""


class Package:
    """The archive of a workbook."""

    def __init__(self, path: Path) -> None:
        with path.open("rb") as file:
            head = file.read(4)
        if head == _OLD:
            raise CellFailed("It is an Excel workbook of the old kind (.xls) or with a password. Save it as .xlsx.")
        try:
            self._archive = zipfile.ZipFile(path)
        except DAMAGE as error:
            raise CellFailed(f"It is no workbook, or its end is missing: {error}.") from error
        for info in self._archive.infolist():
            _check(info)
        if sum(info.file_size for info in self._archive.infolist()) > MOST_BYTES:
            raise TooLarge(f"It unpacks to more than {MOST_BYTES // GIB} GiB.")

    def __contains__(self, name: str) -> bool:
        return name in self._archive.NameToInfo

    def open(self, name: str) -> IO[bytes]:
        """A part of the workbook."""
        return self._archive.open(name)

    @contextmanager
    def part(self, name: str) -> Iterator[IO[bytes]]:
        """A part that must be there."""
        try:
            with self.open(name) as source:
                yield source
        except DAMAGE as error:
            raise CellFailed(f"It is no workbook, or it is damaged, in {name}: {error}.") from error


def rows_of(source: IO[bytes], markup: Markup, taken: Callable[[], list[Row]]) -> Iterator[Row]:
    """What is taken from the markup as it is read, and a last row if there is more that can't be read."""
    last = 0
    try:
        for _ in markup.read(source):
            for row in taken():
                last = row.number
                yield row
    except DAMAGE as error:
        for row in taken():
            last = row.number
            yield row
        yield Row(last + 1, {}, [f"after row {last} the sheet is damaged and can't be read: {error}"], is_lost=True)


def _check(info: zipfile.ZipInfo) -> None:
    if info.flag_bits & 0x1:
        raise CellFailed("It has a password. Save it without.")
    if info.file_size > FREE_BYTES and info.file_size > info.compress_size * MOST_RATIO:
        raise TooLarge(f"{info.filename} in it unpacks to more than {MOST_RATIO:,} times its size.")


def place(column: int, row: int) -> str:
    """A cell as Excel calls it: B7 for column 1 and row 7."""
    letters = ""
    column += 1
    while column:
        column, letter = divmod(column - 1, 26)
        letters = chr(ord("A") + letter) + letters
    return f"{letters}{row}"
