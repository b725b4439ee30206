"""Aggregate: groups of rows, for each of its grouping sets."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from sqlglot import exp

from trailbook.algebra.expressions import Expr
from trailbook.algebra.interpreter.aggregates import ORDER_DEPENDENT, aggregate_name, aggregated
from trailbook.algebra.interpreter.translator import INLINE_COMPARED, Translator, tuple_of
from trailbook.algebra.interpreter.values import Row, hashable
from trailbook.algebra.plan import Aggregate, Named
from trailbook.errors import InterpreterError

Rows = list[Row]


def is_order_dependent(plan: Aggregate) -> bool:
    """Whether another order of the input may give other values."""
    return any(
        aggregate_name(named.expr) in ORDER_DEPENDENT for named in plan.aggregates if not _is_grouping(named.expr)
    )


def compiled_aggregate(plan: Aggregate, to: Translator, environment: Mapping[str, Any]) -> Callable[[Rows], Rows]:
    keys = to.function("r", tuple_of(to.value(key.expr) for key in plan.keys), environment)
    plain = all(to.family(key.expr) in INLINE_COMPARED for key in plan.keys)
    group = keys if plain else lambda row: hashable(keys(row))
    if plan.sets is None:
        compute = _computed(plan.aggregates, to, environment)
        return lambda rows: _grouped(rows, keys, group, compute) if plan.keys else [compute(rows)]
    parts = [_part(plan, names, to, environment) for names in plan.sets]
    return lambda rows: [row for part in parts for row in part(rows)]


def _part(
    plan: Aggregate, names: tuple[str, ...], to: Translator, environment: Mapping[str, Any]
) -> Callable[[Rows], Rows]:
    """The rows of one grouping set. Over no rows there are none, not even for the set without keys: so does Spark."""
    absent = [key.name not in names for key in plan.keys]
    numbers = [Named(named.name, _grouping(plan, named.expr, absent)) for named in plan.aggregates]
    shown = [exp.Null() if gone else key.expr for key, gone in zip(plan.keys, absent, strict=True)]
    keys = to.function("r", tuple_of(map(to.value, shown)), environment)
    compute = _computed(tuple(numbers), to, environment)
    return lambda rows: _grouped(rows, keys, lambda row: hashable(keys(row)), compute)


def _grouped(
    rows: Rows, keys: Callable[[Row], Row], group: Callable[[Row], Any], compute: Callable[[Rows], Row]
) -> Rows:
    groups: dict[Any, Rows] = {}
    for row in rows:
        groups.setdefault(group(row), []).append(row)
    return [keys(members[0]) + compute(members) for members in groups.values()]


def _computed(aggregates: tuple[Named, ...], to: Translator, environment: Mapping[str, Any]) -> Callable[[Rows], Row]:
    sources = (
        to.value(named.expr) if isinstance(named.expr, exp.Literal) else aggregated(to, named.expr)
        for named in aggregates
    )
    return to.function("rows", tuple_of(sources), environment)


def _is_grouping(expr: Expr) -> bool:
    return isinstance(expr, exp.Anonymous) and str(expr.this).lower() in ("grouping", "grouping_id")


def _grouping(plan: Aggregate, expr: Expr, absent: list[bool]) -> Expr:
    """grouping_id() and grouping(key) are constants of a set: a bit for each absent key, the first the highest."""
    if not _is_grouping(expr):
        return expr
    bits = [absent[_position(plan, argument)] for argument in expr.expressions] or absent
    return exp.Literal.number(sum(1 << place for place, bit in enumerate(reversed(bits)) if bit))


def _position(plan: Aggregate, expr: Expr) -> int:
    for position, key in enumerate(plan.keys):
        if key.expr == expr:
            return position
    raise InterpreterError(f"grouping() of {expr.sql('spark')}, which is no key.")
