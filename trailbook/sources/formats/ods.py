"""OpenDocument spreadsheets (.ods), as LibreOffice writes them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from trailbook.errors import CellFailed
from trailbook.settings import MIB
from trailbook.sources.formats.doubles import is_rounded
from trailbook.sources.formats.excel_dates import duration
from trailbook.sources.formats.markup import Attributes, Markup, local
from trailbook.sources.formats.sheets import DAMAGE, MOST_COLUMNS, MOST_ROWS, Package, Range, Row, place, rows_of
from trailbook.sources.formats.xlsx_cells import plain

_CONTENT, _MANIFEST = "content.xml", "META-INF/manifest.xml"
_NUMBERS = ("float", "percentage", "currency")
_TIME = re.compile(r"(-?)PT(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:[.,]\d+)?)S)?")
"""What a time is; the text of its cell may leave out the seconds."""


class Ods:
    """A spreadsheet, all of whose sheets are in one part."""

    def __init__(self, path: Path) -> None:
        self._package = Package(path)
        if _MANIFEST in self._package and b"encryption-data" in self._package.open(_MANIFEST).read(MIB):
            raise CellFailed("It has a password. Save it without.")
        self.sheets: list[str] = []
        self.hidden: list[str] = []

        def start(name: str, attributes: Attributes) -> None:
            if local(name) == "table":
                self.sheets.append(attributes.get("table:name", f"Sheet{len(self.sheets) + 1}"))

        with suppress(*DAMAGE), self._package.open(_CONTENT) as source:
            for _ in Markup(start).read(source):
                pass
        if not self.sheets:
            raise CellFailed("It is no spreadsheet, or it is damaged: there are no sheets in it.")

    def rows(self, sheet: str) -> Iterator[Row]:
        cells = _Cells(self.sheets.index(sheet))
        with self._package.part(_CONTENT) as source:
            yield from rows_of(source, cells.markup, cells.taken)

    def merged(self, sheet: str) -> list[Range]:
        cells = _Cells(self.sheets.index(sheet))
        with self._package.part(_CONTENT) as source:
            for _ in rows_of(source, cells.markup, cells.taken):
                pass
        return cells.merged


class _Cells:
    """The rows of one sheet. Rows and cells that are alike are written once, with how often they are there."""

    def __init__(self, sheet: int) -> None:
        self.markup = Markup(self._start, self._end, self._text)
        self.merged: list[Range] = []
        self._wanted = sheet
        self._sheet = -1
        self._row = 1
        self._done: list[Row] = []
        self._cells: dict[int, object] = {}
        self._problems: list[str] = []
        self._column = 0
        self._attributes: Attributes = {}
        self._row_times = 1
        self._paragraphs: list[str] = []
        self._depth = 0

    def taken(self) -> list[Row]:
        done, self._done = self._done, []
        return done

    def _start(self, name: str, attributes: Attributes) -> None:
        name = local(name)
        if name == "table":
            self._sheet += 1
        elif self._sheet != self._wanted:
            return
        elif name == "table-row":
            self._column = 0
            self._row_times = int(attributes.get("table:number-rows-repeated", "1"))
        elif name in ("table-cell", "covered-table-cell"):
            self._attributes = attributes
            self._paragraphs = []
        elif name == "annotation":
            self._depth += 1
        elif name == "p" and not self._depth:
            self._paragraphs.append("")
        elif name == "s" and self._paragraphs:
            self._paragraphs[-1] += " " * min(int(attributes.get("text:c", "1")), 1000)
        elif name in ("tab", "line-break") and self._paragraphs:
            self._paragraphs[-1] += "\t" if name == "tab" else "\n"

    def _text(self, data: str) -> None:
        if self._paragraphs and not self._depth:
            self._paragraphs[-1] += data

    def _end(self, name: str) -> None:
        name = local(name)
        if self._sheet != self._wanted:
            return
        if name == "annotation":
            self._depth -= 1
        elif name in ("table-cell", "covered-table-cell"):
            self._end_cell()
        elif name == "table-row":
            self._end_row()

    def _end_cell(self) -> None:
        times = int(self._attributes.get("table:number-columns-repeated", "1"))
        value = self._value()
        if value is not None:
            if self._column + times > MOST_COLUMNS:
                raise CellFailed(f"It has a column {self._column + times:,}; {MOST_COLUMNS:,} is the most.")
            self._cells.update({self._column + more: value for more in range(times)})
        wide = int(self._attributes.get("table:number-columns-spanned", "1"))
        high = int(self._attributes.get("table:number-rows-spanned", "1"))
        if wide > 1 or high > 1:
            self.merged.append(Range(self._row, self._column, self._row + high - 1, self._column + wide - 1))
        self._column += times
        self._paragraphs = []

    def _end_row(self) -> None:
        if self._cells or self._problems:
            if self._row + self._row_times > MOST_ROWS + 1:
                raise CellFailed(f"It has a row {self._row + self._row_times - 1:,}; {MOST_ROWS:,} is the most.")
            rows = range(self._row, self._row + self._row_times)
            self._done += [Row(row, self._cells, self._problems) for row in rows]
            self._cells, self._problems = {}, []
        self._row += self._row_times

    def _value(self) -> object:
        attributes = self._attributes
        kind = attributes.get("office:value-type", "")
        text = "\n".join(self._paragraphs)
        try:
            value = _typed(kind, attributes, text)
        except (ValueError, KeyError) as error:
            self._tell(str(error) if text in str(error) else f"{text!r} can't be read: {error}")
            return None
        if kind in _NUMBERS and is_rounded(attributes["office:value"], float(attributes["office:value"])):
            self._tell(f"{attributes['office:value']} was rounded to {value!r}")
        return value

    def _tell(self, problem: str) -> None:
        self._problems.append(f"{place(self._column, self._row)}: {problem}")


def _typed(kind: str, attributes: Attributes, text: str) -> object:
    """The value, or a ValueError that says why there is none."""
    is_formula = "table:formula" in attributes
    if attributes.get("calcext:value-type") == "error" or (is_formula and text.startswith("#")):
        raise ValueError(text)
    if is_formula and not kind and not text:
        raise ValueError(f"the formula {attributes['table:formula']} has no value")
    if kind in _NUMBERS:
        return plain(float(attributes["office:value"]))
    if kind == "boolean":
        return attributes["office:boolean-value"] == "true"
    if kind == "date":
        moment = datetime.fromisoformat(attributes["office:date-value"])
        return moment if "T" in attributes["office:date-value"] else moment.date()
    if kind == "time":
        return duration(_days(attributes["office:time-value"]))
    if kind == "string":
        return attributes.get("office:string-value", text)
    return text or None


def _days(time: str) -> float:
    found = _TIME.fullmatch(time)
    if not found:
        raise ValueError(f"{time} is no time")
    sign, hours, minutes, seconds = found.groups("0")
    days = (int(hours) + int(minutes) / 60 + float(seconds.replace(",", ".")) / 3600) / 24
    return -days if sign == "-" else days
