"""The frame of a window function: which rows of the sorted partition it sees from each row."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from sqlglot import exp

from trailbook.algebra.interpreter.arithmetic import minus, negative, plus
from trailbook.algebra.interpreter.translator import Translator
from trailbook.algebra.interpreter.values import Row, less

Bounds = list[tuple[int, int]]


@dataclass(frozen=True)
class Partition:
    """Rows in the order of the window, with their keys."""

    rows: list[Row]
    keys: list[tuple[Any, ...]]

    @cached_property
    def _peers(self) -> Bounds:
        bounds: Bounds = []
        while len(bounds) < len(self.keys):
            low = high = len(bounds)
            while high < len(self.keys) and self.keys[high] == self.keys[low]:
                high += 1
            bounds.extend([(low, high)] * (high - low))
        return bounds

    def peers(self) -> Bounds:
        """For each row, from where to where the rows reach that tie with it."""
        return self._peers


@dataclass(frozen=True)
class Frame:
    """Offsets count rows, or differences of the key; negative ones precede; None is unbounded."""

    by_rows: bool
    start: Any
    end: Any
    descending: bool = False

    @property
    def is_whole(self) -> bool:
        return self.start is None and self.end is None

    def bounds(self, partition: Partition) -> Bounds:
        """For each row, the slice of the partition that is its frame."""
        return (self._rows if self.by_rows else self._range)(partition)

    def _rows(self, partition: Partition) -> Bounds:
        count = len(partition.rows)
        return [
            (
                0 if self.start is None else min(max(index + self.start, 0), count),
                count if self.end is None else min(max(index + self.end + 1, 0), count),
            )
            for index in range(count)
        ]

    def _range(self, partition: Partition) -> Bounds:
        peers = partition.peers()
        if self.start in (None, 0) and self.end in (None, 0):
            count = len(partition.rows)
            return [(0 if self.start is None else low, count if self.end is None else high) for low, high in peers]
        return [self._by_value(partition, index) for index in range(len(partition.rows))]

    def _by_value(self, partition: Partition, index: int) -> tuple[int, int]:
        """The rows whose key is near. To a row whose key is NULL only the others of that kind are near."""
        low, high = partition.peers()[index]
        value = _value(partition.keys[index])
        if value is None:
            return (0 if self.start is None else low, len(partition.rows) if self.end is None else high)
        values = [_value(key) for key in partition.keys]
        if self.start is not None:
            low = _first(values, lambda other: not self._before(other, self._moved(value, self.start)))
        if self.end is not None:
            high = _end(values, lambda other: not self._before(self._moved(value, self.end), other))
        return (0 if self.start is None else low, len(values) if self.end is None else high)

    def _before(self, left: Any, right: Any) -> bool:
        return less(right, left) if self.descending else less(left, right)

    def _moved(self, value: Any, offset: Any) -> Any:
        return minus(value, offset) if self.descending else plus(value, offset)


def _value(key: tuple[Any, ...]) -> Any:
    """Of the only key."""
    return key[0][1]


def _first(values: list[Any], holds: Callable[[Any], bool]) -> int:
    return next((i for i, value in enumerate(values) if value is not None and holds(value)), len(values))


def _end(values: list[Any], holds: Callable[[Any], bool]) -> int:
    return next((i + 1 for i in reversed(range(len(values))) if values[i] is not None and holds(values[i])), 0)


def frame_of(expr: exp.Window, to: Translator, environment: Mapping[str, Any]) -> Frame:
    """As written, or the default: up to the ties of the row where there is an order, else the whole partition."""
    order, spec = expr.args.get("order"), expr.args.get("spec")
    if spec is None:
        return Frame(False, None, 0 if order else None)
    descending = bool(order and order.expressions[0].args.get("desc"))
    start, end = (_offset(spec.args, side, to, environment) for side in ("start", "end"))
    return Frame(str(spec.args["kind"]).upper() == "ROWS", start, end, descending)


def _offset(spec: Mapping[str, Any], side: str, to: Translator, environment: Mapping[str, Any]) -> Any:
    bound = spec.get(side) or "CURRENT ROW"
    if not isinstance(bound, exp.Expr):
        return None if str(bound).upper() == "UNBOUNDED" else 0
    offset = to.function("", to.value(bound), environment)()
    return negative(offset) if str(spec[f"{side}_side"]).upper() == "PRECEDING" else offset
