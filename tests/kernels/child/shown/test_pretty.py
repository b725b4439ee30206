"""Text of values is laid out as under Jupyter: held against IPython's own printer."""

from __future__ import annotations

import collections
import dataclasses
import datetime
import enum
import os
import re
import types
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from IPython.lib import pretty as ipython

from trailbook.kernels.child.shown.pretty import pretty

jupyter: Callable[[Any], str] = ipython.pretty
LONG = [f"element {number}" for number in range(20)]

plain = st.one_of(st.integers(), st.floats(), st.booleans(), st.none(), st.text(max_size=40), st.binary(max_size=10))
keys = st.one_of(st.text(max_size=20), st.integers(), st.tuples(st.text(max_size=30), st.integers()))


def containers(values: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    lists, mappings = st.lists(values, max_size=6), st.dictionaries(keys, values, max_size=6)
    made = (lists.map(tuple), lists.map(collections.deque), mappings.map(collections.OrderedDict))
    return st.one_of(
        lists, mappings, *made, st.sets(keys), st.frozensets(keys), st.lists(keys).map(collections.Counter)
    )


@settings(max_examples=150, deadline=None)
@given(st.recursive(plain, containers, max_leaves=30))
def test_nested_containers_are_laid_out_as_under_jupyter(value: Any) -> None:
    assert pretty(value) == jupyter(value)


class Pair(collections.namedtuple("Pair", "first second")):
    """Inherits its repr."""


@dataclasses.dataclass
class Record:
    names: list[str]


class Level(enum.Enum):
    LOW = 1


class Bare:
    """Has no repr."""


class OwnDict(dict[str, Any]):
    """Has that of a dict."""


class Multiline:
    def __repr__(self) -> str:
        return "first\nsecond"


class Custom:
    def _repr_pretty_(self, printer: Any, is_cycle: bool) -> None:
        with printer.group(8, "Custom <", ">"):
            for number, text in enumerate(LONG):
                if number:
                    printer.text(",")
                    printer.breakable()
                printer.pretty(text)
            with printer.indent(2):
                printer.break_()
            printer.text(str(is_cycle))


class Refused(ValueError):
    """An error with several arguments."""


def function(first: int, *rest: str, last: float = 1.5) -> None:
    """Something with a signature."""


def inside_itself(make: Callable[[], Any], add: Callable[[Any, Any], Any]) -> Any:
    value = make()
    add(value, value)
    return value


VALUES: dict[str, Any] = {
    "list that fits": [1, 2, 3],
    "long list": LONG,
    "too many": list(range(1500)),
    "too many in a set": set(range(1500)),
    "dict of lists": {"a": LONG, "b": {"c": LONG}},
    "tuple of one": (LONG,),
    "sets": ({3, 1, 2}, {"b", 1}, frozenset({2, 1}), set(), frozenset()),
    "views": ({1: 2}.keys(), {1: 2}.items(), {1: 2}.values()),
    "own dict": OwnDict(a=1),
    "mapping proxy": types.MappingProxyType({"a": 1}),
    "default dict": collections.defaultdict(list, {name: [1] for name in LONG}),
    "counter": collections.Counter(LONG * 2),
    "empty ones": (collections.Counter(), collections.OrderedDict(), collections.deque()),
    "deque": collections.deque(LONG, maxlen=30),
    "user list": collections.UserList(LONG),
    "namespace": types.SimpleNamespace(names=LONG, more=1),
    "record": Record(LONG),
    "pairs": [Pair(1, LONG), Pair(2, 3)],
    "enum": [Level, Level.LOW],
    "classes": (int, Bare, collections.OrderedDict, ValueError, type),
    "functions": (function, len, lambda x: x, str.upper, [].append, datetime.datetime.now),
    "errors": (ValueError("a", LONG), Refused(1), KeyError("x"), OSError(2, "gone")),
    "patterns": (re.compile(r"\d+\\"), re.compile(rb"x", re.I), re.compile("a", re.I | re.X)),
    "dates": [datetime.datetime(2024, 2, 3, 4, 5), datetime.timedelta(days=1)] * 3,
    "slices": (slice(1, 2), range(3), ..., NotImplemented, None, True, 1j),
    "super": super(Pair, Pair(1, 2)),
    "several lines": {"key": Multiline(), "other": [Multiline(), 1]},
    "custom": [Custom(), {"a": Custom()}],
    "bare": Bare(),
    "list in itself": inside_itself(list, list.append),
    "dict in itself": inside_itself(dict, lambda a, b: a.update(self=b)),
    "deque in itself": inside_itself(collections.deque, collections.deque.append),
    "environment": os.environ,
}


@pytest.mark.parametrize("name", VALUES)
def test_a_value_is_laid_out_as_under_jupyter(name: str) -> None:
    assert pretty(VALUES[name]) == jupyter(VALUES[name])
