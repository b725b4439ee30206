"""What is pickled in place of a set, so that its elements come in one order."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


class SetStandIn:
    """A set or frozenset, and its elements in order. What is loaded for it is the set itself."""

    def __init__(self, value: set[Any] | frozenset[Any], elements: list[Any]) -> None:
        self._value = value
        self._elements = elements

    def reduced(self) -> tuple[Any, ...]:
        if isinstance(self._value, frozenset):
            return frozenset, (self._elements,)
        # Made empty, so that an element may refer to it.
        return set, (), self._elements, None, None, fill_set


def fill_set(value: set[Any], elements: list[Any]) -> None:
    value.update(elements)


def in_order(elements: list[Any], key: Callable[[Any], bytes]) -> list[Any]:
    return sorted(elements, key=lambda one: (type(one).__module__, type(one).__qualname__, key(one)))
