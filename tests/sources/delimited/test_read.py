"""Small files as people write them, and a look at the start of large ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from trailbook.errors import CellFailed
from trailbook.sources.delimited.candidates import Wanted
from trailbook.sources.delimited.read import preview, read_head

Rows = list[tuple[str | None, ...]]


def rows_of(data: bytes) -> tuple[tuple[str, ...], Rows]:
    """The names and the rows, header aside."""
    found = preview(data, is_whole=True)
    rows = [tuple(row.values())[:-3] for row in found.rows.to_pylist() if not row["__left_out"]]
    assert found.problems == found.detected.header
    return found.detected.names, rows


@pytest.mark.parametrize(
    ("data", "names", "rows"),
    [
        (b"a,b,c\n1,2,3\n", ("a", "b", "c"), [("1", "2", "3")]),
        (b"a,b,c\r\n1,2,3\r\n", ("a", "b", "c"), [("1", "2", "3")]),
        (b'a,b,c\n1,"",""\n2,3,4\n', ("a", "b", "c"), [("1", "", ""), ("2", "3", "4")]),
        (b'a,b\n1,"ha ""ha"" ha"\n3,4\n', ("a", "b"), [("1", 'ha "ha" ha'), ("3", "4")]),
        (b'k,v\n1,"{""type"": ""Point"", ""at"": [1, 2]}"\n', ("k", "v"), [("1", '{"type": "Point", "at": [1, 2]}')]),
        (b'a,b\n1,"two\nlines"\n3,4\n', ("a", "b"), [("1", "two\nlines"), ("3", "4")]),
        (b'a,b\r\n1,"two\r\nlines"\r\n3,4', ("a", "b"), [("1", "two\r\nlines"), ("3", "4")]),
        (b'a,b\n1,"ha\n""ha""\nha"\n3,4\n', ("a", "b"), [("1", 'ha\n"ha"\nha'), ("3", "4")]),
        (
            b'first,address,zip\nJo,"12 Elm St, Apt 4",8075\n',
            ("first", "address", "zip"),
            [("Jo", "12 Elm St, Apt 4", "8075")],
        ),
        ("a,b,c\n1,2,3\n4,5,ʤ\n".encode(), ("a", "b", "c"), [("1", "2", "3"), ("4", "5", "ʤ")]),
    ],
)
def test_well_formed_files(data: bytes, names: tuple[str, ...], rows: Rows) -> None:
    assert rows_of(data) == (names, rows)


def test_a_preview_shows_the_first_rows_and_counts_problems() -> None:
    data = b"id,n\n" + b"".join(b"%d,%d\n" % (number, number) if number % 10 else b"x\n" for number in range(1000))
    found = preview(data, is_whole=True)
    assert found.rows.num_rows == 100
    assert found.problems == 101
    assert found.looked_at == len(data)


def test_a_record_that_the_preview_cuts_is_not_shown() -> None:
    found = preview(b'id,text\n1,"a\nb"\n2,"c\nd', is_whole=False)
    assert found.rows["c0"].to_pylist() == ["id", "1"]
    assert found.problems == 1


def test_a_preview_of_one_line_shows_its_start() -> None:
    assert preview(b"x" * 70_000, is_whole=False).rows["c0"].to_pylist() == ["x" * 70_000]


def test_a_preview_goes_by_what_was_said() -> None:
    found = preview(b"a;b,c\nd;e,f\n", True, Wanted(delimiter=";", header=False))
    assert found.rows["c1"].to_pylist() == ["b,c", "e,f"]
    assert found.problems == 0


def test_a_preview_of_other_encodings() -> None:
    found = preview("id,имя\n1,Анна\n2,Иван\n".encode("utf-16"), is_whole=True)
    assert found.detected.names == ("id", "имя")
    assert found.rows["c1"].to_pylist() == ["имя", "Анна", "Иван"]


def test_the_head_of_a_file_has_some_lines_however_long(tmp_path: Path) -> None:
    path = tmp_path / "file"
    line = b",".join(b"%d" % number for number in range(10_000)) + b"\n"
    path.write_bytes(line * 50)
    head, is_whole = read_head(path)
    assert not is_whole
    assert len(head) < 12 * len(line)
    assert preview(head, is_whole).detected.columns == 10_000
    path.write_bytes(b"a,b\n")
    assert read_head(path) == (b"a,b\n", True)


def test_a_picture_is_refused() -> None:
    with pytest.raises(CellFailed, match="This is no text"):
        preview(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\1\0\0\0\1\x08\6" + bytes(range(256)) * 20, is_whole=True)
