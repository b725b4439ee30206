"""CSV that other programs read as it was meant."""

from __future__ import annotations

import csv
import io
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Any

import duckdb
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.sinks.made import dataset, written
from trailbook.errors import Invalid
from trailbook.sinks.sink import SINKS, chosen

FORMULAS = [
    "=1+1",
    "+cmd|' /C calc'!A0",
    "-2+3",
    "@SUM(A1)",
    "\t=1",
    "\r=1",
    "\n=1",
    "＝1",
    " =1+1",
    "\u00a0@x",
    "\x00=1",
]
HARMLESS = ["-12.5", "+3", "-1,234.50", "-5e3", "-5%", " -7", "-", "=", " ", "a=b", "1-2", "'=1", "x@y"]


def lines(data: Any, **options: Any) -> str:
    return written("csv", data, **options)[0].decode("utf-8")


def test_each_type_has_a_form_that_can_be_read_back() -> None:
    data = dataset(
        {
            "n": pa.array([2**62], pa.int64()),
            "f": [0.1],
            "x": [float("nan")],
            "d": [Decimal("12345678901234567890.10")],
            "day": [date(2026, 5, 1)],
            "far": pa.array([4_000_000], pa.date32()),
            "moment": pa.array([datetime(2026, 5, 1, 12, 30, tzinfo=UTC)], pa.timestamp("us", "UTC")),
            "local": pa.array([datetime(2026, 5, 1, 12, 30, 0, 250_000)], pa.timestamp("us")),
            "yes": [True],
            "bytes": [b"\x00\xff"],
            "list": [[1, None]],
            "struct": [{"a": date(2026, 5, 1), "b": "é"}],
            "word": pa.array(["x"]).dictionary_encode(),
        }
    )
    (row,) = csv.reader(io.StringIO(lines(data, header=False)))
    assert row == [
        "4611686018427387904",
        "0.1",
        "NaN",
        "12345678901234567890.10",
        "2026-05-01",
        "12921-08-18",
        "2026-05-01 12:30:00Z",
        "2026-05-01 12:30:00.250000",
        "true",
        "AP8=",
        "[1,null]",
        '{"a":"2026-05-01","b":"é"}',
        "x",
    ]


@given(
    st.lists(st.tuples(st.text(), st.text()), max_size=5),
    st.sampled_from(",;\t|. -^]"),
    st.sampled_from(["lf", "crlf"]),
)
def test_any_text_is_read_back_as_it_was(rows: list[tuple[str, str]], delimiter: str, line_end: str) -> None:
    data = dataset({name: pa.array([row[i] for row in rows], pa.string()) for i, name in enumerate("ab")})
    text = lines(data, delimiter=delimiter, line_end=line_end, guard_formulas=False)
    read = list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True))
    assert read == [["a", "b"], *map(list, rows)]


def test_null_and_the_empty_text_are_told_apart() -> None:
    data = dataset({"a": ["", None, "NA"], "b": [1, 2, None]})
    assert lines(data) == 'a,b\n"",1\n,2\nNA,\n'
    assert lines(data, null="NA") == 'a,b\n,1\nNA,2\n"NA",NA\n'
    assert lines(data, quote="all", header=False) == '"","1"\n,"2"\n"NA",\n'


def test_null_in_the_only_column_is_no_blank_line_and_it_is_told() -> None:
    content, notes = written("csv", dataset({"a": ["x", None, "y"]}))
    assert content == b'a\nx\n""\ny\n'
    assert notes == ["NULL (1) is written as an empty text: most readers skip blank lines."]
    assert written("csv", dataset({"a": ["x", None]}), null="NA") == (b"a\nx\nNA\n", [])


def test_texts_that_spreadsheets_would_run_get_an_apostrophe_and_it_is_told() -> None:
    data = dataset({"=name": [*FORMULAS, *HARMLESS, None], "n": range(-12, 13)})
    content, notes = written("csv", data)
    (names, *rows) = csv.reader(io.StringIO(content.decode(), newline=""))
    assert names == ["'=name", "n"]
    assert [row[0] for row in rows] == [*("'" + text for text in FORMULAS), *HARMLESS, ""]
    assert rows[0][1] == "-12"
    assert notes == [
        "Texts of =name that start like a formula (11) have an apostrophe before them in the file.",
        "Names of columns that start like a formula (1) have an apostrophe before them in the file.",
    ]
    plain, notes = written("csv", data, guard_formulas=False)
    assert b"'=1+1" not in plain
    assert notes == []


def test_marks_become_columns_whose_names_are_free() -> None:
    data = dataset({"a": [1, 2], "A_in_doubt": ["x", "y"], "b": [3, 4]}, marks=[0b0011, 0])
    assert lines(data, marks="none") == "a,A_in_doubt,b\n1,x,3\n2,y,4\n"
    assert lines(data) == (
        "a,A_in_doubt,b,a_in_doubt_2,row_in_doubt\n"
        "1,x,3,true,true\n"
        "2,y,4,false,false\n"
    )  # fmt: skip
    assert lines(data, marks="all").splitlines()[1] == "1,x,3,true,false,false,true"
    assert written("csv", data)[1] == [
        "The marks of a are in the column a_in_doubt_2: another one is called a_in_doubt."
    ]
    called_row = dataset({"row": [1]}, marks=[0b11])
    assert written("csv", called_row) == (
        b"row,row_in_doubt,row_in_doubt_2\n1,true,true\n",
        ["The marks of rows are in the column row_in_doubt_2: another one is called row_in_doubt."],
    )
    assert lines(dataset({"a": [1]})) == "a\n1\n"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252", "latin-1"])
def test_a_file_in_any_encoding_starts_once(encoding: str) -> None:
    content, _ = written("csv", dataset({"é": ["ü", "ß"]}), encoding=encoding)
    assert content == "é\nü\nß\n".encode(encoding)


def test_what_an_encoding_lacks_is_refused_not_replaced() -> None:
    with pytest.raises(Invalid, match=r"'日' can't be written in cp1252.*utf-8-sig for Excel"):
        written("csv", dataset({"a": ["日語"]}), encoding="cp1252")


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"delimiter": '"'}, "delimiter: .*can't stand between values"),
        ({"delimiter": ",,"}, "delimiter"),
        ({"null": 'a"'}, "null: .*no quotes"),
        ({"colour": 1}, "colour: .*Known: marks, header, delimiter"),
    ],
)
def test_options_that_make_no_sense_are_refused(options: dict[str, Any], problem: str) -> None:
    with pytest.raises(Invalid, match=problem):
        chosen(SINKS.get("csv").options, options, "CSV")


def test_null_with_the_delimiter_in_it_is_refused() -> None:
    with pytest.raises(Invalid, match="'a,b' can't be written for NULL"):
        written("csv", dataset({"a": [1]}), null="a,b")


def test_another_reader_finds_the_same_rows(tmp_path: Any) -> None:
    data = dataset({"t": ['say "hi"', "two\nlines", None, "a;b"], "n": [1, None, 3, 4]})
    path = tmp_path / "t.csv"
    path.write_bytes(written("csv", data, delimiter="tab", null="NULL")[0])
    query = f"SELECT * FROM read_csv('{path}', delim='\t', nullstr='NULL', header=true)"
    found = duckdb.connect().execute(query).fetchall()
    assert found == [('say "hi"', 1), ("two\nlines", None), (None, 3), ("a;b", 4)]


def test_decimals_and_spans_are_written_out() -> None:
    small = pa.array([Decimal("0.00000001"), Decimal(0), None], pa.decimal128(38, 18))
    data = dataset({"d": small, "n": [[Decimal("0.00000001")]] * 3, "t": [timedelta(1, 3), None, timedelta(0)]})
    assert list(csv.reader(io.StringIO(lines(data, header=False)))) == [
        ["0.000000010000000000", '["0.00000001"]', "1 day, 0:00:03"],
        ["0.000000000000000000", '["0.00000001"]', ""],
        ["", '["0.00000001"]', "0:00:00"],
    ]


def test_times_far_away_are_those_that_they_are() -> None:
    far = [10**18, 0, None]
    data = dataset(
        {
            "local": pa.array(far, pa.timestamp("us")),
            "zoned": pa.array(far, pa.timestamp("us", "UTC")),
            "day": pa.array([20_000_000, -20_000_000, None], pa.date32()),
            "list": pa.array([far, [0], None], pa.list_(pa.timestamp("us"))),
        }
    )
    assert list(csv.reader(io.StringIO(lines(data, header=False)))) == [
        [
            "33658-09-27 01:46:40.000000",
            "33658-09-27 01:46:40.000000Z",
            "56728-02-22",
            '["33658-09-27 01:46:40.000000","1970-01-01T00:00:00",null]',
        ],
        ["1970-01-01 00:00:00.000000", "1970-01-01 00:00:00.000000Z", "-52789-11-11", '["1970-01-01T00:00:00"]'],
        ["", "", "", ""],
    ]


def test_what_readers_guess_wrong_is_quoted() -> None:
    assert lines(dataset({"a": ["#1", "a#b"], "b": [1, 2]})) == 'a,b\n"#1",1\na#b,2\n'
    assert lines(dataset({"a": ["x;y", "x|y", "x"], "b": [1, 2, 3]}), header=False) == "x;y,1\nx|y,2\nx,3\n"
    assert lines(dataset({"a": ["x;y", "x|y", "x"]}), header=False) == '"x;y"\n"x|y"\nx\n'
