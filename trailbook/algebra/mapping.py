"""Changing the expressions of an operator."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from sqlglot import exp

from trailbook.algebra.expressions import Expr
from trailbook.algebra.plan import (
    Aggregate,
    Existence,
    Filter,
    Generate,
    Join,
    Named,
    Plan,
    Project,
    Sort,
    Values,
    Window,
)

Change = Callable[[Expr], Expr]


def map_expressions(plan: Plan, change: Change) -> Plan:
    """The operator with every expression as `change` wants it; its inputs stay."""
    match plan:
        case Project():
            return replace(plan, columns=_named(plan.columns, change))
        case Filter():
            return replace(plan, condition=change(plan.condition))
        case Join() | Existence():
            return replace(plan, condition=change(plan.condition)) if plan.condition is not None else plan
        case Aggregate():
            return replace(plan, keys=_named(plan.keys, change), aggregates=_named(plan.aggregates, change))
        case Window():
            return replace(plan, functions=_named(plan.functions, change))
        case Sort():
            return replace(plan, keys=tuple(_ordered(key, change) for key in plan.keys))
        case Generate():
            return replace(plan, generator=change(plan.generator))
        case Values():
            return replace(plan, rows=tuple(tuple(change(value) for value in row) for row in plan.rows))
        case _:
            return plan


def expressions_of(plan: Plan) -> list[Expr]:
    """The expressions of an operator, in the order of its fields."""
    found: list[Expr] = []

    def note(expr: Expr) -> Expr:
        found.append(expr)
        return expr

    map_expressions(plan, note)
    return found


def _named(columns: tuple[Named, ...], change: Change) -> tuple[Named, ...]:
    return tuple(Named(column.name, change(column.expr)) for column in columns)


def _ordered(key: exp.Ordered, change: Change) -> exp.Ordered:
    return exp.Ordered(this=change(key.this), desc=key.args.get("desc"), nulls_first=key.args.get("nulls_first"))
