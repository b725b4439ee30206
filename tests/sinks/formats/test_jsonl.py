"""JSON lines that are JSON, whatever is in them."""

from __future__ import annotations

import json
from datetime import date
from decimal import Decimal
from typing import Any

import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from tests.sinks.made import dataset, written


def objects(data: Any, **options: Any) -> list[Any]:
    return [json.loads(line) for line in written("jsonl", data, **options)[0].decode("utf-8").splitlines()]


@given(st.lists(st.one_of(st.none(), st.text()), max_size=5), st.text(min_size=1))
def test_any_text_is_read_back_as_it_was(texts: list[str | None], name: str) -> None:
    content, _ = written("jsonl", dataset({name: pa.array(texts, pa.string())}))
    assert [json.loads(line) for line in content.split(b"\n")[:-1]] == [{name: text} for text in texts]


def test_numbers_keep_all_their_digits_and_the_rest_is_text() -> None:
    data = dataset(
        {
            "n": [2**62, None],
            "f": [0.1, float("inf")],
            "d": [Decimal("0.10"), None],
            "day": [date(2026, 5, 1), None],
            "far": pa.array([4_000_000, None], pa.date32()),
            "yes": [True, False],
            "nested": [{"a": [1, None], "b": float("nan"), "c": b"\xff"}, None],
        }
    )
    assert objects(data) == [
        {
            "n": 2**62,
            "f": 0.1,
            "d": "0.10",
            "day": "2026-05-01",
            "far": "12921-08-18",
            "yes": True,
            "nested": {"a": [1, None], "b": "NaN", "c": "/w=="},
        },
        {"n": None, "f": "Infinity", "d": None, "day": None, "far": None, "yes": False, "nested": None},
    ]


def test_marks_are_true_and_false() -> None:
    data = dataset({"a": [1, 2]}, marks=[0b10, 0])
    assert objects(data) == [{"a": 1, "a_in_doubt": True}, {"a": 2, "a_in_doubt": False}]
    assert objects(data, marks="none") == [{"a": 1}, {"a": 2}]
