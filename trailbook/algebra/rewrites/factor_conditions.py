"""What every branch of an OR demands, demanded once: (a AND b) OR (a AND c) is a AND (b OR c), for NULL as well."""

from __future__ import annotations

from dataclasses import replace

from sqlglot import exp

from trailbook.algebra.expressions import Expr, both, conjuncts, either
from trailbook.algebra.plan import Filter, Join, Plan
from trailbook.algebra.rewrites.safety import is_movable
from trailbook.algebra.traversal import transform


def factor_conditions(plan: Plan) -> Plan:
    return transform(plan, _factored_in)


def _factored_in(node: Plan) -> Plan:
    if not isinstance(node, Filter | Join) or node.condition is None:
        return node
    parts = conjuncts(node.condition)
    factored = [_factored(part) for part in parts]
    return node if factored == parts else replace(node, condition=both(*factored))


def _factored(condition: Expr) -> Expr:
    if not isinstance(condition, exp.Or) or not is_movable(condition):
        return condition
    branches = [conjuncts(branch) for branch in _disjuncts(condition)]
    common = [part for part in branches[0] if all(part in branch for branch in branches[1:])]
    rest = [both(*(part for part in branch if part not in common)) for branch in branches]
    return both(*common, either(*rest)) if common else condition


def _disjuncts(condition: Expr) -> list[Expr]:
    found: list[Expr] = []
    waiting = [condition]
    while waiting:
        node = waiting.pop()
        if isinstance(node, exp.Or):
            waiting += [node.expression, node.this]
        else:
            found.append(node)
    return found
