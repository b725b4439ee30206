"""JSON lines: objects become rows, and what is no object is kept as text."""

from __future__ import annotations

import pytest

from tests.sources.conftest import Reader
from trailbook.errors import CellFailed


@pytest.mark.parametrize(
    "content",
    ['{"a": 1}\n{"a": 2}\n', '{"a": 1}\r\n{"a": 2}\r\n', '\ufeff{"a": 1}\n{"a": 2}', '\n{"a": 1}\n\n\n{"a": 2}\n\n'],
    ids=["plain", "CRLF", "BOM", "blank lines"],
)
def test_the_same_table_however_it_is_written(read: Reader, content: str) -> None:
    loaded = read("a.jsonl", content.encode())
    assert (loaded.columns, loaded.types, loaded.rows) == (["a"], ["bigint"], [(1,), (2,)])
    assert loaded.findings == []


def test_keys_that_are_missing_are_null_and_columns_are_sorted(read: Reader) -> None:
    loaded = read("a.ndjson", b'{"b": "x", "a": 1}\n{"a": 2, "c": [1, 2]}\n')
    assert loaded.columns == ["a", "b", "c"]
    assert loaded.rows == [(1, "x", None), (2, None, [1, 2])]


def test_lines_that_are_no_objects_are_kept_as_text_and_counted(read: Reader) -> None:
    loaded = read("a.json", b'{"a": 1}\nnot json\n{"a": 2\n{"a": 3}\n')
    assert loaded.columns == ["_unparsed", "a"]
    assert loaded.rows == [(None, 1), ("not json", None), ('{"a": 2', None), (None, 3)]
    assert loaded.findings == ["2 lines are not JSON objects; their text is in the column _unparsed."]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "is empty"),
        (b"\n\n", "is empty"),
        (b"a,b\n1,2\n", "none of its lines"),
        (b"{}\n{}\n", "none of its lines"),
        ('{"a": 1}\n'.encode("utf-16"), "UTF-16; save it as UTF-8"),
    ],
)
def test_a_file_without_objects_is_refused(read: Reader, content: bytes, message: str) -> None:
    with pytest.raises(CellFailed, match=message):
        read("a.jsonl", content)
