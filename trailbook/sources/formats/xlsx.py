"""Excel's workbooks (.xlsx)."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from trailbook.sources.formats.excel_dates import Dates, is_date_format
from trailbook.sources.formats.markup import Attributes, Markup, local, tags
from trailbook.sources.formats.sheets import DAMAGE, Package, Range, Row, rows_of
from trailbook.sources.formats.xlsx_cells import Cells, Texts, range_of

_BUILT_IN_DATES = frozenset({*range(14, 23), *range(27, 37), *range(45, 48), *range(50, 59)})
_SHARED_STRINGS, _STYLES = "xl/sharedStrings.xml", "xl/styles.xml"


class Xlsx:
    """A workbook whose parts are read when they are needed."""

    def __init__(self, path: Path) -> None:
        self._package = Package(path)
        self._parts: dict[str, str] = {}
        self.hidden: list[str] = []
        self._is_1904 = False
        self._read_index()
        self.sheets = list(self._parts)
        self._texts: list[str] | None = None

    def _read_index(self) -> None:
        with self._package.part("xl/_rels/workbook.xml.rels") as source:
            links = tags(source)
        targets = {attributes.get("Id"): attributes.get("Target", "") for _, attributes in links}
        with self._package.part("xl/workbook.xml") as source:
            for name, attributes in tags(source):
                if name == "sheet":
                    self._add(attributes, targets)
                elif name == "workbookPr":
                    self._is_1904 = attributes.get("date1904") in ("1", "true")

    def _add(self, attributes: Attributes, targets: dict[str | None, str]) -> None:
        link = next((value for key, value in attributes.items() if local(key) == "id"), None)
        target = targets.get(link, "")
        if "worksheets/" not in target:
            # A sheet with a chart has no cells.
            return
        self._parts[attributes["name"]] = posixpath.normpath(posixpath.join("xl", target)).lstrip("/")
        if attributes.get("state", "visible") != "visible":
            self.hidden.append(attributes["name"])

    def rows(self, sheet: str) -> Iterator[Row]:
        cells = Cells(self._strings(), self._styles(), Dates(self._is_1904))
        with self._package.part(self._parts[sheet]) as source:
            yield from rows_of(source, cells.markup, cells.taken)

    def merged(self, sheet: str) -> list[Range]:
        found: list[Range] = []

        def start(name: str, attributes: Attributes) -> None:
            if local(name) == "mergeCell":
                found.append(range_of(attributes["ref"]))

        # They stand at the end of a sheet; what is wrong with it the rows tell.
        with suppress(*DAMAGE), self._package.open(self._parts[sheet]) as source:
            for _ in Markup(start).read(source):
                pass
        return found

    def _strings(self) -> list[str]:
        if self._texts is None:
            texts = Texts()
            if _SHARED_STRINGS in self._package:
                with self._package.part(_SHARED_STRINGS) as source:
                    for _ in texts.markup.read(source):
                        pass
            self._texts = texts.found
        return self._texts

    def _styles(self) -> list[str | None]:
        """For each style of cells the format of its dates, None if it is one of numbers."""
        if _STYLES not in self._package:
            return []
        codes: dict[int, str] = {}
        styles: list[str | None] = []
        is_cell = False
        with self._package.part(_STYLES) as source:
            for name, attributes in tags(source):
                if name == "numFmt":
                    codes[int(attributes["numFmtId"])] = attributes.get("formatCode", "")
                elif name == "xf" and is_cell:
                    styles.append(_date_format(int(attributes.get("numFmtId", "0")), codes))
                elif name in ("cellXfs", "cellStyles"):
                    is_cell = name == "cellXfs"
        return styles


def _date_format(number: int, codes: dict[int, str]) -> str | None:
    if number in codes:
        return codes[number] if is_date_format(codes[number]) else None
    return _BUILT_IN.get(number, "y") if number in _BUILT_IN_DATES else None


_BUILT_IN = {18: "h", 19: "h", 20: "h", 21: "h", 22: "y h", 45: "m:s", 46: "[h]:mm:ss", 47: "m:s"}
"""The formats that Excel has without writing them down, as far as they are of times."""
