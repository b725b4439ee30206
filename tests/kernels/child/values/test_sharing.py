"""Which objects must stay one, and which names are stored together for it."""

from __future__ import annotations

import datetime as dt
import decimal
import enum
import functools
import pathlib
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from trailbook.kernels.child.values.sharing import Arrays, groups, is_mutable, overlapping


@dataclass(frozen=True)
class Frozen:
    x: int = 1


@dataclass
class Open:
    x: int = 1


class Valued:
    """Has attributes, however it is compared."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Valued)

    def __hash__(self) -> int:
        return 1


class Colour(enum.Enum):
    RED = 1


@pytest.mark.parametrize("value", [Open(), Valued(), np.zeros(3), functools.partial(print), iter([1])])
def test_what_can_change_in_place_is_mutable(value: Any) -> None:
    assert is_mutable(value)


@pytest.mark.parametrize(
    "value",
    [Frozen(), Colour.RED, dt.date(2020, 1, 1), decimal.Decimal(1), np.float64(1), np.dtype("f8"), pathlib.PurePath()],
)
def test_values_are_not_mutable(value: Any) -> None:
    assert not is_mutable(value)


@pytest.mark.parametrize(
    ("members", "found"),
    [
        ({"a": [1], "b": [2]}, [["a"], ["b"]]),
        ({"b": [1, 2], "a": [2, 3]}, [["a", "b"]]),
        ({"a": [1], "b": [2], "c": [1, 2]}, [["a", "b", "c"]]),
        ({"a": [1], "b": [2], "c": [3], "d": [3, 1]}, [["a", "c", "d"], ["b"]]),
        ({}, []),
    ],
)
def test_names_with_something_in_common_are_one_group(members: dict[str, list[int]], found: list[list[str]]) -> None:
    assert groups(members) == found


def test_arrays_share_memory_only_where_they_overlap() -> None:
    base = np.zeros((4, 10))

    def is_shared(*arrays: Any) -> bool:
        found = Arrays()
        for array in arrays:
            found.add(array)
        return bool(overlapping([found]))

    assert is_shared(base, base[1])
    assert is_shared(base[:, 2:5], base[1])
    assert is_shared(base[:3], base.T[2:])
    assert not is_shared(base[0], base[1])
    assert not is_shared(base[:, ::2], base[:, 1::2])
    assert not is_shared(base, base.copy())
    assert not is_shared(base, base)
