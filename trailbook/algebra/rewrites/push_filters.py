"""Conditions where their columns come from: below projections, into the sides and the conditions of joins."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from trailbook.algebra.expressions import Expr, both, conjuncts, names_in, substitute
from trailbook.algebra.plan import Existence, Filter, Join, JoinKind, Plan, Project
from trailbook.algebra.rewrites.safety import is_movable, is_plain
from trailbook.algebra.traversal import transform

_LEFT_KEPT = (JoinKind.INNER, JoinKind.LEFT, JoinKind.SEMI, JoinKind.ANTI)
"""Joins of which each row has one left row, as it was."""
_RIGHT_KEPT = (JoinKind.INNER, JoinKind.RIGHT)


def push_filters(plan: Plan) -> Plan:
    return transform(plan, lambda node: _filtered(node.input, conjuncts(node.condition)) if _is_filter(node) else node)


def _is_filter(node: Plan) -> bool:
    return isinstance(node, Filter)


def _filtered(node: Plan, conditions: Sequence[Expr]) -> Plan:
    """The operator's rows for which the conditions hold."""
    # Inputs come first, so that what a filter was pushed onto has been through this itself.
    down = [condition for condition in conditions if is_movable(condition)]
    match node:
        case Filter():
            return _filtered(node.input, [*conjuncts(node.condition), *conditions])
        case Project():
            pushed, down = _below_project(node, down)
        case Join():
            pushed, down = _into_join(node, down)
        case Existence():
            down = [condition for condition in down if node.name not in names_in(condition)]
            pushed = replace(node, left=_filtered(node.left, down)) if down else node
        case _:
            pushed, down = node, []
    left = [condition for condition in conditions if condition not in down]
    return Filter(pushed, both(*left)) if left else pushed


def _below_project(node: Project, conditions: Sequence[Expr]) -> tuple[Plan, list[Expr]]:
    columns = {column.name: column.expr for column in node.columns}
    if not all(map(is_movable, columns.values())):
        return node, []
    down = [condition for condition in conditions if all(is_plain(columns[name]) for name in names_in(condition))]
    if not down:
        return node, []
    return replace(node, input=_filtered(node.input, [substitute(condition, columns) for condition in down])), down


def _into_join(node: Join, conditions: Sequence[Expr]) -> tuple[Plan, list[Expr]]:
    left_names, right_names = set(node.left.names), set(node.right.names)
    left = [c for c in conditions if names_in(c) <= left_names] if node.kind in _LEFT_KEPT else []
    right = [c for c in conditions if names_in(c) <= right_names and c not in left] if node.kind in _RIGHT_KEPT else []
    across = [c for c in conditions if c not in (*left, *right)] if node.kind is JoinKind.INNER else []
    if not (left or right or across):
        return node, []
    condition = both(*conjuncts(node.condition), *across) if node.condition or across else None
    pushed = Join(
        _filtered(node.left, left) if left else node.left,
        _filtered(node.right, right) if right else node.right,
        node.kind,
        condition,
    )
    return pushed, [*left, *right, *across]
