"""ORDER BY over a finished result, LIMIT and OFFSET."""

from __future__ import annotations

from collections.abc import Callable
from operator import add, mul, sub

from sqlglot import exp

from trailbook.algebra.bind.problems import Opaqueness, problem
from trailbook.algebra.bind.relations import Relation
from trailbook.algebra.bind.scalars import Scalars, unwrapped
from trailbook.algebra.bind.scopes import Scope
from trailbook.algebra.bind.values import NoSubqueries
from trailbook.algebra.expressions import Expr, ref
from trailbook.algebra.plan import Limit, Sort

ARITHMETIC: dict[type[Expr], Callable[[int, int], int]] = {exp.Add: add, exp.Sub: sub, exp.Mul: mul}


def ordered(key: exp.Ordered, expr: Expr) -> exp.Ordered:
    """The key over another expression, with its direction written out."""
    return exp.Ordered(this=expr, desc=bool(key.args.get("desc")), nulls_first=bool(key.args.get("nulls_first")))


def ordinal(node: Expr, count: int) -> int | None:
    """The position, from 0, of the column that `ORDER BY 2` or `GROUP BY 2` names."""
    if not isinstance(node, exp.Literal) or node.is_string or not node.this.isdigit():
        return None
    position = int(node.this)
    if not 1 <= position <= count:
        raise problem(f"There is no column {position} here; there are {count}.", node)
    return position - 1


def is_all(node: Expr) -> bool:
    """ORDER BY ALL."""
    return isinstance(node, exp.Var) and node.name.upper() == "ALL"


def sorted_by_output(relation: Relation, node: Expr) -> Relation:
    """ORDER BY where only the columns of the result are known: after a set operation or parentheses."""
    order = node.args.get("order")
    if order is None:
        return relation
    scalars = Scalars(Scope(relation), NoSubqueries())
    keys = []
    for key in order.expressions:
        if is_all(key.this):
            keys += [ordered(key, ref(field.column)) for field in relation.shown]
            continue
        position = ordinal(key.this, len(relation.shown))
        expr = scalars.bind(key.this) if position is None else ref(relation.shown[position].column)
        keys.append(ordered(key, expr))
    return relation.over(Sort(relation.plan, tuple(keys)))


def limited(relation: Relation, node: Expr) -> Relation:
    limit, offset = node.args.get("limit"), node.args.get("offset")
    if limit is None and offset is None:
        return relation
    count = None if limit is None or is_all(limit.expression) else constant(limit.expression)
    start = constant(offset.expression) if offset else 0
    if (count or 0) < 0 or start < 0:
        raise problem("LIMIT and OFFSET can't be negative.", limit or offset)
    return relation if count is None and not start else relation.over(Limit(relation.plan, count, start))


def constant(node: Expr) -> int:
    """The number that an expression of numbers is."""
    node = unwrapped(node)
    if isinstance(node, exp.Literal) and not node.is_string and node.this.isdigit():
        return int(node.this)
    if isinstance(node, exp.Neg):
        return -constant(node.this)
    if operation := ARITHMETIC.get(type(node)):
        return operation(constant(node.this), constant(node.expression))
    if isinstance(node, exp.TryCast):
        return constant(node.this)
    raise Opaqueness
