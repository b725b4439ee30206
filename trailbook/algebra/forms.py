"""Kinds of expressions that are treated alike."""

from __future__ import annotations

from sqlglot import exp

from trailbook.algebra.expressions import Expr

OPERATORS: dict[type[Expr], str] = {
    exp.Add: "+",
    exp.Sub: "-",
    exp.Mul: "*",
    exp.Div: "/",
    exp.Mod: "%",
    exp.IntDiv: "div",
}
COMPARISONS = (exp.EQ, exp.NEQ, exp.LT, exp.LTE, exp.GT, exp.GTE, exp.In, exp.Between)
CONNECTIVES = (exp.And, exp.Or, exp.Not)
MATCHES = (exp.Like, exp.ILike, exp.RegexpLike)
WRAPPERS = (
    exp.Paren,
    exp.Alias,
    exp.Window,
    exp.Filter,
    exp.IgnoreNulls,
    exp.RespectNulls,
    exp.WithinGroup,
    exp.Escape,
    exp.Ordered,
)


def call_arguments(node: exp.Anonymous) -> list[Expr]:
    """The arguments of a call, those after DISTINCT, too."""
    return [
        part
        for argument in node.expressions
        for part in (argument.expressions if isinstance(argument, exp.Distinct) else [argument])
    ]


def aggregated(expr: Expr) -> list[Expr]:
    """What an aggregate is computed from: its arguments, and what WITHIN GROUP orders them by."""
    if isinstance(expr, exp.WithinGroup):
        return [*aggregated(expr.this), *(key.this for key in expr.expression.expressions)]
    return call_arguments(expr) if isinstance(expr, exp.Anonymous) else aggregated(expr.this)
