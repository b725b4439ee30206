"""One projection instead of two, and none that changes nothing."""

from __future__ import annotations

from sqlglot import exp

from trailbook.algebra.expressions import substitute
from trailbook.algebra.plan import Named, Plan, Project
from trailbook.algebra.rewrites.safety import can_inline
from trailbook.algebra.traversal import transform


def merge_projects(plan: Plan) -> Plan:
    return transform(plan, _merged)


def _merged(node: Plan) -> Plan:
    if not isinstance(node, Project):
        return node
    if _keeps_all(node):
        return node.input
    below = node.input
    if not isinstance(below, Project):
        return node
    columns = {column.name: column.expr for column in below.columns}
    if not can_inline(columns, [column.expr for column in node.columns]):
        return node
    merged = Project(below.input, tuple(Named(c.name, substitute(c.expr, columns)) for c in node.columns))
    return merged.input if _keeps_all(merged) else merged


def _keeps_all(node: Project) -> bool:
    same = all(isinstance(column.expr, exp.Column) and column.expr.name == column.name for column in node.columns)
    return same and node.names == node.input.names
