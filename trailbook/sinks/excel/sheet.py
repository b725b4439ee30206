"""A sheet of Excel, row by row."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from trailbook.sinks.excel.values import Cells, Look, cells_of
from trailbook.sinks.outgoing import Outgoing
from trailbook.store.masks import ROW_BIT, read_bit

if TYPE_CHECKING:
    from xlsxwriter import Workbook
    from xlsxwriter.format import Format

    from trailbook.sinks.formats.excel import ExcelOptions

MOST_COMMENTS = 1000
"""On cells: they are in memory until the end, and a sheet full of them is slow to open."""
LONGEST_COMMENT = 1000


class Mark(StrEnum):
    """What is in doubt of a cell, and the colour of it."""

    NONE = ""
    VALUE = "#FFD591"
    ROW = "#FFF1D6"


class Sheet:
    def __init__(self, book: Workbook, name: str, data: Outgoing, options: ExcelOptions) -> None:
        self._book = book
        self._data = data
        self._options = options
        self._sheet = book.add_worksheet(name)
        self._formats: dict[tuple[Look, Mark], Format] = {}
        self._row = 0
        self._comments = 0
        self._is_marked = options.marks == "cells" and not data.doubt.is_none
        self._as_text: dict[str, int] = {}
        self._write_names()

    def write(self, batch: pa.RecordBatch) -> None:
        columns = [self._cells(name, batch.column(i)) for i, name in enumerate(self._data.schema.names)]
        marks = [self._marks(batch, i + 1) for i in range(len(columns))]
        rows = self._marks(batch, ROW_BIT)
        for i in range(batch.num_rows):
            self._row += 1
            row_mark = Mark.ROW if rows and rows[i] else Mark.NONE
            for column, cells in enumerate(columns):
                marked = marks[column]
                self._write_cell(column, cells, i, Mark.VALUE if marked and marked[i] else row_mark)
            if row_mark:
                self._comment(0, "It is in doubt whether this row belongs here.")

    def finish(self) -> list[str]:
        """What a reader of the sheet should know."""
        notes = [
            f"Values of {name} that Excel has no exact form for ({count:,}) are written as text."
            for name, count in self._as_text.items()
        ]
        zones = {field.name: field.type.tz for field in self._data.schema if pa.types.is_timestamp(field.type)}
        notes += [
            f"The times of {name} are those of {zone}: Excel knows no zones." for name, zone in zones.items() if zone
        ]
        if self._is_marked and self._comments >= MOST_COMMENTS:
            notes.append(f"The first {MOST_COMMENTS:,} marks have comments; all have their colour.")
        return notes

    def _write_names(self) -> None:
        bold = self._book.add_format({"bold": True})
        for column, name in enumerate(self._data.schema.names):
            self._sheet.write_string(0, column, name, bold)
            count = self._data.doubt.values.get(name)
            if self._is_marked and count:
                said = f"In doubt: {count:,} of {self._data.rows:,} values."
                self._sheet.write_comment(0, column, _short(f"{said}\n{self._data.reasons.get(name, '')}"))
        self._sheet.freeze_panes(1, 0)

    def _cells(self, name: str, array: pa.Array) -> Cells:
        cells = cells_of(name, array)
        if cells.as_text:
            self._as_text[name] = self._as_text.get(name, 0) + cells.as_text
        return cells

    def _marks(self, batch: pa.RecordBatch, bit: int) -> Sequence[bool] | None:
        """Which rows have the mark, if there are any."""
        found = read_bit(batch, bit) if self._is_marked else None
        return found.tolist() if found is not None and found.any() else None

    def _write_cell(self, column: int, cells: Cells, i: int, mark: Mark) -> None:
        value = cells.values[i]
        if value is None:
            if mark:
                self._sheet.write_blank(self._row, column, None, self._format(Look.PLAIN, mark))
        elif isinstance(value, str):
            is_formula = self._options.guard_formulas and cells.formulas is not None and cells.formulas[i]
            look = Look.QUOTED if is_formula else Look.PLAIN
            self._sheet.write_string(self._row, column, value, self._format(look, mark))
        elif isinstance(value, bool):
            self._sheet.write_boolean(self._row, column, value, self._format(Look.PLAIN, mark))
        else:
            self._sheet.write_number(self._row, column, value, self._format(cells.look, mark))
        if mark is Mark.VALUE:
            self._comment(column, self._data.reasons.get(self._data.schema.names[column]) or "This value is in doubt.")

    def _comment(self, column: int, text: str) -> None:
        if self._comments < MOST_COMMENTS:
            self._comments += 1
            self._sheet.write_comment(self._row, column, _short(text))

    def _format(self, look: Look, mark: Mark) -> Format | None:
        if not look and not mark:
            return None
        if (look, mark) not in self._formats:
            self._formats[look, mark] = self._book.add_format(_properties(look, mark))
        return self._formats[look, mark]


def _properties(look: Look, mark: Mark) -> dict[str, Any]:
    shown: dict[str, Any] = {"bg_color": str(mark)} if mark else {}
    if look is Look.QUOTED:
        return {**shown, "quote_prefix": True}
    return {**shown, "num_format": str(look)} if look else shown


def _short(text: str) -> str:
    text = text.strip()
    return text if len(text) <= LONGEST_COMMENT else text[: LONGEST_COMMENT - 1] + "…"
