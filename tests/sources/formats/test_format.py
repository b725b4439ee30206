"""What holds for all formats."""

from __future__ import annotations

import pickle

import pytest

from tests.sources.formats.reading import Reader
from trailbook.sources.formats.format import FORMATS
from trailbook.sources.formats.names import unique_names
from trailbook.sources.formats.records import shown

NAMES = ["avro", "excel", "fixed_width", "json", "orc", "parquet", "text", "xml"]


def test_each_format_registers_itself() -> None:
    assert {name for name, _ in FORMATS} >= {*NAMES}


@pytest.mark.parametrize("name", NAMES)
def test_each_option_is_described_and_may_be_left_out(name: str) -> None:
    options = FORMATS.get(name).Options
    assert all(field.description and not field.is_required() for field in options.model_fields.values())
    assert options() == options.model_validate_json(options().model_dump_json())


def test_no_ending_of_names_means_two_formats() -> None:
    endings = [ending for _, format in FORMATS for ending in format.extensions]
    assert len(endings) == len(set(endings))


@pytest.mark.parametrize(
    ("head", "fitting"),
    [
        (b"PAR1....", ["parquet"]),
        (b"ORC.\0", ["orc"]),
        (b"Obj\x01\0", ["avro"]),
        (b"PK\x03\x04....[Content_Types].xml\0", ["excel"]),
        (b"PK\x03\x04....data.csv\0", []),
        (b'\xef\xbb\xbf {"a": 1}', ["json", "text"]),
        (b"<?xml version='1.0'?><a/>", ["text", "xml"]),
        (b"<!DOCTYPE html><html>", ["text"]),
        (b"a  1\nb  2\nc  3\n", ["fixed_width", "text"]),
        (b"\x00\x01\x02", []),
    ],
    ids=lambda each: str(each)[:24],
)
def test_formats_are_known_by_their_first_bytes(head: bytes, fitting: list[str]) -> None:
    assert [name for name in NAMES if FORMATS.get(name).is_it(head)] == fitting


def test_a_layout_travels_to_spark(read: Reader) -> None:
    layout = read("json", '{"a": {"b": [1.5]}}').layout
    assert pickle.loads(pickle.dumps(layout)) == layout


def test_names_stay_as_written_but_for_those_that_can_not() -> None:
    written = ["a", "A", "a_2", "", " b c", "\0", " "]
    assert unique_names(written) == ["a", "A_3", "a_2", "column_4", " b c", "�", "column_7"]


def test_long_texts_are_cut_in_problems() -> None:
    assert shown("x" * 1_500) == f'"{"x" * 1_000}"… (500 more characters)'


def test_a_preview_looks_at_the_first_records_only(read: Reader) -> None:
    read("json", '{"a":1}\n{"a":2}\n{"b":3}\n')
    found = FORMATS.get("json")
    assert [column.name for column in found.layout(read.path, found.Options(), 2).columns] == ["a"]


@pytest.mark.parametrize(
    ("format", "content"),
    [
        ("json", '{"a":1}\n' * 9),
        ("json", "[" + '{"a":1},' * 9 + "]"),
        ("text", "a\n" * 9),
        ("xml", f"<x>{'<y>1</y>' * 9}</x>"),
        ("fixed_width", "a b\n" * 9),
    ],
)
def test_no_more_records_are_read_than_wanted(read: Reader, format: str, content: str) -> None:
    layout = read(format, content).layout
    assert sum(batch.num_rows for batch in FORMATS.get(format).batches(read.path, layout, 2)) == 2


def test_what_a_preview_did_not_see_is_told_when_all_is_read(read: Reader) -> None:
    read("json", '{"a":1}\n{"a":2}\n{"a":3,"b":"x"}\n')
    found = FORMATS.get("json")
    [batch] = found.batches(read.path, found.layout(read.path, found.Options(), 2))
    assert 'has no column: "{"b": "x"}"' in batch.column("__problem")[2].as_py()
