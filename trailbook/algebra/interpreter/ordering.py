"""ORDER BY: keys of rows that Python sorts as Spark does."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any

from sqlglot import exp

from trailbook.algebra.interpreter.translator import INLINE_COMPARED, RUNTIME, Translator, tuple_of
from trailbook.algebra.interpreter.values import Row, sortable

RUNTIME["sortable"] = sortable


def nulls_first(ordered: exp.Ordered) -> bool:
    """As written, or Spark's default: NULL is the least value."""
    written = ordered.args.get("nulls_first")
    return not ordered.args.get("desc") if written is None else bool(written)


class Ordering:
    """The keys of an ORDER BY, compiled."""

    def __init__(self, keys: Sequence[exp.Ordered], to: Translator, environment: Mapping[str, Any]) -> None:
        sources = tuple_of(_key(to, key) for key in keys)
        self.key: Callable[[Row], tuple[Any, ...]] = to.function("r", sources, environment)
        self._descending = [bool(key.args.get("desc")) for key in keys]

    def sort(self, keyed: list[tuple[tuple[Any, ...], Any]], random: Random | None) -> None:
        """Sort pairs of a key and something else in place; ties stay in order unless `random` is to pick."""
        if random is not None:
            random.shuffle(keyed)
        if not any(self._descending):
            keyed.sort(key=_keys)
            return
        for position in reversed(range(len(self._descending))):
            keyed.sort(key=lambda pair: pair[0][position], reverse=self._descending[position])


def _keys(pair: tuple[tuple[Any, ...], Any]) -> tuple[Any, ...]:
    return pair[0]


def _key(to: Translator, ordered: exp.Ordered) -> str:
    """A pair: where NULL goes, then the value. A descending order is the reverse of this one."""
    source, name = to.value(ordered.this), to.fresh()
    null_is_less = nulls_first(ordered) != bool(ordered.args.get("desc"))
    flag = f"({name} := {source}) is {'not ' if null_is_less else ''}None"
    return f"({flag}, {name if to.family(ordered.this) in INLINE_COMPARED else f'sortable({name})'})"
