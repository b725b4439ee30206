"""XML: the elements that repeat are the rows."""

from __future__ import annotations

import pytest

from tests.sources.formats.reading import Reader
from trailbook.errors import CellFailed, Invalid
from trailbook.sources.formats import markup

TOWNS = '<town id="1"><name>Bern</name><pop>5</pop></town><town id="2"><name/></town>'
LIST = f'<list n="2"><title>Towns</title>{TOWNS}</list>'


def test_the_elements_that_repeat_are_found_and_said(read: Reader) -> None:
    loaded = read("xml", LIST)
    assert loaded.columns == {"id": "string", "name": "string", "pop": "string"}
    assert loaded.rows == [("1", "Bern", "5"), ("2", "", None)]
    assert "list/town" in loaded.guessed
    assert "list/@n, list/title" in loaded.guessed


def test_the_element_can_be_given_by_name_or_path(read: Reader) -> None:
    for record in ("name", "town/name", "list/town/name"):
        assert read("xml", LIST, record=record).rows == [("1", "Bern"), ("2", "")]
    with pytest.raises(Invalid, match=r"village.*list/town"):
        read("xml", LIST, record="village")


def test_attributes_of_elements_around_rows_are_columns_if_they_repeat_and_else_told(read: Reader) -> None:
    days = '<day on="1">dry<obs v="a"/><obs v="b"/></day><day on="2" by="me"><obs v="c"/></day>'
    loaded = read("xml", f'<log at="x">{days}</log>', record="obs")
    assert list(loaded.columns) == ["day.on", "v", "day.by"]
    assert loaded.rows == [("1", "a", None), ("1", "b", None), ("2", "c", "me")]
    assert loaded.guessed == "what stands beside the rows is not in the table: log/@at, the text of log/day"


def test_text_around_elements_is_kept_whole(read: Reader) -> None:
    loaded = read("xml", "<l><r>Hello <b>big <i>old</i></b> world</r><r><b>x</b> y</r></l>")
    assert loaded.rows == [('{"i": "old", "#text": "big"}', "Hello big old world"), ("x", "y")]


def test_what_is_nested_or_there_several_times_is_json(read: Reader) -> None:
    loaded = read("xml", '<r><p a="1">x<q>1</q><q>2</q><s t="3">y<u/></s></p><p><q>3</q></p></r>')
    assert loaded.columns == {"a": "string", "q": "string", "s": "string", "text": "string"}
    assert loaded.rows[0] == ("1", '["1", "2"]', '{"@t": "3", "u": "", "#text": "y"}', "x")
    assert loaded.rows[1] == (None, "3", None, None)


def test_lines_are_those_of_the_file(read: Reader) -> None:
    assert read("xml", "<r>\n<a>1</a>\n\n<a>2</a>\n</r>").lines == [2, 4]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "iso-8859-1", "windows-1250"])
def test_the_file_says_how_it_is_encoded(read: Reader, encoding: str) -> None:
    content = f'<?xml version="1.0" encoding="{encoding}"?><r><a>Zürich</a><a>b</a></r>'
    assert read("xml", content.encode(encoding)).rows == [("Zürich",), ("b",)]


def test_rows_are_the_same_wherever_chunks_end(read: Reader, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = read("xml", LIST).rows
    for size in (1, 2, 7):
        monkeypatch.setattr(markup, "CHUNK", size)
        assert read("xml", LIST).rows == whole


def test_a_file_that_is_cut_off_is_read_as_far_as_it_goes(read: Reader) -> None:
    loaded = read("xml", '<r><p id="1"><a>1</a></p><p id="2"><a>2</a></p><p id="3"><a>th')
    assert loaded.rows == [("1", "1"), ("2", "2"), ("3", "th")]
    assert "p is cut off" in str(loaded.problems)
    assert "nothing after it can be read" in str(loaded.lost)


@pytest.mark.parametrize(
    "declared",
    [
        '<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">',
        '<!ENTITY b SYSTEM "file:///etc/passwd">',
        '<!ENTITY % p SYSTEM "http://example.org/x.dtd">',
    ],
    ids=["a billion laughs", "a file", "from elsewhere"],
)
def test_entities_are_refused(read: Reader, declared: str) -> None:
    with pytest.raises(CellFailed, match="declares an entity"):
        read("xml", f"<!DOCTYPE r [{declared}]><r><x>&b;</x><x/></r>")


def test_an_entity_of_a_document_type_elsewhere_stays_as_written(read: Reader) -> None:
    assert read("xml", '<!DOCTYPE r SYSTEM "x.dtd"><r><a>1&nbsp;km</a><a/></r>').rows[0] == ("1&nbsp;km",)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "iso-8859-1"])
def test_so_does_one_in_an_attribute(read: Reader, encoding: str) -> None:
    tags = """<l><r a="ü > caf&eacute; &amp;&#65;" b='"&x;"'/><r a="b"/></l>"""
    content = f'<?xml version="1.0" encoding="{encoding}"?><!DOCTYPE l SYSTEM "x.dtd">{tags}'
    assert read("xml", content.encode(encoding)).rows == [("ü > caf&eacute; &A", '"&x;"'), ("b", None)]


@pytest.mark.parametrize(
    ("content", "what"),
    [("", "empty"), ("hello", "no XML"), ("<a>" * 500, "nested"), (b"PK\x03\x04", "zip")],
    ids=["empty", "text", "deep", "zip"],
)
def test_what_makes_no_table_is_refused(read: Reader, content: bytes | str, what: str) -> None:
    with pytest.raises(CellFailed, match=what):
        read("xml", content)


def test_too_many_columns_are_refused(read: Reader) -> None:
    with pytest.raises(CellFailed, match="columns"):
        read("xml", "<r><p/><p>" + "".join(f"<c{number}/>" for number in range(11_000)) + "</p></r>")
