"""Parameters: what a subquery takes from the query around it, while it is not joined to that yet."""

from __future__ import annotations

from sqlglot import exp

from trailbook.algebra.expressions import Expr
from trailbook.algebra.mapping import map_expressions
from trailbook.algebra.plan import Plan


def parameter(name: str) -> exp.Parameter:
    return exp.Parameter(this=exp.Var(this=name))


def has_parameters(expr: Expr) -> bool:
    return expr.find(exp.Parameter) is not None


def expressions_of(plan: Plan) -> list[Expr]:
    """The expressions of an operator itself."""
    found: list[Expr] = []

    def collect(expr: Expr) -> Expr:
        found.append(expr)
        return expr

    map_expressions(plan, collect)
    return found
