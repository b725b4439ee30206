"""Small files as people write them, and a look at the start of large ones."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest

from trailbook.errors import CellFailed
from trailbook.sources.delimited.candidates import Wanted
from trailbook.sources.delimited.detect import Detected, detect
from trailbook.sources.delimited.read import FIRST_BYTES, read_first, read_head
from trailbook.sources.raw_columns import PROBLEM

Rows = list[tuple[str | None, ...]]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "file"


def first_of(path: Path, data: bytes, wanted: Wanted | None = None) -> tuple[Detected, pa.Table]:
    """How a file of these bytes is written, and its first records."""
    path.write_bytes(data)
    found = detect(*read_head(path), wanted or Wanted())
    return found, read_first(path, found.dialect.encoding, found.layout)


def problems_of(table: pa.Table) -> int:
    return int(table.num_rows - table[PROBLEM].null_count)


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
def test_well_formed_files(path: Path, data: bytes, names: tuple[str, ...], rows: Rows) -> None:
    found, table = first_of(path, data)
    assert found.names == names
    assert [tuple(row.values())[:-3] for row in table.to_pylist() if not row["__left_out"]] == rows
    assert problems_of(table) == found.header


def test_a_small_file_is_read_at_once(path: Path) -> None:
    lines = (b"%d,%d\n" % (number, number) if number % 10 else b"x\n" for number in range(1000))
    _, table = first_of(path, b"id,n\n" + b"".join(lines))
    assert (table.num_rows, problems_of(table)) == (1001, 101)


def test_of_a_large_file_the_record_that_is_cut_is_not_read(path: Path) -> None:
    record = b'1,"' + b"a\nb " * 100 + b'"\n'
    wanted = Wanted(delimiter=",", quote='"', header=True)
    _, table = first_of(path, b"id,text\n" + record * 5_000, wanted)
    assert 0 <= FIRST_BYTES / len(record) - table.num_rows < 1
    assert problems_of(table) == 0


def test_of_one_long_line_the_start_is_read(path: Path) -> None:
    _, table = first_of(path, b"x" * 5_000_000)
    assert table["c0"].to_pylist() == ["x" * 4 * 1024 * 1024]


def test_of_a_wide_file_no_more_is_read_than_memory_can_be_reserved_for(path: Path) -> None:
    line = b",".join(b"%d" % number for number in range(5_000)) + b"\n"
    _, table = first_of(path, line * 100)
    assert 2 <= table.num_rows < 20


def test_what_was_said_goes_before_what_is_found_out(path: Path) -> None:
    _, table = first_of(path, b"a;b,c\nd;e,f\n", Wanted(delimiter=";", header=False))
    assert table["c1"].to_pylist() == ["b,c", "e,f"]
    assert problems_of(table) == 0


def test_other_encodings_need_not_be_transcoded_first(path: Path) -> None:
    found, table = first_of(path, "id,имя\n1,Анна\n2,Иван\n".encode("utf-16"))
    assert found.names == ("id", "имя")
    assert table["c1"].to_pylist() == ["имя", "Анна", "Иван"]


def test_the_head_of_a_file_has_some_lines_however_long(path: Path) -> None:
    line = b",".join(b"%d" % number for number in range(10_000)) + b"\n"
    path.write_bytes(line * 50)
    head, is_whole = read_head(path)
    assert not is_whole
    assert len(head) < 12 * len(line)
    assert detect(head, is_whole).columns == 10_000
    path.write_bytes(b"a,b\n")
    assert read_head(path) == (b"a,b\n", True)


def test_a_picture_is_refused(path: Path) -> None:
    with pytest.raises(CellFailed, match="It is no text"):
        first_of(path, b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\1\0\0\0\1\x08\6" + bytes(range(256)) * 20)
