"""Plain text, and text in columns of fixed width."""

from __future__ import annotations

import pytest

from tests.sources.formats.reading import Reader
from trailbook.errors import CellFailed, Invalid
from trailbook.sources.delimited import transcode
from trailbook.sources.formats import lines as module

TABLE = "name   n  city\nAnna  12  Bern\nBo     3  Genf\n"


def test_any_line_end_ends_a_line_and_blank_lines_count(read: Reader) -> None:
    assert read("text", "a\r\nb\n\nc\rd").rows == [(1, "a"), (2, "b"), (3, ""), (4, "c"), (5, "d")]


def test_lines_are_the_same_wherever_chunks_end(read: Reader, monkeypatch: pytest.MonkeyPatch) -> None:
    text = "a\r\nbb\n\r\nccccccc\r\rd\n"
    whole = read("text", text).rows
    for size in range(1, 8):
        monkeypatch.setattr(module, "CHUNK", size)
        assert read("text", text).rows == whole
        assert read("text", text.encode("utf-16")).rows == whole


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_encodings_that_can_be_told_are_told(read: Reader, encoding: str) -> None:
    text = "Zürich and some more text\nΩ\n"
    marked = text if encoding[-1].isdigit() or "8" in encoding else "\ufeff" + text
    assert read("text", marked.encode(encoding)).rows == [(1, "Zürich and some more text"), (2, "Ω")]


def test_text_that_is_not_utf_8_is_guessed_to_be_from_windows(read: Reader) -> None:
    loaded = read("text", "Zürich – 5 €".encode("cp1252"))
    assert loaded.rows == [(1, "Zürich – 5 €")]
    assert "cp1252" in loaded.guessed


def test_a_byte_that_is_no_character_is_replaced_and_named(read: Reader) -> None:
    loaded = read("text", b"fine\nbad \xff\n", encoding="utf-8")
    assert loaded.rows == [(1, "fine"), (2, "bad �")]
    assert loaded.problems == {
        2: 'line 2, byte 5: byte 5 of the line (0xff) is no utf-8 and was replaced by �: "bad �"'
    }


def test_places_in_utf_16_are_places_in_the_file(read: Reader) -> None:
    content = "\ufeffok\n\0\n".encode("utf-16-le")
    assert read("text", content).problems[2].startswith("line 2, byte 8: there is a NUL")


@pytest.mark.parametrize("format", ["text", "fixed_width", "json"])
def test_half_a_character_of_utf_16_is_told(read: Reader, format: str) -> None:
    texts = ['{"a": 1}\n{"a": "x', '"}\n{"a": 2}\n']
    content = b"\x00\xd8".join(text.encode("utf-16-le") for text in texts)
    loaded = read(format, content, encoding="utf-16-le")
    assert list(loaded.problems) == [2]
    assert "� in it, which stands for lost characters" in loaded.problems[2]


@pytest.mark.parametrize("format", ["text", "fixed_width", "json", "csv"])
@pytest.mark.parametrize("encoding", ["utf-16", "utf-32"])
def test_without_a_mark_the_usual_order_of_bytes_is_taken(read: Reader, format: str, encoding: str) -> None:
    text = '{"a": 1, "b": 2}\n{"a": 3, "b": 4}\n'
    unmarked = read(format, text.encode(f"{encoding}-le"), encoding=encoding)
    marked = read(format, text.encode(encoding), encoding=encoding)
    assert unmarked.rows == marked.rows
    assert (unmarked.problems, len(unmarked.rows) + len(unmarked.left_out)) == ({}, 2)


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (b"PK\x03\x04\0\0", "zip"),
        (b"\x7fELF\0\0", "program"),
        (b"PAR1\0", "Parquet"),
        (bytes(range(256)) * 9, "control characters"),
    ],
)
def test_what_is_no_text_is_refused_by_what_it_is(read: Reader, content: bytes, what: str) -> None:
    with pytest.raises(CellFailed, match=what):
        read("text", content)


@pytest.mark.parametrize("encoding", ["rot13", "punycode", "undefined"])
def test_an_unknown_encoding_is_refused(read: Reader, encoding: str) -> None:
    with pytest.raises(CellFailed, match=rf"'{encoding}'.*utf-8"):
        read("text", "a", encoding=encoding)


def test_half_a_character_of_other_encodings_is_told(read: Reader) -> None:
    loaded = read("csv", r"a,b\n1,\ud800\n2,x\n", encoding="unicode_escape", delimiter=",", header=True)
    assert loaded.rows == [("1", "���"), ("2", "x")]
    assert "not utf-8: 0xed at byte 6" in loaded.problems[2]


def test_what_a_decoder_gives_up_on_is_refused(read: Reader, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transcode, "_CHUNK", 5)
    with pytest.raises(CellFailed, match="It can't be read as iso2022_jp"):
        read("csv", b"a,b\n\x1b$%,\n\x1b\n\x1b(", encoding="iso2022_jp", delimiter=",")


def test_a_line_without_end_is_refused(read: Reader, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_LINE", 1000)
    monkeypatch.setattr(module, "CHUNK", 100)
    with pytest.raises(CellFailed, match="a line of more than"):
        read("text", b"x" * 2000)


def test_columns_are_guessed_from_blanks_and_said(read: Reader) -> None:
    loaded = read("fixed_width", TABLE)
    assert loaded.columns == {"name": "string", "n": "string", "city": "string"}
    assert loaded.rows == [("Anna", "12", "Bern"), ("Bo", "3", "Genf")]
    assert loaded.layout.options.starts == (1, 7, 11)
    assert "begin at 1, 7, 11" in loaded.guessed
    assert list(loaded.left_out) == [1]
    assert read("fixed_width", TABLE, header=True).left_out == {}


def test_positions_can_be_given_and_need_no_blanks(read: Reader) -> None:
    loaded = read("fixed_width", "AB12\nCD34\n", starts=(1, 3), header=False)
    assert loaded.rows == [("AB", "12"), ("CD", "34")]
    assert (loaded.problems, loaded.guessed) == ({}, "")


def test_short_long_and_blank_lines_are_told(read: Reader) -> None:
    loaded = read("fixed_width", f"{TABLE}Cy\n\nDora   4  Biel and more\n", starts=(1, 7, 11), width=14, header=True)
    assert loaded.rows[2:] == [("Cy", None, None), ("Dora", "4", "Biel")]
    assert "ends before the last 2 of 3 columns" in loaded.problems[4]
    assert '" and more" after column 14' in loaded.problems[6]
    assert "blank" in loaded.left_out[5]


def test_tabs_are_a_guess_about_places(read: Reader) -> None:
    loaded = read("fixed_width", "Anna\t12\nBo\t3\nCy      4\n", starts=(1, 9), header=False)
    assert loaded.rows == [("Anna", "12"), ("Bo", "3"), ("Cy", "4")]
    assert list(loaded.problems) == [1, 2]
    assert "its tabs were taken for blanks" in loaded.problems[1]


def test_a_value_that_runs_into_the_next_column_is_told_if_that_was_guessed(read: Reader) -> None:
    usual = "Anna  12  Bern\n" * 100
    loaded = read("fixed_width", f"{usual}Maximilian5Bern\n")
    assert "no blank before the column at 7, 11" in loaded.problems[101]
    assert len(loaded.problems) == 1


def test_a_value_that_is_longer_than_those_looked_at_is_not_cut(read: Reader) -> None:
    loaded = read("fixed_width", "".join(f"{i:4d} abc   {2 * i:5d}\n" for i in range(1, 1501)))
    assert loaded.layout.options.starts == (1, 6, 13)
    assert loaded.rows[999] == ("1000", "abc", "2000")
    assert loaded.problems == {}


def test_what_stands_before_the_first_column_is_told(read: Reader) -> None:
    loaded = read("fixed_width", "  12 a\n 345 b\n", starts=(3, 6), header=False)
    assert loaded.rows == [("12", "a"), ("45", "b")]
    assert list(loaded.problems) == [2]
    assert 'it has " 3" before column 3' in loaded.problems[2]


def test_positions_must_increase(read: Reader) -> None:
    with pytest.raises(Invalid, match="3, 2"):
        read("fixed_width", TABLE, starts=(3, 2))


def test_a_column_beyond_all_lines_is_refused(read: Reader) -> None:
    with pytest.raises(CellFailed, match="begins at 40"):
        read("fixed_width", TABLE, starts=(1, 40))
