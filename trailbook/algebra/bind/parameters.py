"""Parameters: what a subquery takes from the query around it, while it is not joined to that yet."""

from __future__ import annotations

from sqlglot import exp

from trailbook.algebra.expressions import Expr


def parameter(name: str) -> exp.Parameter:
    return exp.Parameter(this=exp.Var(this=name))


def has_parameters(expr: Expr) -> bool:
    return expr.find(exp.Parameter) is not None
