"""Inner joins in an order in which each table has a condition with those before it, where there is one."""

from __future__ import annotations

from trailbook.algebra.expressions import Expr, both, conjuncts, names_in, ref
from trailbook.algebra.plan import Join, JoinKind, Named, Plan, Project
from trailbook.algebra.rewrites.safety import is_movable
from trailbook.algebra.traversal import bottom_up, transform


def avoid_cross_joins(plan: Plan) -> Plan:
    inner = {id(child) for node in bottom_up(plan) if _is_inner(node) for child in node.inputs if _is_inner(child)}
    tops = {id(node) for node in bottom_up(plan) if _is_inner(node) and id(node) not in inner}
    replaced = {top: _ordered(node) for node in bottom_up(plan) if (top := id(node)) in tops}
    return replaced and plan
