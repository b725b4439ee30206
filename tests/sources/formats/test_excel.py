"""Workbooks of Excel and LibreOffice."""

from __future__ import annotations

from datetime import date, datetime, time

import pytest
from openpyxl import Workbook
from openpyxl.worksheet.worksheet import Worksheet

from tests.sources.formats.reading import Reader
from tests.sources.formats.workbooks import edited, ods, ods_cell, ods_row, saved, table, xlsx, zipped
from trailbook.errors import CellFailed, Invalid, TooLarge

SHEET = "xl/worksheets/sheet1.xml"
ENDLESS = 'table:number-rows-repeated="1048000"'


def test_values_have_the_types_of_their_cells(read: Reader) -> None:
    moment = datetime(2020, 1, 2, 12, 30)
    loaded = read(
        "excel",
        xlsx(table(["t", "i", "f", "b", "d", "m"], ["a", 1, 2.5, True, date(2020, 1, 2), moment], ["b", 2, 3, False])),
    )
    assert list(loaded.columns.values()) == ["string", "bigint", "double", "boolean", "date", "timestamp_ntz"]
    assert loaded.rows == [("a", 1, 2.5, True, date(2020, 1, 2), moment), ("b", 2, 3.0, False, None, None)]
    assert loaded.problems == {}


def test_titles_above_the_names_are_left_out_and_said(read: Reader) -> None:
    loaded = read("excel", xlsx(table(["Report of 2020"], [], ["a", "b"], [1, 2], [3, 4])))
    assert (loaded.rows, loaded.lines) == ([(1, 2), (3, 4)], [4, 5])
    assert "row 3 was taken for the names" in loaded.guessed
    assert '"Report of 2020"' in loaded.left_out[1]
    assert '"a, b"' in loaded.left_out[3]


def test_line_ends_in_names_and_values(read: Reader) -> None:
    loaded = read("excel", xlsx(table(["a\nb", "c"], ["d_x000D_\ne", 1])))
    assert loaded.columns == {"a b": "string", "c": "bigint"}
    assert loaded.rows == [("d\r\ne", 1)]


def test_the_row_of_names_can_be_given(read: Reader) -> None:
    content = xlsx(table(["a", "b"], ["c", "d"], ["e", "f"]))
    assert list(read("excel", content, header=2).columns) == ["c", "d"]
    assert (read("excel", content, header=2).left_out, read("excel", content, header=2).rows) == ({}, [("e", "f")])
    assert read("excel", content, header=0).rows == [("a", "b"), ("c", "d"), ("e", "f")]


def test_the_first_sheet_with_data_is_taken_or_one_by_name_or_number(read: Reader) -> None:
    book = Workbook()
    book.create_sheet("Data").append(["x", 1])
    hidden = book.create_sheet("Hidden", 0)
    hidden.append(["h"])
    hidden.sheet_state = "hidden"
    content = saved(book)
    assert read("excel", content).rows == [("x", 1)]
    assert "Data" in read("excel", content).guessed
    assert read("excel", content, sheet="1").rows == read("excel", content, sheet="Hidden").rows == [("h",)]
    with pytest.raises(Invalid, match=r"'4'.*Hidden, Sheet, Data"):
        read("excel", content, sheet="4")
    with pytest.raises(CellFailed, match="Sheet is empty"):
        read("excel", content, sheet="Sheet")


def test_errors_and_formulas_without_a_value_are_null_and_told(read: Reader) -> None:
    content = xlsx(table(["a", "b"], [1, "=A2*2"], [2, "#N/A"]))
    loaded = read("excel", content)
    assert loaded.rows == [(1, None), (2, None)]
    assert loaded.problems == {2: "B2: the formula =A2*2 has no value", 3: "B3: #N/A"}
    with_value = edited(content, SHEET, "<f>A2*2</f><v />", "<f>A2*2</f><v>2</v>")
    assert read("excel", with_value).rows == [(1, 2), (2, None)]


def test_a_column_of_several_types_is_text_and_said(read: Reader) -> None:
    loaded = read("excel", xlsx(table(["a"], [1], ["n/a"], [2.5], [date(2020, 1, 2)], [True])))
    assert loaded.rows == [("1",), ("n/a",), ("2.5",), ("2020-01-02",), ("true",)]
    assert "a has values of several types" in loaded.guessed


def test_a_text_that_is_not_there_is_null_and_told(read: Reader) -> None:
    content = xlsx(table(["a", "b"], [1, 2], [3, 4]))
    for number in ("-1", "99"):
        loaded = read("excel", edited(content, SHEET, '<c r="B3" t="n"><v>4</v>', f'<c r="B3" t="s"><v>{number}</v>'))
        assert loaded.rows == [(1, 2), (3, None)]
        assert loaded.problems == {3: f"B3: there is no text of number '{number}'"}


def _merged(sheet: Worksheet) -> None:
    table(["who", "n", "m"], ["Anna", 1, 2], [None, 3, 4], ["Bo", 5, None])(sheet)
    sheet.merge_cells("A2:A3")
    sheet.merge_cells("B4:C4")


def test_the_value_of_merged_cells_is_in_the_first_or_in_all(read: Reader) -> None:
    loaded = read("excel", xlsx(_merged))
    assert loaded.rows == [("Anna", 1, 2), (None, 3, 4), ("Bo", 5, None)]
    assert "2 times cells are merged" in loaded.guessed
    assert read("excel", xlsx(_merged), fill_merged=True).rows == [("Anna", 1, 2), ("Anna", 3, 4), ("Bo", 5, 5)]


@pytest.mark.parametrize("is_1904", [False, True])
def test_dates_are_right_in_both_of_excels_calendars(read: Reader, is_1904: bool) -> None:
    days = [date(1904, 1, 2), date(1999, 12, 31), date(2026, 2, 28)]
    rows: list[list[object]] = [[day] for day in days]
    assert read("excel", xlsx(table(["d"], *rows), is_1904=is_1904)).rows == [(day,) for day in days]


def test_days_before_march_1900_are_right_and_the_one_that_never_was_is_told(read: Reader) -> None:
    content = xlsx(table(["d"], [date(2020, 1, 2)], [date(2020, 1, 3)], [date(2020, 1, 4)]))
    for cell, number in (("43832", "59"), ("43833", "60"), ("43834", "61")):
        content = edited(content, SHEET, f"<v>{cell}</v>", f"<v>{number}</v>")
    loaded = read("excel", content)
    assert loaded.rows == [(date(1900, 2, 28),), (None,), (date(1900, 3, 1),)]
    assert "29 February 1900" in loaded.problems[3]


def test_times_without_a_day_are_text(read: Reader) -> None:
    assert read("excel", xlsx(table(["t"], [time(13, 5, 9)]))).rows == [("13:05:09",)]


def test_what_a_cell_holds_beyond_a_double_is_told(read: Reader) -> None:
    content = edited(xlsx(table(["n"], [7], [8])), SHEET, "<v>7</v>", f"<v>{2**60 + 1}</v>")
    loaded = read("excel", edited(content, SHEET, "<v>8</v>", "<v>1.1000000000000001</v>"))
    assert loaded.rows == [(float(2**60),), (1.1,)]
    assert loaded.problems == {2: f"A2: {2**60 + 1} was rounded to {float(2**60)!r}"}


@pytest.mark.parametrize(
    ("cells", "value", "problem"),
    [
        ('<c r="A2"><v>1</v></c><c r="A2"><v>2</v></c>', 2, "A2: there are several values, the last counts; one is 1"),
        ('<c r="A2" t="inlineStr"><is><t>東京</t><rPh><t>トウキョウ</t></rPh></is></c>', "東京", None),
        ('<c r="A2" t="d"><v>2026-03-31T10:00:00Z</v></c>', datetime(2026, 3, 31, 10), None),
        ('<c r="A2" t="d"><v>2026-03-31T10:00:00+02:00</v></c>', None, "A2: 2026-03-31T10:00:00+02:00 has a zone"),
    ],
    ids=["twice", "spoken", "utc", "zone"],
)
def test_what_excel_would_not_write_is_told(read: Reader, cells: str, value: object, problem: str | None) -> None:
    loaded = read("excel", edited(xlsx(table(["a"], [7])), SHEET, '<c r="A2" t="n"><v>7</v></c>', cells), header=1)
    assert loaded.rows == [(value,)]
    assert loaded.problems == ({2: problem} if problem else {})


@pytest.mark.parametrize(
    ("time", "value", "problem"),
    [
        ("PT10H05M59S", "10:05:59", None),
        ("-PT00H00M01.5S", "-00:00:01.500", None),
        ("PT26H", "26:00:00", None),
        ("half past", None, "A2: '10:05' can't be read: half past is no time"),
    ],
)
def test_times_of_libreoffice_have_the_seconds_that_are_not_shown(
    read: Reader, time: str, value: str | None, problem: str | None
) -> None:
    cell = ods_cell("10:05", f'office:value-type="time" office:time-value="{time}"')
    loaded = read("excel", ods(ods_row(ods_cell("t")) + ods_row(cell)), header=1)
    assert loaded.rows == [(value,)]
    assert loaded.problems == ({2: problem} if problem else {})


def test_a_cell_far_away_makes_one_column_not_all_up_to_there(read: Reader) -> None:
    def fill(sheet: Worksheet) -> None:
        sheet["A1"], sheet["XFD1048576"] = 1, 2

    assert read("excel", xlsx(fill)).rows == [(1, None), (None, 2)]


def test_a_sheet_that_is_damaged_is_read_as_far_as_it_goes(read: Reader) -> None:
    loaded = read("excel", edited(xlsx(table(["a"], [1], [2], [3])), SHEET, '<row r="4">', "<row <"))
    assert loaded.rows == [(1,), (2,)]
    assert "after row 3 the sheet is damaged" in loaded.lost[0]


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (b"\xd0\xcf\x11\xe0" + b"\0" * 600, "old kind"),
        (b"PK\x03\x04 and no more", "no workbook"),
        (zipped({"xl/workbook.xml": b"<x/>"}), "no workbook"),
        (edited(xlsx(table(["a"], [1])), SHEET, "<worksheet", '<!DOCTYPE w [<!ENTITY a "a">]><worksheet'), "entity"),
        (edited(xlsx(table(["a"], [1])), SHEET, 'r="A2"', 'r="AAAA2"'), "column AAAA"),
    ],
    ids=["xls", "cut off", "no sheets", "entities", "column"],
)
def test_what_is_no_workbook_or_means_harm_is_refused(read: Reader, content: bytes, what: str) -> None:
    with pytest.raises(CellFailed, match=what):
        read("excel", content)


def test_a_workbook_that_unpacks_without_end_is_refused(read: Reader) -> None:
    content = edited(xlsx(table(["a"], [1])), SHEET, "</sheetData>", "</sheetData>" + " " * 70_000_000)
    with pytest.raises(TooLarge, match=r"sheet1\.xml"):
        read("excel", content)


def test_a_spreadsheet_of_libreoffice(read: Reader) -> None:
    loaded = read(
        "excel",
        ods(
            "",
            ods_row(ods_cell("a"), ods_cell("b<text:s text:c='2'/>c"), ods_cell("d"))
            + ods_row(
                ods_cell("1,5", 'office:value-type="float" office:value="1.5"'),
                ods_cell("ja", 'office:value-type="boolean" office:boolean-value="true"'),
                ods_cell("2.1.", 'office:value-type="date" office:date-value="2020-01-02"'),
                more='table:number-rows-repeated="2"',
            )
            + ods_row(ods_cell("#DIV/0!", 'table:formula="of:=1/0" calcext:value-type="error"'))
            + ods_row('<table:table-cell table:formula="of:=1"/>')
            + ods_row(
                '<table:table-cell table:number-columns-repeated="16384"/>', more='table:number-rows-repeated="1048000"'
            ),
        ),
    )
    assert loaded.columns == {"a": "double", "b c": "boolean", "d": "date"}
    assert loaded.rows[:2] == [(1.5, True, date(2020, 1, 2))] * 2
    assert loaded.rows[2:] == [(None, None, None)] * 2
    assert loaded.problems == {4: "A4: #DIV/0!", 5: "A5: the formula of:=1 has no value"}


def test_merged_cells_of_libreoffice(read: Reader) -> None:
    merged = ods_cell("x", 'office:value-type="string" table:number-rows-spanned="2"')
    number = ods_cell("1", 'office:value-type="float" office:value="1"')
    content = ods(ods_row(merged, number) + ods_row("<table:covered-table-cell/>", number))
    assert read("excel", content, header=0).rows == [("x", 1), (None, 1)]
    assert read("excel", content, header=0, fill_merged=True).rows == [("x", 1), ("x", 1)]
