"""A sheet of Excel, row by row."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from enum import StrEnum
from functools import reduce
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc

from trailbook.sinks.excel.values import Cells, Look, cells_of, require_short
from trailbook.sinks.formulas import are_formulas
from trailbook.sinks.outgoing import Outgoing
from trailbook.sinks.texts import TEXT
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
        self._as_text: Counter[str] = Counter()
        self._rounded: Counter[str] = Counter()
        self._blank = 0
        self._write_names()

    def write(self, batch: pa.RecordBatch) -> None:
        columns = [self._cells(name, batch.column(i)) for i, name in enumerate(self._data.schema.names)]
        marks = [self._marks(batch, i + 1) for i in range(len(columns))]
        rows = self._marks(batch, ROW_BIT)
        nulls = [batch.column(i).is_null() for i in range(len(columns))]
        self._blank += reduce(pc.and_, nulls).true_count if nulls else 0
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
        notes = [note for name in self._data.schema.names for note in self._said_of(name)]
        if self._blank:
            notes.append(
                f"Rows with nothing but NULL ({self._blank:,}) are blank in the sheet, and readers may skip them."
            )
        if self._is_marked and self._comments >= MOST_COMMENTS:
            notes.append(f"The first {MOST_COMMENTS:,} marks have comments; all have their colour.")
        return notes

    def _said_of(self, name: str) -> Iterator[str]:
        """What became of the values of a column."""
        if count := self._as_text[name]:
            yield f"Values of {name} that Excel has no exact form for ({count:,}) are written as text."
        if count := self._rounded[name]:
            yield f"Times of {name} that have less than milliseconds ({count:,}) are rounded to those."
        type_ = self._data.schema.field(name).type
        if pa.types.is_timestamp(type_) and type_.tz:
            yield f"The times of {name} are those of {type_.tz}: Excel knows no zones."

    def _write_names(self) -> None:
        names = pa.array(self._data.schema.names, TEXT)
        require_short("The name of a column", names)
        formulas = are_formulas(names).to_pylist()
        looks = [self._book.add_format({"bold": True, "quote_prefix": is_quoted}) for is_quoted in (False, True)]
        for column, name in enumerate(names.to_pylist()):
            look = looks[formulas[column] and self._options.guard_formulas]
            self._sheet.write_string(0, column, name, look)
            if self._is_marked and (said := "\n".join(self._doubts_of(column, name))):
                self._sheet.write_comment(0, column, _short(said))
        self._sheet.freeze_panes(1, 0)

    def _doubts_of(self, column: int, name: str) -> Iterator[str]:
        """What is in doubt of a column; of rows that may be missing, the first one tells."""
        doubt = self._data.doubt
        if column == 0 and doubt.may_miss_rows:
            yield "Rows may be missing here that were left out in doubt."
        if count := doubt.values.get(name):
            yield f"In doubt: {count:,} of {self._data.rows:,} values."
            yield self._data.reasons.get(name, "")

    def _cells(self, name: str, array: pa.Array) -> Cells:
        cells = cells_of(name, array)
        self._as_text[name] += cells.as_text
        self._rounded[name] += cells.rounded
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
