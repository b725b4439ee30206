"""What is known of operators and functions: which can be trusted at all, and which give NULL for any NULL."""

from __future__ import annotations

from sqlglot import exp

from trailbook.algebra.expressions import Expr
from trailbook.algebra.functions import lookup

STRICT = (
    exp.Add,
    exp.Sub,
    exp.Mul,
    exp.Div,
    exp.Mod,
    exp.IntDiv,
    exp.EQ,
    exp.NEQ,
    exp.LT,
    exp.LTE,
    exp.GT,
    exp.GTE,
    exp.Like,
    exp.ILike,
    exp.RegexpLike,
    exp.DPipe,
    exp.BitwiseAnd,
    exp.BitwiseOr,
    exp.BitwiseXor,
)
"""Operators that give NULL for any NULL."""


def is_unseen(expr: Expr) -> bool:
    """Whether this is a call of a function that may give anything."""
    if not isinstance(expr, exp.Anonymous):
        return False
    function = lookup(expr.name)
    return function is None or not function.deterministic


def is_strict(call: exp.Anonymous) -> bool:
    """Whether the function gives NULL for any NULL, and nothing else surprising."""
    function = lookup(call.name)
    return function is not None and function.strict and function.deterministic and bool(call.expressions)


def strict_operands(expr: Expr) -> list[Expr]:
    """What a nest of strict operators rests on."""
    if isinstance(expr, STRICT):
        return [*strict_operands(expr.this), *strict_operands(expr.expression)]
    if isinstance(expr, exp.Anonymous) and is_strict(expr):
        return [operand for argument in expr.expressions for operand in strict_operands(argument)]
    return [expr]
