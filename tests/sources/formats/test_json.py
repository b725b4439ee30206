"""JSON as the world writes it."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.sources.formats.reading import Reader
from trailbook.errors import CellFailed, Invalid
from trailbook.sources.formats import json_stream

ROWS = [(1, "x"), (2, "y")]


@pytest.mark.parametrize(
    "content",
    [
        '{"a":1,"b":"x"}\n{"a":2,"b":"y"}\n',
        '\ufeff{"a":1,"b":"x"}\r\n\r\n{"b":"y","a":2}',
        '[{"a":1,"b":"x"},{"a":2,"b":"y"}]',
        '[\n  {"a": 1,\n "b": "x"},\n {"a": 2, "b": "y"}\n]\n',
        '{"a":1,\n"b":"x"}\n{"a":2,\n"b":"y"}',
        '{"count": 2, "data": {"items": [{"a":1,"b":"x"},{"a":2,"b":"y"}]}, "tags": ["z"]}',
        '{"a":[1,2],"b":["x","y"]}',
    ],
    ids=["lines", "lines with BOM", "array", "pretty array", "one after the other", "somewhere inside", "columns"],
)
def test_the_same_table_however_it_is_written(read: Reader, content: str) -> None:
    loaded = read("json", content)
    assert loaded.columns == {"a": "bigint", "b": "string"}
    assert loaded.rows == ROWS
    assert (loaded.problems, loaded.left_out) == ({}, {})


def test_records_inside_a_document_are_a_guess_that_can_be_corrected(read: Reader) -> None:
    content = '{"people": [{"n": 1}, {"n": 2}, {"n": 3}], "towns": [{"m": 1}, {"m": 2}]}'
    assert "people" in read("json", content).guessed
    towns = read("json", content, records="towns")
    assert (towns.rows, towns.guessed) == ([(1,), (2,)], "")
    with pytest.raises(Invalid, match=r"no cities in it.*people, towns"):
        read("json", content, records="cities")


def test_nested_objects_are_structs_or_columns(read: Reader) -> None:
    content = '{"a":{"x":1,"y":[{"z":1.5}]}}\n{"a":{"w":true}}\n'
    nested = read("json", content)
    assert nested.columns == {"a": "struct<`x`: bigint, `y`: array<struct<`z`: double>>, `w`: boolean>"}
    assert nested.rows[0] == ({"x": 1, "y": [{"z": 1.5}], "w": None},)
    flat = read("json", content, flatten=True)
    assert list(flat.columns) == ["a.x", "a.y", "a.w"]
    assert flat.rows[1] == (None, None, True)


def test_names_that_become_one_when_flattened_are_told(read: Reader) -> None:
    loaded = read("json", '{"a.b": 1, "a": {"b": 2}}\n{"a": {"b": 3}}\n', flatten=True)
    assert loaded.rows == [(2,), (3,)]
    assert loaded.problems == {1: 'line 1 has what has no column: "{"a.b": 1}"'}


def test_arrays_that_are_shorter_than_others_are_told(read: Reader) -> None:
    loaded = read("json", "[[1, 2], [3], [4, 5]]")
    assert loaded.rows == [(1, 2), (3, None), (4, 5)]
    assert loaded.problems == {2: "record 2 has 1 of 2 values"}


def test_values_of_several_types_become_text_and_it_is_said(read: Reader) -> None:
    loaded = read("json", '{"a":1,"b":{"c":1}}\n{"a":"t","b":{"c":[2]}}\n{"a":{"k":[true,null]},"b":{}}\n')
    assert loaded.columns == {"a": "string", "b": "struct<`c`: string>"}
    assert loaded.rows == [("1", {"c": "1"}), ("t", {"c": "[2]"}), ('{"k": [true, null]}', {"c": None})]
    assert "a has values of several types" in loaded.guessed
    assert "b.c has values of several types" in loaded.guessed


def test_what_is_no_json_is_kept_with_line_offset_and_text(read: Reader) -> None:
    loaded = read("json", '{"a":1}\nnot json\n{"a":2}\n[3]\n')
    assert loaded.rows == [(1,), (None,), (2,), (None,)]
    assert loaded.problems[2].startswith("line 2, byte 8: it is no JSON")
    assert loaded.problems[2].endswith('"not json"')
    assert loaded.problems[4] == 'line 4 is none of the objects: "[3]"'


def test_a_bad_element_does_not_spoil_those_after_it(read: Reader) -> None:
    loaded = read("json", '[{"a":1}, {a:2}, {"a":3,}, /* four */ {"a":4}, , {"a":5},]')
    assert loaded.rows == [(1,), (None,), (3,), (4,), (5,)]
    assert loaded.problems[2].endswith('"{a:2}"')
    assert "comma after the last value" in loaded.problems[3]
    assert "comment" in loaded.problems[4]
    assert [what.partition(": ")[2] for what in loaded.left_out.values()] == [
        "there is nothing before a comma",
        "there is a comma after the last value",
    ]


def test_quotes_that_do_not_pair_up_spoil_one_element(read: Reader) -> None:
    loaded = read("json", '[{"a":1}, {"a":2,#b":[1,"x"]}, {"a":3}, {"a":4}]')
    assert loaded.rows == [(1,), (None,), (3,), (4,)]
    assert loaded.problems[2].endswith('"{"a":2,#b":[1,"x"]}"')
    # For all we know, it may have been several.
    assert loaded.lost == [loaded.problems[2]]


def test_missing_commas_and_broken_characters_are_told(read: Reader) -> None:
    loaded = read("json", b'[{"a":"x"} {"a":"\xff"}]', encoding="utf-8")
    assert loaded.rows == [("x",), ("�",)]
    assert "no comma before it" in loaded.problems[2]
    assert "no character was replaced" in loaded.problems[2]


def test_a_document_that_is_cut_off_is_read_as_far_as_it_goes(read: Reader) -> None:
    loaded = read("json", '[{"a":1},{"a":2},{"a":')
    assert loaded.rows == [(1,), (2,), (None,)]
    assert '"{"a":"' in loaded.problems[3]
    assert "the file ends before the array does" in loaded.lost[-1]


@pytest.mark.parametrize(
    ("content", "what"),
    [
        ('{"data": [{"x": 1}, {"x": 2}], "data": [{"x": 3}]}', "there is data once more"),
        ('{"data": [{"x": 1}, {"x": 2}], b: [{"x": 3}]}', "after the records it is no JSON"),
        ('{"in": {"data": [{"x": 1}, {"x": 2}], "n": 2}', "the file ends before the object does"),
        ('{"in": {"data": [{"x": 1}, {"x": 2}], "n": 2', "the file ends before the object does"),
    ],
    ids=["names that repeat", "malformed", "cut off", "cut off inside"],
)
def test_what_is_wrong_after_the_records_is_told(read: Reader, content: str, what: str) -> None:
    loaded = read("json", content)
    assert loaded.rows == [(1,), (2,)]
    assert what in str(loaded.lost)


def test_half_a_character_in_a_document_is_told(read: Reader) -> None:
    content = b"\x00\xd8".join(text.encode("utf-16-le") for text in ('\ufeff[{"a": "x"},\n {"a": "', 'y"}]'))
    loaded = read("json", content)
    assert loaded.rows == [("x",), ("�y",)]
    assert loaded.problems == {2: "a: what is no character was replaced by �"}


def test_what_follows_a_document_is_not_forgotten(read: Reader) -> None:
    assert "rest" in str(read("json", '[{"a":1}]\n"rest"', form="document").left_out)


@pytest.mark.parametrize(
    ("text", "value", "problem"),
    [
        ("12345678901234567890", Decimal("12345678901234567890"), None),
        ("1e400", float("inf"), "1e400 was rounded to inf"),
        ("1e-400", 0.0, "1e-400 was rounded to 0.0"),
        ("0.12345678901234567890", 0.12345678901234568, "was rounded to 0.12345678901234568"),
        ("0.30000000000000004", 0.30000000000000004, None),
        ("1.1000000000000001", 1.1, None),
        ("-Infinity", float("-inf"), "-Infinity is no JSON"),
        ('"\\ud800x"', "�x", "no character was replaced"),
        ("1" * 50, "1" * 50, None),
    ],
)
def test_values_at_the_edge_are_kept_and_what_is_lost_is_said(
    read: Reader, text: str, value: object, problem: str | None
) -> None:
    loaded = read("json", f'{{"a":{text}}}\n{{"a":null}}\n')
    assert loaded.rows == [(value,), (None,)]
    assert (problem or "") in loaded.problems.get(1, "")
    assert bool(loaded.problems) == bool(problem)


@pytest.mark.parametrize("form", ["{}", "[{}]", '{{"x": {}}}'], ids=["plain", "in a list", "in an object"])
def test_a_truth_value_among_numbers_is_no_number(read: Reader, form: str) -> None:
    values = [form.format("1.5"), form.format("true")]
    loaded = read("json", "".join(f'{{"a": {value}}}\n' for value in values))
    assert "true" in str(loaded.rows[1])
    assert "has values of several types" in loaded.guessed


def test_a_name_that_stands_twice_is_told_with_both_values(read: Reader) -> None:
    loaded = read("json", '{"a":1,"a":2}\n{"a":3}\n')
    assert loaded.rows == [(2,), (3,)]
    assert '"{"a":1,"a":2}"' in loaded.problems[1]


def test_whole_numbers_among_fractions_stay_exact_or_are_told(read: Reader) -> None:
    loaded = read("json", '{"a":9007199254740993}\n{"a":0.5}\n{"a":7}\n')
    assert loaded.rows == [(9007199254740992.0,), (0.5,), (7.0,)]
    assert list(loaded.problems) == [1]


def test_names_become_unique_and_it_is_said(read: Reader) -> None:
    loaded = read("json", '{"a":1,"A":2,"":3," a b ":4}\n{"A_2":5}\n')
    assert list(loaded.columns) == ["a", "A_3", "column_3", " a b ", "A_2"]
    assert loaded.rows == [(1, 2, 3, 4, None), (None, None, None, None, 5)]
    assert "'A' was changed to A_3" in loaded.guessed


def test_arrays_and_single_values_make_tables_too(read: Reader) -> None:
    assert read("json", '[1,"a"]\n[2,"b",true]\n').rows == [(1, "a", None), (2, "b", True)]
    assert read("json", "[1, 2.5, null]").rows == [(1.0,), (2.5,), (None,)]
    assert read("json", '{"name": "x", "n": [1, 2]}').rows == [("x", [1, 2])]


def test_nesting_without_end_is_cut_off(read: Reader) -> None:
    deep = '{"a":' * 60 + "1" + "}" * 60
    loaded = read("json", f'{{"b":1,"c":{deep}}}')
    assert loaded.columns["c"].count("struct") <= 32
    assert json.dumps(loaded.rows[0][1]).count("a") >= 60
    for depth in (900, 960, 970, 980, 990, 1000):
        at_the_limit = "[" * depth + "]" * depth
        assert read("json", f'{{"a":1,"b":{at_the_limit}}}\n{{"a":2}}\n').lines == [1, 2]
        assert read("json", f'{{"a":1}}\n{at_the_limit}\n{{"a":2}}\n').lines == [1, 2, 3]
    endless = "[" * 100_000
    assert "too deeply" in read("json", f'{{"a":1}}\n{{"a":{endless}}}\n{{"a":2}}\n').problems[2]


@pytest.mark.parametrize("content", ["", "   \n", "{}", "[]", "hello\nworld\n"])
def test_a_file_without_values_is_refused(read: Reader, content: str) -> None:
    with pytest.raises(CellFailed):
        read("json", content)


def test_too_many_columns_are_refused(read: Reader) -> None:
    with pytest.raises(CellFailed, match="11,000 columns"):
        read("json", json.dumps({f"c{number}": 1 for number in range(11_000)}))


def test_documents_are_the_same_wherever_chunks_end(read: Reader, monkeypatch: pytest.MonkeyPatch) -> None:
    content = '{"m":"é\\"]","d":[{"a":-12.5e3,"b":[true,{"c":null}]}, {"a":1,,}, {"a":false,"b":"x, ]"}]}'
    whole = read("json", content)
    for size in range(1, 30):
        monkeypatch.setattr(json_stream, "CHUNK", size)
        assert read("json", content).rows[0] == whole.rows[0]
    assert whole.layout.options.records == "d"


_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("xyz"), inner, max_size=3),
    max_leaves=8,
)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.dictionaries(st.sampled_from("abc"), _VALUES, min_size=1), min_size=2, max_size=6))
def test_no_record_of_any_objects_is_lost(read: Reader, records: list[dict[str, Any]]) -> None:
    lines = read("json", "".join(json.dumps(record) + "\n" for record in records), form="lines")
    document = read("json", json.dumps(records, indent=2))
    assert len(lines.rows) == len(document.rows) == len(records)
    assert repr(lines.rows) == repr(document.rows)
    for record, row in zip(records, lines.rows, strict=True):
        values = dict(zip(lines.columns, row, strict=True))
        assert all((values[name] is None) == (value is None) for name, value in record.items())


def test_columns_of_several_lengths_are_told(read: Reader) -> None:
    loaded = read("json", '{"a":[1,2],"b":["x"]}', rows="columns")
    assert loaded.rows == [(1, "x"), (2, None)]
    assert "some columns end before it" in loaded.problems[2]
