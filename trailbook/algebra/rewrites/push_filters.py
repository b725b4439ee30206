"""Conditions where their columns come from: below projections, into the sides and the conditions of joins."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from trailbook.algebra.expressions import Expr, both, conjuncts, names_in, substitute
from trailbook.algebra.plan import Existence, Filter, Join, JoinKind, Plan, Project
from trailbook.algebra.rewrites.safety import is_movable, is_plain
from trailbook.algebra.traversal import transform

_LEFT_KEPT = (JoinKind.INNER, JoinKind.LEFT, JoinKind.SEMI, JoinKind.ANTI)
"""Joins of which each row has one left row, as it was."""
_RIGHT_KEPT = (JoinKind.INNER, JoinKind.RIGHT)


@dataclass(frozen=True)
class _Step:
    """Conditions on their way down: those that go on into `input`, and what stands above it afterwards."""

    input: Plan
    down: Sequence[Expr]
    rebuilt: Callable[[Plan], Plan]
    done: Sequence[Expr] = field(default=())
    """Conditions that have arrived elsewhere."""


def push_filters(plan: Plan) -> Plan:
    return transform(plan, _pushed)


def _pushed(node: Plan) -> Plan:
    return _filtered(node.input, conjuncts(node.condition)) if isinstance(node, Filter) else node


def _filtered(node: Plan, conditions: Sequence[Expr]) -> Plan:
    """The operator's rows for which the conditions hold."""
    above: list[Callable[[Plan], Plan]] = []
    while conditions and (step := _step(node, conditions)):
        node, conditions = step.input, step.down
        above.append(step.rebuilt)
    result: Plan = Filter(node, both(*conditions)) if conditions else node
    for rebuilt in reversed(above):
        result = rebuilt(result)
    return result


def _step(node: Plan, conditions: Sequence[Expr]) -> _Step | None:
    """One operator further down, if any condition can go there."""
    match node:
        case Filter():
            return _Step(node.input, [*conjuncts(node.condition), *conditions], lambda below: below)
        case Project():
            step = _below_project(node, conditions)
        case Join():
            step = _into_join(node, conditions)
        case Existence():
            down = [c for c in conditions if is_movable(c) and node.name not in names_in(c)]
            step = _Step(node.left, down, lambda below: replace(node, left=below), down)
        case _:
            return None
    stay = [condition for condition in conditions if condition not in step.done]
    if len(stay) == len(conditions):
        return None
    return replace(step, rebuilt=lambda below: _over(step.rebuilt(below), stay))


def _over(node: Plan, conditions: Sequence[Expr]) -> Plan:
    return Filter(node, both(*conditions)) if conditions else node


def _below_project(node: Project, conditions: Sequence[Expr]) -> _Step:
    columns = {column.name: column.expr for column in node.columns}
    # Of a computed column, the condition would compute it a second time.
    down = [c for c in conditions if is_movable(c) and all(is_plain(columns[name]) for name in names_in(c))]
    if not all(map(is_movable, columns.values())):
        down = []
    return _Step(node.input, [substitute(c, columns) for c in down], lambda below: replace(node, input=below), down)


def _into_join(node: Join, conditions: Sequence[Expr]) -> _Step:
    movable = [condition for condition in conditions if is_movable(condition)]
    left = [c for c in movable if names_in(c) <= set(node.left.names)] if node.kind in _LEFT_KEPT else []
    right = [c for c in movable if names_in(c) <= set(node.right.names)] if node.kind in _RIGHT_KEPT else []
    right = [condition for condition in right if condition not in left]
    across = [c for c in movable if c not in (*left, *right)] if node.kind is JoinKind.INNER else []
    condition = both(*conjuncts(node.condition), *across) if across else node.condition
    right_side = _filtered(node.right, right) if right else node.right
    return _Step(node.left, left, lambda below: Join(below, right_side, node.kind, condition), (*left, *right, *across))
