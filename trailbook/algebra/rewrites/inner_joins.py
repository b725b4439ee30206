"""A left join of which a filter wants the matches alone is an inner join."""

from __future__ import annotations

from dataclasses import replace

from sqlglot import exp

from trailbook.algebra.expressions import Expr, both, conjuncts
from trailbook.algebra.plan import Filter, Join, JoinKind, Plan
from trailbook.algebra.traversal import transform


def inner_joins(plan: Plan) -> Plan:
    return transform(plan, _changed)


def _changed(node: Plan) -> Plan:
    if not isinstance(node, Filter) or not isinstance(node.input, Join) or node.input.kind is not JoinKind.LEFT:
        return node
    join = node.input
    parts = conjuncts(node.condition)
    wanted = {name for part in parts if (name := _not_null(part)) is not None and name in join.right.names}
    if not wanted:
        return node
    never_null = {column.name for column in join.right.schema if not column.nullable}
    rest = [part for part in parts if _not_null(part) not in wanted & never_null]
    inner = replace(join, kind=JoinKind.INNER)
    return Filter(inner, both(*rest)) if rest else inner


def _not_null(condition: Expr) -> str | None:
    """The column that this says is not NULL."""
    if not isinstance(condition, exp.Not) or not isinstance(condition.this, exp.Is):
        return None
    tested = condition.this
    return tested.this.name if isinstance(tested.this, exp.Column) and isinstance(tested.expression, exp.Null) else None
