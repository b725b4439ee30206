"""Equal values have equal tokens, whatever their types are, and others don't."""

from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal
from typing import Any

import pyarrow as pa
import pytest

from trailbook.cells.reloading.hashing import as_texts, distinct_values, together, tokens_of


def tokens(values: list[Any], type: pa.DataType, other: pa.DataType | None = None, number: int = 0) -> list[int]:
    found, _ = tokens_of(pa.chunked_array([values], type), number, other or type)
    tokens: list[int] = found.tolist()
    return tokens


@pytest.mark.parametrize(
    ("values", "type"),
    [
        ([1, -1, None], pa.int32()),
        ([1.5, 0.0, None, float("nan")], pa.float64()),
        (["", "a", "b", None], pa.string()),
        ([True, False, None], pa.bool_()),
        ([Decimal("1.50"), Decimal("2.00"), None], pa.decimal128(10, 2)),
        ([date(2026, 1, 2), date(2026, 1, 3), None], pa.date32()),
        ([datetime(2026, 1, 2, 3), datetime(2026, 1, 2, 4), None], pa.timestamp("us", "UTC")),
        ([b"\xff\xfe", b"\xff", b"", None], pa.binary()),
        ([[1, None], [None, 1], [1], [], None], pa.list_(pa.int64())),
        ([{"a": 1}, {"a": None}, None], pa.struct([("a", pa.int64())])),
        ([[("a", 1)], [], None], pa.map_(pa.string(), pa.int64())),
    ],
    ids=str,
)
def test_values_are_told_apart_in_every_type(values: list[Any], type: pa.DataType) -> None:
    found = tokens(values, type)
    assert len(set(found)) == len(values)
    assert tokens(values, type) == found
    assert not set(found) & set(tokens(values, type, number=1))


@pytest.mark.parametrize(
    ("values", "type", "others", "other"),
    [
        ([5, None], pa.int32(), [5, None], pa.int64()),
        ([5, 0], pa.int64(), [5.0, -0.0], pa.float64()),
        ([Decimal("0E-8")], pa.decimal128(12, 8), [Decimal("0.0")], pa.decimal128(10, 1)),
        ([Decimal("1E-7")], pa.decimal128(12, 8), [Decimal("0.0000001")], pa.decimal128(12, 7)),
        ([0, 1200], pa.int64(), [Decimal("0E-8"), Decimal("1200")], pa.decimal128(16, 8)),
        ([1e20, 1e-7, 0.1], pa.float64(), ["100000000000000000000", "0.0000001", "1e-1"], pa.string()),
        ([Decimal("5.00")], pa.decimal128(5, 2), ["5"], pa.string()),
        ([datetime(2020, 1, 2, 3, 4, 5)], pa.timestamp("us", "UTC"), ["2020-01-02 03:04:05"], pa.string()),
        ([True, False], pa.bool_(), ["true", "false"], pa.string()),
        ([None, None], pa.int64(), [None, None], pa.string()),
        ([5, 10], pa.int64(), [Decimal("5.00"), Decimal("10.00")], pa.decimal128(8, 2)),
        ([Decimal("1.50")], pa.decimal128(8, 2), [Decimal("1.5000")], pa.decimal128(12, 4)),
        ([Decimal("1.50")], pa.decimal128(8, 2), [1.5], pa.float64()),
        ([5, None], pa.int64(), ["5", None], pa.string()),
        ([date(2026, 1, 2)], pa.date32(), [datetime(2026, 1, 2)], pa.timestamp("us", "UTC")),
        ([date(2026, 1, 2)], pa.date32(), ["2026-01-02"], pa.string()),
        (["a"], pa.string(), ["a"], pa.large_string()),
    ],
    ids=str,
)
def test_equal_values_of_two_types_are_the_same(
    values: list[Any], type: pa.DataType, others: list[Any], other: pa.DataType
) -> None:
    assert tokens(values, type, other) == tokens(others, other, type)


@pytest.mark.parametrize(
    ("values", "type", "others", "other"),
    [
        ([2**53 + 1], pa.int64(), [float(2**53)], pa.float64()),
        ([Decimal("1.01")], pa.decimal128(8, 2), [Decimal("1.0")], pa.decimal128(8, 1)),
        ([1000, 1], pa.int64(), ["1_000", "1e9999"], pa.string()),
        ([date(2026, 1, 2)], pa.date32(), [datetime(2026, 1, 2, 1)], pa.timestamp("us", "UTC")),
        ([1, 0], pa.int64(), [True, False], pa.bool_()),
    ],
    ids=str,
)
def test_other_values_of_two_types_are_not(
    values: list[Any], type: pa.DataType, others: list[Any], other: pa.DataType
) -> None:
    assert not set(tokens(values, type, other)) & set(tokens(others, other, type))


def test_values_in_pieces_are_those_in_one() -> None:
    pieces = pa.chunked_array([["a", None], ["b", "a"], []], pa.string())
    assert tokens_of(pieces, 0, pa.string())[0].tolist() == tokens(["a", None, "b", "a"], pa.string())
    assert tokens_of(pa.chunked_array([], pa.string()), 0, pa.string())[0].tolist() == []


def test_a_row_is_more_than_the_set_of_its_values() -> None:
    (one, _), (two, _) = (tokens_of(pa.chunked_array([[1, 2]]), number, pa.int64()) for number in (0, 1))
    assert together([one, two], 2).tolist() != together([two, one], 2).tolist()
    assert together([], 2).tolist() == [0, 0]


def test_values_are_shown_as_people_read_them() -> None:
    columns = [pa.array([[1, None]]), pa.array([b"\xff"]), pa.array([Decimal("1.50")]), pa.array([{"ä": "b"}])]
    assert [as_texts(pa.chunked_array([column])).to_pylist() for column in columns] == [
        ["[1, null]"],
        ["ff"],
        ["1.50"],
        ['{"ä": "b"}'],
    ]


def test_a_few_tokens_tell_how_many_there_are() -> None:
    assert distinct_values([[[1, 5], [2]], [[5, 9], [2]]]) == [3, 1]
    halves = (tokens_of(pa.chunked_array([range(start, start + 6_000)]), 0, pa.int64()) for start in (0, 4_000))
    assert 7_000 < distinct_values([[least] for _, least in halves])[0] < 14_000
