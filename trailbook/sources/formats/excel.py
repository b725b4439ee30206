"""Workbooks: one of the sheets, from the row that holds the names on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import islice
from pathlib import Path

import pyarrow as pa
from pydantic import Field

from trailbook.errors import CellFailed, Invalid
from trailbook.sources.formats.excel_layout import LOOKED_AT, ColumnKinds, found_header, with_merged
from trailbook.sources.formats.format import FORMATS, Column, Format, Layout, Options, head_of, laid_out
from trailbook.sources.formats.ods import Ods
from trailbook.sources.formats.records import Record, batched, joined, json_text, shown
from trailbook.sources.formats.sheets import Row, Workbook
from trailbook.sources.formats.xlsx import Xlsx

_ODS = b"application/vnd.oasis.opendocument.spreadsheet"


class ExcelOptions(Options):
    sheet: str = Field("", description="The name of the sheet, or its number from 1; empty takes the first with data.")
    header: int | None = Field(
        None, ge=0, description="The number of the row that holds the names; 0 if none does; empty guesses it."
    )
    fill_merged: bool = Field(False, description="Put the value of merged cells into all of them, not only the first.")


class ExcelFormat(Format[ExcelOptions]):
    """Formulas are read as the values that were last shown; those without one, and errors, are NULL with a problem."""

    name = "excel"
    title = "Excel, ODS"
    extensions = (".xlsx", ".xlsm", ".ods")
    media_types = ("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", _ODS.decode())
    needs_end = True
    Options = ExcelOptions

    def is_it(self, head: bytes) -> bool:
        return head.startswith(b"PK\x03\x04") and (_ODS in head[:200] or b"xl/" in head or b"[Content_Types]" in head)

    def layout(self, path: Path, options: ExcelOptions, most_records: int | None = None) -> Layout[ExcelOptions]:
        book = _opened(path)
        sheet = _named(book, options.sheet) if options.sheet else _first_with_data(book)
        some = list(islice(book.rows(sheet), LOOKED_AT))
        header = options.header if options.header is not None else found_header(some)
        kinds = ColumnKinds()
        for row in islice(_rows(book, sheet, options.fill_merged), most_records):
            if row.number > header:
                kinds.add(row)
        names = next((row.cells for row in some if row.number == header), {})
        if not some:
            raise CellFailed(f"The sheet {sheet} is empty.")
        columns = _columns(names, kinds)
        told = [*_guessed(book, sheet, header, options), *kinds.told(columns)]
        if most_records is None:
            # They stand at the end of the sheet, too far for a preview.
            told += _merged(book, sheet, options)
        settled = options.model_copy(update={"sheet": sheet, "header": header})
        return Layout(columns, settled, tuple(told), options.header is not None)

    def batches(
        self, path: Path, layout: Layout[ExcelOptions], most_records: int | None = None
    ) -> Iterator[pa.RecordBatch]:
        rows = _rows(_opened(path), layout.options.sheet, layout.options.fill_merged)
        return batched(_records(rows, layout), layout, most_records)


def _opened(path: Path) -> Workbook:
    return Ods(path) if _ODS in head_of(path)[:200] else Xlsx(path)


def _named(book: Workbook, sheet: str) -> str:
    if sheet in book.sheets:
        return sheet
    if sheet.isdecimal() and 0 < int(sheet) <= len(book.sheets):
        return book.sheets[int(sheet) - 1]
    raise Invalid(f"There is no sheet {sheet!r} in it. There is: {', '.join(book.sheets)}.")


def _first_with_data(book: Workbook) -> str:
    """Those that can't be seen come last."""
    for sheet in sorted(book.sheets, key=lambda sheet: sheet in book.hidden):
        if any(row.cells for row in book.rows(sheet)):
            return sheet
    raise CellFailed(f"There is nothing in its sheets: {', '.join(book.sheets)}.")


def _columns(names: Mapping[int, object], kinds: ColumnKinds) -> tuple[Column, ...]:
    """Only those that hold something: a cell far away does not make all columns up to there."""
    places = sorted({*names, *kinds.places()})
    # Line ends in names are there to make columns narrow.
    fields = [(" ".join(str(names.get(place, "")).split()), kinds.kind(place)) for place in places]
    columns = laid_out(fields, has_types=False)
    return tuple(replace(column, key=str(place)) for column, place in zip(columns, places, strict=True))


def _guessed(book: Workbook, sheet: str, header: int, options: ExcelOptions) -> Iterator[str]:
    others = [other for other in book.sheets if other != sheet]
    if not options.sheet and others:
        yield f"the sheet {sheet} was taken, the first with data; there is also {', '.join(others)}"
    if options.header is None:
        yield f"row {header} was taken for the names of the columns" if header else "no row was seen to hold names"


def _merged(book: Workbook, sheet: str, options: ExcelOptions) -> Iterator[str]:
    count = len(book.merged(sheet))
    if count and options.fill_merged:
        yield f"{count:,} times cells are merged; each of them got the value"
    elif count:
        yield f"{count:,} times cells are merged; the value is in the first of them, and the others are NULL"


def _rows(book: Workbook, sheet: str, is_filled: bool) -> Iterator[Row]:
    return with_merged(book.rows(sheet), book.merged(sheet)) if is_filled else book.rows(sheet)


def _records(rows: Iterator[Row], layout: Layout[ExcelOptions]) -> Iterator[Record]:
    places = [int(column.key) for column in layout.columns]
    known = frozenset(places)
    header = layout.options.header or 0
    for row in rows:
        if row.number <= header and layout.is_header_said and not row.is_lost:
            continue
        problem = joined(*row.problems, _why_left_out(row, header))
        if row.number > header and not row.cells.keys() <= known:
            others = {place: str(value) for place, value in row.cells.items() if place not in known}
            problem = joined(problem, f"row {row.number} has values that have no column: {shown(json_text(others))}")
        values = [row.cells.get(place) for place in places]
        yield Record(row.number, values, problem, row.is_lost or row.number <= header, is_lost=row.is_lost)


def _why_left_out(row: Row, header: int) -> str | None:
    if row.number > header:
        return None
    text = shown(", ".join(map(str, row.cells.values())))
    what = "taken for the names of the columns" if row.number == header else "left out, as it stands above the names"
    return f"row {row.number} was {what}: {text}"


FORMATS.add(ExcelFormat.name, ExcelFormat())
