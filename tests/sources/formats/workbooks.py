"""Workbooks to read: those of Excel as openpyxl writes them, those of LibreOffice by hand."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable

from openpyxl import Workbook
from openpyxl.utils.datetime import MAC_EPOCH
from openpyxl.worksheet.worksheet import Worksheet

_ODS = "application/vnd.oasis.opendocument.spreadsheet"
_NAMES = " ".join(
    f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
    for name in ("office", "table", "text", "calcext")
)


def xlsx(fill: Callable[[Worksheet], None], *, is_1904: bool = False) -> bytes:
    """A workbook whose only sheet is filled that way."""
    book = Workbook()
    if is_1904:
        book.epoch = MAC_EPOCH
    assert isinstance(book.active, Worksheet)
    fill(book.active)
    return saved(book)


def saved(book: Workbook) -> bytes:
    target = io.BytesIO()
    book.save(target)
    return target.getvalue()


def table(*rows: list[object]) -> Callable[[Worksheet], None]:
    def fill(sheet: Worksheet) -> None:
        for row in rows:
            sheet.append(row)

    return fill


def edited(content: bytes, part: str, old: str, new: str) -> bytes:
    """The workbook with some text in one of its parts replaced."""
    parts = {}
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        for name in archive.namelist():
            parts[name] = archive.read(name)
    assert old.encode() in parts[part]
    parts[part] = parts[part].replace(old.encode(), new.encode())
    return zipped(parts)


def zipped(parts: dict[str, bytes]) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, part in parts.items():
            archive.writestr(name, part)
    return target.getvalue()


def ods(*sheets: str) -> bytes:
    """A spreadsheet of sheets whose rows are given as XML."""
    tables = "".join(
        f'<table:table table:name="S{number}">{rows}</table:table>' for number, rows in enumerate(sheets, 1)
    )
    content = f"<office:document-content {_NAMES}><office:body>{tables}</office:body></office:document-content>"
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        archive.writestr("mimetype", _ODS)
        archive.writestr("content.xml", content)
    return target.getvalue()


def ods_row(*cells: str, more: str = "") -> str:
    return f"<table:table-row {more}>{''.join(cells)}</table:table-row>"


def ods_cell(text: str, more: str = 'office:value-type="string"') -> str:
    return f"<table:table-cell {more}><text:p>{text}</text:p></table:table-cell>"
