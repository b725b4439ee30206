"""Window functions: each is computed over one partition, sorted, for all of its rows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import Any

from sqlglot import exp

from trailbook.algebra.expressions import Expr
from trailbook.algebra.interpreter.aggregates import AGGREGATES, aggregate_name, aggregated
from trailbook.algebra.interpreter.frames import Frame, Partition, frame_of
from trailbook.algebra.interpreter.ordering import Ordering
from trailbook.algebra.interpreter.translator import INLINE_COMPARED, Translator, tuple_of
from trailbook.algebra.interpreter.values import Row, hashable
from trailbook.errors import InterpreterError

Rows = list[Row]
Compute = Callable[[Partition], list[Any]]


@dataclass(frozen=True)
class WindowFunction:
    """How one column of a `Window` is made."""

    partition: Callable[[Row], Any]
    ordering: Ordering
    compute: Compute

    def column(self, rows: Rows, random: Random | None) -> list[Any]:
        """The function's value for each row, in the order of the rows."""
        parts: dict[Any, list[tuple[tuple[Any, ...], int]]] = {}
        for index, row in enumerate(rows):
            parts.setdefault(self.partition(row), []).append((self.ordering.key(row), index))
        column: list[Any] = [None] * len(rows)
        for keyed in parts.values():
            self.ordering.sort(keyed, random)
            partition = Partition([rows[index] for _, index in keyed], [key for key, _ in keyed])
            for (_, index), value in zip(keyed, self.compute(partition), strict=True):
                column[index] = value
        return column


def compiled_window(expr: exp.Window, to: Translator, environment: Mapping[str, Any]) -> WindowFunction:
    keys = expr.args.get("partition_by") or []
    partition = to.function("r", tuple_of(map(to.value, keys)), environment)
    plain = all(to.family(key) in INLINE_COMPARED for key in keys)
    order = expr.args.get("order")
    ordering = Ordering(order.expressions if order else [], to, environment)
    compute = _compute(expr, to, environment)
    return WindowFunction(partition if plain else lambda row: hashable(partition(row)), ordering, compute)


def _compute(expr: exp.Window, to: Translator, environment: Mapping[str, Any]) -> Compute:
    name = aggregate_name(expr.this)
    call = _call(expr.this)
    if name in RANKINGS:
        return RANKINGS[name]
    if name == "ntile":
        return partial(ntile, int(to.value(call.expressions[0])))
    if name in ("lag", "lead"):
        return _shifted(name, expr.this, to, environment)
    frame = frame_of(expr, to, environment)
    if name == "nth_value":
        value = to.function("r", to.value(call.expressions[0]), environment)
        return partial(nth_value, frame, value, int(to.value(call.expressions[1])), _past_null(expr.this, 2))
    if name not in AGGREGATES:
        raise InterpreterError(f"The interpreter does not know the window function {name}.")
    return partial(_framed, frame, to.function("rows", aggregated(to, expr.this), environment))


def _call(expr: Expr) -> exp.Anonymous:
    while not isinstance(expr, exp.Anonymous):
        expr = expr.this
    return expr


def _past_null(expr: Expr, position: int) -> bool:
    """Whether IGNORE NULLS is written, or the argument that says so."""
    arguments = _call(expr).expressions
    flagged = len(arguments) > position and isinstance(arguments[position], exp.Boolean) and arguments[position].this
    return isinstance(expr, exp.IgnoreNulls) or bool(flagged)


def _framed(frame: Frame, aggregate: Callable[[Rows], Any], partition: Partition) -> list[Any]:
    if frame.is_whole:
        return [aggregate(partition.rows)] * len(partition.rows)
    return [aggregate(partition.rows[low:high]) for low, high in frame.bounds(partition)]


def row_number(partition: Partition) -> list[Any]:
    return list(range(1, len(partition.rows) + 1))


def rank(partition: Partition) -> list[Any]:
    return [low + 1 for low, _ in partition.peers()]


def dense_rank(partition: Partition) -> list[Any]:
    starts = sorted({low for low, _ in partition.peers()})
    return [starts.index(low) + 1 for low, _ in partition.peers()]


def percent_rank(partition: Partition) -> list[Any]:
    others = len(partition.rows) - 1
    return [low / others if others else 0.0 for low, _ in partition.peers()]


def cume_dist(partition: Partition) -> list[Any]:
    return [high / len(partition.rows) for _, high in partition.peers()]


def ntile(buckets: int, partition: Partition) -> list[Any]:
    """The first buckets get the rows that are left over."""
    size, extra = divmod(len(partition.rows), buckets)
    sizes = [size + (bucket < extra) for bucket in range(buckets)]
    return [bucket for bucket, count in enumerate(sizes, 1) for _ in range(count)]


def nth_value(
    frame: Frame, value: Callable[[Row], Any], position: int, past_null: bool, partition: Partition
) -> list[Any]:
    values = [value(row) for row in partition.rows]
    frames = [values[low:high] for low, high in frame.bounds(partition)]
    if past_null:
        frames = [[value for value in seen if value is not None] for seen in frames]
    return [seen[position - 1] if len(seen) >= position else None for seen in frames]


def _shifted(name: str, expr: Expr, to: Translator, environment: Mapping[str, Any]) -> Compute:
    arguments = [*_call(expr).expressions, None, None][:3]
    value = to.function("r", to.value(arguments[0]), environment)
    offset = int(to.value(arguments[1]).strip("()")) if arguments[1] else 1
    default = to.function("r", to.value(arguments[2]) if arguments[2] else "None", environment)
    return partial(shifted, value, offset if name == "lead" else -offset, default, _past_null(expr, 3))


def shifted(
    value: Callable[[Row], Any], offset: int, default: Callable[[Row], Any], past_null: bool, partition: Partition
) -> list[Any]:
    """lead, and lag with a negative offset."""
    values = [value(row) for row in partition.rows]
    result = []
    for index, row in enumerate(partition.rows):
        place = _seen(values, index, offset) if past_null else index + offset
        result.append(values[place] if 0 <= place < len(values) else default(row))
    return result


def _seen(values: list[Any], index: int, offset: int) -> int:
    """The place of the value that many values away, those that are NULL not counted."""
    step = 1 if offset > 0 else -1
    others = range(index + step, len(values) if step > 0 else -1, step)
    places = [place for place in others if values[place] is not None]
    return places[abs(offset) - 1] if 0 < abs(offset) <= len(places) else -1 if offset else index


RANKINGS: dict[str, Compute] = {
    "row_number": row_number,
    "rank": rank,
    "dense_rank": dense_rank,
    "percent_rank": percent_rank,
    "cume_dist": cume_dist,
}
