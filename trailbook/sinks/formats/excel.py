"""Workbooks of Excel. What is in doubt has a colour, and comments say why.

Written by XlsxWriter, row by row into a file aside: what is in memory does not grow with the rows.
"""

from __future__ import annotations

import re
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, BinaryIO, ClassVar, Literal

from pydantic import Field

from trailbook.errors import Invalid
from trailbook.sinks.sink import SINKS, Options, Sink

if TYPE_CHECKING:
    from trailbook.sinks.outgoing import Outgoing

MOST_ROWS = 1_048_576
MOST_COLUMNS = 16_384
LONGEST_SHEET_NAME = 31
_NOT_IN_SHEET_NAMES = re.compile(r"[\[\]:*?/\\\x00-\x1f\ufffe\uffff]")


class ExcelOptions(Options):
    marks: Literal["none", "cells"] = Field(
        default="cells",
        description="cells: what is in doubt is coloured, and comments on the first thousand cells say why.",
    )
    sheet: str = Field(
        default="", max_length=LONGEST_SHEET_NAME, description="The name of the sheet; empty is the dataset's."
    )
    guard_formulas: bool = Field(
        default=True, description="Have Excel keep texts that look like formulas as text, even when people edit them."
    )


class ExcelSink(Sink[ExcelOptions]):
    """One sheet. Numbers of more than 15 digits, which Excel would round, are written as text, and it is told."""

    format: ClassVar[str] = "excel"
    title: ClassVar[str] = "Excel"
    extension: ClassVar[str] = ".xlsx"
    media_type: ClassVar[str] = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
    options: ClassVar[type[ExcelOptions]] = ExcelOptions
    tells_reasons: ClassVar[bool] = True

    def write(self, data: Outgoing, target: BinaryIO, options: ExcelOptions) -> list[str]:
        from xlsxwriter import Workbook
        from xlsxwriter.exceptions import FileCreateError

        from trailbook.sinks.excel.sheet import Sheet

        _require_room(data)
        with TemporaryDirectory(prefix="trailbook-") as aside:
            # Zip64 is for what has more than 4 GB before it is packed.
            settings = {"constant_memory": True, "tmpdir": aside, "use_zip64": True}
            book = Workbook(target, settings)
            wanted = options.sheet or data.name
            name = sheet_name(wanted)
            sheet = Sheet(book, name, data, options)
            for batch in data.batches():
                sheet.write(batch)
            notes = sheet.finish()
            try:
                book.close()
            except FileCreateError as error:
                # What the disk said, which XlsxWriter wraps.
                raise error.args[0] from error
        return notes if name == wanted else [*notes, f"The sheet is called {name}: Excel does not take {wanted}."]


def sheet_name(wanted: str) -> str:
    """The nearest name that Excel takes."""
    units = _NOT_IN_SHEET_NAMES.sub(" ", wanted).encode("utf-16-le")[: 2 * LONGEST_SHEET_NAME]
    # Half of a character at the end is left out.
    name = units.decode("utf-16-le", "ignore").strip(" '")
    return name if name and name.lower() != "history" else "Data"


def _require_room(data: Outgoing) -> None:
    if data.rows > MOST_ROWS - 1:
        raise Invalid(
            f"{data.name} has {data.rows:,} rows, and a sheet of Excel has room for {MOST_ROWS - 1:,} and their names. "
            "Export it as CSV or Parquet."
        )
    if len(data.schema) > MOST_COLUMNS:
        raise Invalid(
            f"{data.name} has {len(data.schema):,} columns, and a sheet of Excel has room for {MOST_COLUMNS:,}. "
            "Export it as CSV or Parquet."
        )


SINKS.add(ExcelSink.format, ExcelSink())
