"""Workbooks as another program reads them."""

from __future__ import annotations

import errno
import gc
import io
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any

import pyarrow as pa
import pytest
from openpyxl import load_workbook
from openpyxl.cell import Cell
from openpyxl.utils.escape import unescape

from tests.sinks.made import dataset, written
from trailbook.errors import Invalid
from trailbook.model.artifacts import Doubt
from trailbook.sinks.excel.sheet import MOST_COMMENTS, Mark
from trailbook.sinks.formats.excel import sheet_name
from trailbook.sinks.outgoing import Outgoing
from trailbook.sinks.sink import SINKS


def sheet(data: Outgoing, **options: Any) -> Any:
    return load_workbook(io.BytesIO(written("excel", data, **options)[0])).active


def values(data: Outgoing) -> list[list[Any]]:
    return [[_read(cell.value) for cell in row] for row in sheet(data).iter_rows(min_row=2)]


def _read(value: Any) -> Any:
    """What openpyxl leaves to others: characters that XML has no place for."""
    return unescape(value) if isinstance(value, str) else value


def cells(found: Any) -> Iterator[Cell]:
    return (cell for row in found.iter_rows() for cell in row)


def test_values_are_numbers_dates_booleans_and_texts_of_excel() -> None:
    data = dataset(
        {
            "n": [1, None],
            "f": [0.5, None],
            "d": [Decimal("1.10"), None],
            "day": [date(2026, 5, 1), date(1900, 3, 1)],
            "moment": pa.array([datetime(2026, 5, 1, 12, 30, 15, tzinfo=UTC), None], pa.timestamp("us", "Asia/Tokyo")),
            "yes": [True, False],
            "text": ["x", "_x0041_\x01"],
            "list": [[1, 2], None],
        }
    )
    assert values(data) == [
        [1, 0.5, 1.1, datetime(2026, 5, 1), datetime(2026, 5, 1, 21, 30, 15), True, "x", "[1,2]"],
        [None, None, None, datetime(1900, 3, 1), None, False, "_x0041_\x01", None],
    ]
    assert written("excel", data)[1] == ["The times of moment are those of Asia/Tokyo: Excel knows no zones."]


def test_what_excel_would_round_or_not_understand_is_text_and_it_is_told() -> None:
    data = dataset(
        {
            "n": [10**15, 10**15 - 1],
            "f": [float("nan"), -float("inf")],
            "d": [Decimal("1234567890123456.7"), Decimal("1.0")],
            "day": pa.array([date(1815, 12, 10), date(2026, 1, 1)], pa.date32()),
        }
    )
    assert values(data) == [
        ["1000000000000000", "NaN", "1234567890123456.7", "1815-12-10"],
        [10**15 - 1, "-Infinity", 1, datetime(2026, 1, 1)],
    ]
    notes = written("excel", data)[1]
    assert notes[0] == "Values of n that Excel has no exact form for (1) are written as text."
    assert len(notes) == 4


def test_numbers_have_all_their_digits() -> None:
    numbers = [0.1 + 0.2, 1 / 3, 123456789012345680.0, 5e-324, -0.1]
    assert values(dataset({"f": numbers})) == [[number] for number in numbers]


def test_a_decimal_of_many_digits_is_text_however_many_are_zero() -> None:
    long = "1.0000000000000000000000000000000000001"
    data = dataset({"d": pa.array([Decimal(long), Decimal(1)], pa.decimal128(38, 37))})
    assert values(data) == [[long], [1]]


def test_times_that_are_rounded_are_told_of() -> None:
    moments = [datetime(2026, 5, 1, 12, 30, 0, 250_000), datetime(2026, 5, 1, 12, 30, 0, 123_456), None]
    data = dataset({"t": pa.array(moments, pa.timestamp("us"))})
    told = "Times of t that have less than milliseconds (1) are rounded to those."
    assert values(data) == [[moments[0]], [datetime(2026, 5, 1, 12, 30, 0, 123_000)]]
    blank = "Rows with nothing but NULL (1) are blank in the sheet, and readers may skip them."
    assert written("excel", data)[1] == [told, blank]


def test_rows_that_may_be_missing_are_told_of() -> None:
    data = replace(dataset({"a": [1], "b": [2]}), doubt=Doubt(phantoms=3))
    found = sheet(data)
    assert found["A1"].comment.text == "Rows may be missing here that were left out in doubt."
    assert found["B1"].comment is None


def test_reasons_with_any_characters_leave_a_workbook_that_opens() -> None:
    data = replace(dataset({"a": [1]}, marks=[0b10]), reasons={"a": "\x00 \ufffe <b> _x0041_"})
    assert sheet(data)["A2"].comment is not None


def test_a_disk_that_is_full_says_so() -> None:
    class Disk(io.BytesIO):
        is_full = True

        def write(self, content: Any) -> int:
            if self.is_full:
                raise OSError(errno.ENOSPC, "No space left on device")
            return super().write(content)

    sink, disk = SINKS.get("excel"), Disk()
    with pytest.raises(OSError, match="No space left"):
        sink.write(dataset({"a": [1]}), disk, sink.options())
    # What is left of the archive tries once more when it is collected.
    disk.is_full = False
    gc.collect()


def test_formulas_are_texts_that_stay_texts() -> None:
    data = dataset({"=name": ["=1+1", "-5", "@x"]})
    name, first, number, last = cells(sheet(data))
    assert (name.value, first.value, first.data_type) == ("=name", "=1+1", "s")
    assert [cell.quotePrefix for cell in (name, first, number, last)] == [True, True, False, True]
    assert not any(cell.quotePrefix for cell in cells(sheet(data, guard_formulas=False)))
    assert {cell.data_type for cell in cells(sheet(data, guard_formulas=False))} == {"s"}


def colour(cell: Cell) -> str:
    return "#" + str(cell.fill.fgColor.rgb)[2:] if cell.fill.fill_type else ""


def test_marks_are_colours_and_comments_with_the_reasons() -> None:
    data = dataset({"a": [1, None, 3], "b": ["x", "=y", "z"]}, marks=[0, 0b110, 0b001])
    data = replace(data, reasons={"a": "'12O' is not an int (1)"})
    found = sheet(data)
    assert [[colour(cell) for cell in row] for row in found.iter_rows()] == [
        ["", ""],
        ["", ""],
        [Mark.VALUE, Mark.VALUE],
        [Mark.ROW, Mark.ROW],
    ]
    assert {cell.coordinate: cell.comment.text for cell in cells(found) if cell.comment} == {
        "A1": "In doubt: 1 of 3 values.\n'12O' is not an int (1)",
        "B1": "In doubt: 1 of 3 values.",
        "A3": "'12O' is not an int (1)",
        "B3": "This value is in doubt.",
        "A4": "It is in doubt whether this row belongs here.",
    }
    plain = sheet(data, marks="none")
    assert not any(cell.comment or colour(cell) for cell in cells(plain))


def test_all_marks_have_a_colour_and_the_first_thousand_a_comment() -> None:
    content, notes = written("excel", dataset({"a": range(1500)}, marks=[0b10] * 1500))
    found = [cell for cell in cells(load_workbook(io.BytesIO(content)).active) if cell.row > 1]
    assert all(colour(cell) == Mark.VALUE for cell in found)
    assert [bool(cell.comment) for cell in found] == [True] * MOST_COMMENTS + [False] * 500
    assert notes == ["The first 1,000 marks have comments; all have their colour."]


def test_what_has_no_room_is_refused_with_what_has() -> None:
    data = dataset({"a": [1]})
    with pytest.raises(Invalid, match=r"sales has 1,048,576 rows.*room for 1,048,575.*CSV or Parquet"):
        written("excel", replace(data, rows=1_048_576))
    wide = pa.schema([(f"c{i}", pa.int64()) for i in range(16_385)])
    with pytest.raises(Invalid, match=r"16,385 columns.*room for 16,384"):
        written("excel", replace(data, schema=wide))
    with pytest.raises(Invalid, match=r"A text of a has 32,768 characters"):
        written("excel", dataset({"a": ["x" * 32_768]}))
    with pytest.raises(Invalid, match=r"A text of a has 32,768 characters"):
        written("excel", dataset({"a": ["🙂" * 16_384]}))
    with pytest.raises(Invalid, match=r"The name of a column has 32,768 characters"):
        written("excel", dataset({"a" * 32_768: [1]}))
    assert values(dataset({"a": ["é" * 32_767]})) == [["é" * 32_767]]


@pytest.mark.parametrize(
    ("wanted", "given"),
    [
        ("sales", "sales"),
        ("a/b:c*[d]?", "a b c  d"),
        ("x" * 40, "x" * 31),
        ("🙂" * 20, "🙂" * 15),
        ("a\ufffeb", "a b"),
        ("''", "Data"),
        ("History", "Data"),
    ],
)
def test_a_sheet_has_a_name_that_excel_takes(wanted: str, given: str) -> None:
    assert sheet_name(wanted) == given
    data = dataset({"a": [1]}, name=wanted)
    assert sheet(data).title == given
    told = [] if wanted == given else [f"The sheet is called {given}: Excel does not take {wanted}."]
    assert written("excel", data)[1] == told
