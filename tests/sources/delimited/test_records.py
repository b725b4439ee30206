"""What is in a file, however it is written."""

from __future__ import annotations

import pytest

from trailbook.sources.delimited.dialect import Dialect, Layout
from trailbook.sources.delimited.records import Kind, Record, records

COMMAS = Dialect()
ESCAPES = Dialect(escape="\\")
Fields = list[tuple[str | None, ...]]


def read(data: bytes, columns: int = 2, dialect: Dialect = COMMAS) -> list[Record]:
    return list(records(data, Layout(dialect, columns)))


@pytest.mark.parametrize(
    ("data", "dialect", "fields"),
    [
        (b"a,b\n", COMMAS, [("a", "b")]),
        (b'a,"b"\r\n', COMMAS, [("a", "b")]),
        (b'"a,b","c\nd"\n', COMMAS, [("a,b", "c\nd")]),
        (b'"say ""yes""",""""\n', COMMAS, [('say "yes"', '"')]),
        (b',""\n', COMMAS, [(None, "")]),
        (b"a,b\rc,d\r\ne,f\ng,h", COMMAS, [("a", "b"), ("c", "d"), ("e", "f"), ("g", "h")]),
        (b'"a\\"b",c\\,d\n', ESCAPES, [('a"b', "c,d")]),
        (b'"a\\\\","b\\""\n', ESCAPES, [("a\\", 'b"')]),
        (b"C:\\x,b\n", COMMAS, [("C:\\x", "b")]),
        (b"'a,b';c\n", Dialect(";", "'"), [("a,b", "c")]),
        (b'"a",b\n', Dialect(quote=None), [('"a"', "b")]),
        (b"\xe9,\x80\n", Dialect(encoding="cp1252"), [("é", "€")]),
        ("\u20ac,\u2028\n".encode(), COMMAS, [("€", "\u2028")]),
    ],
)
def test_well_formed_records(data: bytes, dialect: Dialect, fields: Fields) -> None:
    found = read(data, dialect=dialect)
    assert [record.fields for record in found] == fields
    assert not any(record.problem for record in found)


@pytest.mark.parametrize(
    ("data", "dialect", "fields", "problem"),
    [
        (b'5" pipe,b\n', COMMAS, [('5" pipe', "b")], 'a quote inside value 1: "5" pipe,b"'),
        (b'"a "b" c",d\n', COMMAS, [('a "b" c', "d")], 'a quote inside value 1: ""a "b" c",d"'),
        (b'"a,b\nc,d\n', COMMAS, [('"a', "b"), ("c", "d")], 'the quote before value 1 is not closed: ""a,b"'),
        (b'x,"a"b\nc,d\n', COMMAS, [("x", '"a"b'), ("c", "d")], 'the quote before value 2 is not closed: "x,"a"b"'),
        (b'x,"a\n"b",c\n', COMMAS, [("x", '"a'), ("b", "c")], 'the quote before value 2 is not closed: "x,"a"'),
        (b"a\n", COMMAS, [("a", None)], '1 value instead of 2: "a"'),
        (b"a,b,c,d\n", COMMAS, [("a", "b")], '4 values instead of 2, without a column: "c, d": "a,b,c,d"'),
        (b"a\0,b\n", COMMAS, [("a\0", "b")], 'NUL at byte 1: "a\0,b"'),
        (b"a\xff,b\xfe\n", COMMAS, [("a\ufffd", "b\ufffd")], "not utf-8: 0xff at byte 1, 0xfe at byte 4: "),
        ("a\ufffd,b\n".encode(), COMMAS, [("a\ufffd", "b")], "U+FFFD, which stands for lost characters, at byte 1: "),
        (b"C:\\x,b\n", ESCAPES, [("C:\\x", "b")], "an escape before nothing that it escapes, in value 1: "),
    ],
)
def test_what_is_not_well_formed_is_kept_and_told(data: bytes, dialect: Dialect, fields: Fields, problem: str) -> None:
    found = read(data, dialect=dialect)
    assert [record.fields for record in found] == fields
    told = [record.problem for record in found if record.problem]
    assert len(told) == 1
    assert told[0].startswith(f"line 1, byte 0: {problem}")


def test_comments_and_blank_lines_are_left_out_and_told() -> None:
    found = read(b'# "x,y\n\n \na,b\n', dialect=Dialect(comment="#"))
    assert [record.kind for record in found] == [Kind.LEFT_OUT, Kind.LEFT_OUT, Kind.LEFT_OUT, Kind.ROW]
    assert [record.fields for record in found][:2] == [('# "x', "y"), (None, None)]
    assert found[0].problem == 'line 1, byte 0: left out, a comment: "# "x,y"'
    assert found[2].problem == 'line 3, byte 8: left out, a blank line: " "'


def test_blank_lines_of_one_column_are_values() -> None:
    assert [record.fields for record in read(b"a\n\nb\n", columns=1)] == [("a",), (None,), ("b",)]


def test_a_guessed_header_is_left_out_and_told() -> None:
    layout = Layout(COMMAS, 2, header_at=10, is_header_guessed=True)
    header, row = records(b"id,name\n1,a\n", layout, line=3, offset=10)
    assert header.kind is Kind.LEFT_OUT
    assert header.problem == 'line 3, byte 10: left out, taken for the names of the columns: "id,name"'
    assert (row.kind, row.line, row.problem) == (Kind.ROW, 4, None)


def test_a_known_header_is_no_row_and_told_if_it_is_wrong() -> None:
    assert [record.kind for record in records(b"id,name\n1,a\n", Layout(COMMAS, 2, 0))] == [Kind.NAMES, Kind.ROW]
    header, _ = records(b"id\n1,a\n", Layout(COMMAS, 2, 0))
    assert header.kind is Kind.LEFT_OUT


def test_long_texts_are_cut_and_counted() -> None:
    (record,) = read(b"x" * 1500 + b"\n")
    assert record.problem is not None
    assert record.problem.endswith('xxx"… (500 more characters)')


def test_records_know_their_lines_and_bytes() -> None:
    found = read(b'a,"b\n\r\nc"\r\nd,e\r\rf,g')
    places = [(record.start, record.end, record.line) for record in found]
    assert places == [(0, 11, 1), (11, 15, 4), (15, 16, 5), (16, 19, 6)]
