"""CSV as the world writes it."""

from __future__ import annotations

import pytest

from tests.sources.conftest import Reader
from trailbook.errors import CellFailed

ROWS = [("Zürich", 1), ("Bern", 2)]


@pytest.mark.parametrize(
    "content",
    [
        "city,n\nZürich,1\nBern,2\n",
        "city,n\nZürich,1\nBern,2",
        "city,n\r\nZürich,1\r\nBern,2\r\n",
        "\ufeffcity,n\nZürich,1\nBern,2\n",
        "\ufeffcity,n\r\nZürich,1\r\nBern,2\r\n",
        "city,n\n\nZürich,1\n\n\nBern,2\n\n",
        '"city","n"\n"Zürich","1"\n"Bern","2"\n',
        "\n\ncity,n\nZürich,1\nBern,2\n",
    ],
    ids=["plain", "no last line end", "CRLF", "BOM", "BOM and CRLF", "blank lines", "quoted", "blank lines first"],
)
def test_the_same_table_however_it_is_written(read: Reader, content: str) -> None:
    loaded = read("cities.csv", content.encode())
    assert (loaded.columns, loaded.types, loaded.rows) == (["city", "n"], ["string", "int"], ROWS)
    assert loaded.findings == []


@pytest.mark.parametrize("delimiter", ["\t", ";", "|"])
def test_other_delimiters(read: Reader, delimiter: str) -> None:
    content = "city,n\nZürich,1\nBern,2\n".replace(",", delimiter).encode()
    assert read("cities.txt", content, delimiter=delimiter).rows == ROWS


def test_without_a_header_columns_are_numbered(read: Reader) -> None:
    loaded = read("cities.csv", "Zürich,1\nBern,2\n".encode(), header=False)
    assert loaded.columns == ["_c0", "_c1"]
    assert loaded.rows == ROWS


def test_a_header_alone_is_a_table_without_rows(read: Reader) -> None:
    loaded = read("cities.csv", b"city,n\n")
    assert (loaded.columns, loaded.rows, loaded.findings) == (["city", "n"], [], [])


def test_empty_values_are_null(read: Reader) -> None:
    assert read("a.csv", b"a,b\n,1\nx,\n").rows == [(None, 1), ("x", None)]


def test_line_ends_quotes_and_delimiters_inside_quotes_are_kept(read: Reader) -> None:
    loaded = read("a.csv", b'a,b\n"one\ntwo","x, ""y"""\n"back\\slash",2\n')
    assert loaded.rows == [("one\ntwo", 'x, "y"'), ("back\\slash", "2")]


def test_lines_of_another_length_are_kept_and_counted(read: Reader) -> None:
    loaded = read("a.csv", b"a,b\n1,2\n3\n4,5,6\n")
    assert loaded.rows == [(1, 2), (3, None), (4, 5)]
    assert loaded.findings == [
        "2 lines don't have 2 values like the first one: missing values are NULL, surplus ones are left out."
    ]


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-be", "utf-16-le"])
def test_utf_16_is_refused_with_advice(read: Reader, encoding: str) -> None:
    content = ("\ufeff" if encoding != "utf-16" else "") + "city,n\nBern,1\n"
    with pytest.raises(CellFailed, match=r"a\.csv .*UTF-16; save it as UTF-8"):
        read("a.csv", content.encode(encoding))


@pytest.mark.parametrize(
    ("content", "what"),
    [(b"PK\x03\x04\0\0", "Excel"), (b"\x1f\x8b\x08\0\0", "gzip"), (b"PAR1\0\0", "Parquet"), (b"a,b\n\0", "binary")],
)
def test_what_is_not_text_is_refused_by_what_it_is(read: Reader, content: bytes, what: str) -> None:
    with pytest.raises(CellFailed, match=what):
        read("a.csv", content)


@pytest.mark.parametrize("content", [b"", b"\n", b"\n\n  \n", "\ufeff".encode()])
def test_a_file_without_a_table_is_refused(read: Reader, content: bytes) -> None:
    with pytest.raises(CellFailed, match=r"a\.csv"):
        read("a.csv", content)
