"""The types of functions that take a lambda."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from trailbook.algebra.datatypes import BOOLEAN, INT, UNKNOWN, array_of, element_of, entry_of, map_of

Body = Callable[..., str]
"""The type of the lambda at a position of the arguments, where its variables have the types given."""


def _element(kind: str) -> str:
    return element_of(kind) or UNKNOWN


def _entry(kind: str) -> tuple[str, str]:
    return entry_of(kind) or (UNKNOWN, UNKNOWN)


def _aggregate(kinds: Sequence[str], body: Body) -> str:
    return body(3, kinds[1]) if len(kinds) > 3 else kinds[1]


def _map_zip_with(kinds: Sequence[str], body: Body) -> str:
    (key, left), (other, right) = _entry(kinds[0]), _entry(kinds[1])
    return map_of(key, body(2, key, left, right)) if key == other else UNKNOWN


LAMBDA_RULES: dict[str, Callable[[Sequence[str], Body], str]] = {
    "aggregate": _aggregate,
    "array_sort": lambda kinds, _: kinds[0],
    "exists": lambda *_: BOOLEAN,
    "filter": lambda kinds, _: kinds[0],
    "forall": lambda *_: BOOLEAN,
    "map_filter": lambda kinds, _: kinds[0],
    "map_zip_with": _map_zip_with,
    "reduce": _aggregate,
    "transform": lambda kinds, body: array_of(body(1, _element(kinds[0]), INT)),
    "transform_keys": lambda kinds, body: map_of(body(1, *_entry(kinds[0])), _entry(kinds[0])[1]),
    "transform_values": lambda kinds, body: map_of(_entry(kinds[0])[0], body(1, *_entry(kinds[0]))),
    "zip_with": lambda kinds, body: array_of(body(2, _element(kinds[0]), _element(kinds[1]))),
}
