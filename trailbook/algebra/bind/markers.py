"""The calls that stand for subqueries in expressions, until those are joined."""

from __future__ import annotations

from collections.abc import Iterable

from sqlglot import exp

from trailbook.algebra.expressions import Expr, call, negated, text

MARKER = "__subquery"
NEGATIVE = " negated"
"""After the number of a subquery: NOT stands before this IN, for which NULL then counts as a match."""


def marker(number: int, arguments: Iterable[Expr]) -> Expr:
    """Stands for a subquery; its operands and what it takes from the query around are the arguments."""
    return call(MARKER, text(str(number)), *arguments)


def number_of(marker: Expr) -> int:
    return int(marker.expressions[0].name.removesuffix(NEGATIVE))


def is_negative(marker: Expr) -> bool:
    """Whether NOT stands before it."""
    return str(marker.expressions[0].name).endswith(NEGATIVE)


def is_waiting(expr: Expr) -> bool:
    return any(is_marker(node) for node in expr.walk())


def pushed_down(expr: Expr) -> Expr:
    """NOT moved inwards to the subqueries below it, as Spark does before it joins them: IN knows no NULL there."""
    if isinstance(expr, exp.Not) and is_waiting(expr):
        inner = expr.this
        if isinstance(inner, exp.Not):
            return pushed_down(inner.this)
        if isinstance(inner, exp.And | exp.Or):
            other = exp.Or if isinstance(inner, exp.And) else exp.And
            sides = (pushed_down(negated(side)) for side in (inner.this, inner.expression))
            return other(**dict(zip(("this", "expression"), sides, strict=True)))
        if is_marker(inner):
            return exp.Not(this=_negative(inner))
    if isinstance(expr, exp.And | exp.Or) and is_waiting(expr):
        return type(expr)(this=pushed_down(expr.this), expression=pushed_down(expr.expression))
    return expr


def is_marker(node: Expr) -> bool:
    return isinstance(node, exp.Anonymous) and node.name == MARKER


def _negative(marker: Expr) -> Expr:
    number = marker.expressions[0].name.removesuffix(NEGATIVE) + NEGATIVE
    return call(MARKER, text(number), *marker.expressions[1:])


def innermost(expr: Expr) -> Expr | None:
    """A subquery whose own arguments have none."""
    markers = [node for node in expr.walk() if is_marker(node)]
    return markers[-1] if markers else None
