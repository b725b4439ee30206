"""How a file is written is found out, and what was guessed is told."""

from __future__ import annotations

import pytest

from tests.sources.delimited.heads import HEADS, Head
from trailbook.errors import BadParameters, CellFailed
from trailbook.sources.delimited.candidates import Wanted
from trailbook.sources.delimited.detect import detect
from trailbook.sources.delimited.dialect import Dialect


@pytest.mark.parametrize("head", HEADS, ids=lambda head: head.name)
def test_known_dialects_are_found(head: Head) -> None:
    found = detect(head.data, is_whole=True)
    dialect = Dialect(head.delimiter, head.quote, head.escape, head.comment, head.encoding)
    if head.columns == 1:
        # Which delimiter a file does not have is no matter.
        assert (found.columns, found.header) == (1, head.header)
    else:
        assert (found.dialect, found.columns, found.header) == (dialect, head.columns, head.header)


def test_what_was_guessed_is_told() -> None:
    found = detect(b"id;name\n1;a\n2;b\n", is_whole=True)
    assert {guess.what: guess.why for guess in found.guessed} == {
        "encoding": "there are only ASCII characters in the first 16 bytes",
        "delimiter": "3 of the first 3 rows have 2 values",
        "quote": "it goes round values, or is not there",
        "columns": "3 of the first 3 rows have 2 values",
        "header": "in 1 of 2 columns it holds words above values of another kind",
    }


@pytest.mark.parametrize(("data", "value"), [(b"a\tb\n1\t2\n", "tab"), (b"1\n2\n", "none"), (b"a,b\n1,2\n", ",")])
def test_the_delimiter_is_told_so_that_it_can_be_read(data: bytes, value: str) -> None:
    assert {guess.what: guess.value for guess in detect(data, True).guessed}["delimiter"] == value


def test_what_is_said_is_not_guessed() -> None:
    wanted = Wanted(";", "", "", "", "cp1252", header=False)
    found = detect(b"id,a;name\n1,a;a\n", True, wanted)
    assert found.dialect == Dialect(";", None, encoding="cp1252")
    assert (found.columns, found.header, found.names) == (2, False, ("column_1", "column_2"))
    assert [guess.what for guess in found.guessed] == ["columns"]


def test_the_header_is_found_below_comments_and_blank_lines() -> None:
    found = detect(b"\xef\xbb\xbf# note\n\nid,name\n1,a\n2,b\n", is_whole=True)
    assert found.header_at == 11
    assert found.layout.is_header_guessed


def test_names_are_unique_and_never_empty() -> None:
    found = detect(b"a,,a,A,x y\n1,2,3,4,5\n6,7,8,9,0\n", True, Wanted(header=True))
    assert found.names == ("a", "column_2", "a_2", "A_3", "x y")


def test_a_file_that_is_transcoded_is_read_as_utf8() -> None:
    found = detect("# é\nid,n\n1,2\n".encode("utf-16"), is_whole=True)
    assert found.layout.dialect.encoding == "utf-8"
    assert found.layout.header_at == len("# é\n".encode())


def test_a_mark_that_is_transcoded_is_no_part_of_the_header() -> None:
    found = detect("id,n\n1,2\n".encode("utf-16"), True, Wanted(encoding="utf-16-le"))
    assert (found.header_at, found.names) == (3, ("id", "n"))


def test_a_character_cut_at_the_end_of_the_head_is_no_mistake() -> None:
    assert detect("id,n\n1,é".encode()[:-1], is_whole=False).dialect.encoding == "utf-8"


@pytest.mark.parametrize(
    ("data", "said"),
    [(b"", "empty"), (b"\n\r\n ", "empty"), (bytes(range(256)) * 50, "control characters"), (b"\0" * 500, "no text")],
)
def test_what_is_no_text_is_refused(data: bytes, said: str) -> None:
    with pytest.raises(CellFailed, match=said):
        detect(data, is_whole=True)


def test_what_is_only_comments_is_refused() -> None:
    with pytest.raises(CellFailed, match="nothing but comments"):
        detect(b"# a\n\n# b\n", True, Wanted(comment="#"))


@pytest.mark.parametrize("wanted", [Wanted(",", ","), Wanted("||"), Wanted(encoding="none"), Wanted("#", comment="#")])
def test_what_contradicts_itself_is_refused(wanted: Wanted) -> None:
    with pytest.raises(BadParameters):
        detect(b"a,b\n", True, wanted)


def test_a_delimiter_that_looks_like_a_comment() -> None:
    assert detect(b"a#b\n1#2\n#3\n", True, Wanted(delimiter="#")).columns == 2


def test_the_header_is_not_a_line_of_blanks() -> None:
    found = detect(b"  \nid,n\n1,2\n3,4\n", True, Wanted(header=True))
    assert (found.header_at, found.names) == (3, ("id", "n"))
