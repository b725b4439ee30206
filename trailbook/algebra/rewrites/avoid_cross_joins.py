"""Inner joins in an order in which each table has a condition with those before it, where there is one."""

from __future__ import annotations

from trailbook.algebra.expressions import Expr, both, conjuncts, names_in, ref
from trailbook.algebra.plan import Join, JoinKind, Named, Plan, Project
from trailbook.algebra.rewrites.safety import is_movable
from trailbook.algebra.traversal import bottom_up


def avoid_cross_joins(plan: Plan) -> Plan:
    operators = bottom_up(plan)
    below = {id(child) for node in operators if _is_inner(node) for child in node.inputs if _is_inner(child)}
    changed: dict[int, Plan] = {}
    for node in operators:
        inputs = [changed[id(child)] for child in node.inputs]
        same = all(new is old for new, old in zip(inputs, node.inputs, strict=True))
        new = node if same else node.with_inputs(*inputs)
        changed[id(node)] = _reordered(new) if isinstance(new, Join) and id(node) not in below else new
    return changed[id(plan)]


def _is_inner(node: Plan) -> bool:
    return isinstance(node, Join) and node.kind is JoinKind.INNER


def _reordered(top: Join) -> Plan:
    if not _is_inner(top):
        return top
    joins, leaves = _taken_apart(top)
    conditions = [condition for join in joins for condition in conjuncts(join.condition)]
    if all(join.condition is not None for join in joins) or not all(map(is_movable, conditions)):
        return top
    joined: Plan = leaves.pop(0)
    while leaves:
        following = next((leaf for leaf in leaves if _connected(joined, leaf, conditions)), leaves[0])
        leaves.remove(following)
        known = {*joined.names, *following.names}
        now = [condition for condition in conditions if names_in(condition) <= known]
        conditions = [condition for condition in conditions if condition not in now]
        joined = Join(joined, following, JoinKind.INNER, both(*now) if now else None)
    return joined if joined.names == top.names else Project(joined, tuple(Named(n, ref(n)) for n in top.names))


def _taken_apart(top: Join) -> tuple[list[Join], list[Plan]]:
    """The inner joins, and what they join from left to right."""
    joins: list[Join] = []
    leaves: list[Plan] = []
    waiting: list[Plan] = [top]
    while waiting:
        node = waiting.pop()
        if isinstance(node, Join) and node.kind is JoinKind.INNER:
            joins.append(node)
            waiting += [node.right, node.left]
        else:
            leaves.append(node)
    return joins, leaves


def _connected(joined: Plan, leaf: Plan, conditions: list[Expr]) -> bool:
    here, there = set(joined.names), set(leaf.names)
    read = [names_in(condition) for condition in conditions]
    return any(names & here and names & there and names <= here | there for names in read)
