"""Arithmetic and bits, in the width or precision of Spark's result type; what does not fit raises."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from datetime import date, timedelta
from decimal import Decimal
from functools import partial
from typing import Any

from sqlglot import exp

from trailbook.algebra.expressions import Expr
from trailbook.algebra.interpreter.casts import BITS, EXACT, fit, to_integer, within
from trailbook.algebra.interpreter.intervals import Interval, shifted
from trailbook.algebra.interpreter.translator import RUNTIME, Translator, family, rule, runtime
from trailbook.algebra.interpreter.values import alike, number_like
from trailbook.errors import InterpreterError

Binary = Callable[[Any, Any], Any]


def plus(left: Any, right: Any) -> Any:
    if isinstance(left, Interval) and not isinstance(right, Interval):
        left, right = right, left
    if isinstance(right, Interval):
        return left.plus(right) if isinstance(left, Interval) else shifted(left, right)
    if isinstance(left, timedelta):
        left, right = right, left
    if isinstance(right, timedelta):
        return left + right
    if isinstance(left, date):
        return left + timedelta(days=right)
    return _computed(left, right, EXACT.add, float.__add__)


def minus(left: Any, right: Any) -> Any:
    if isinstance(right, Interval):
        return plus(left, right.times(-1))
    if isinstance(left, date) and isinstance(right, int):
        return left - timedelta(days=right)
    if isinstance(left, date | timedelta):
        return left - right
    return _computed(left, right, EXACT.subtract, float.__sub__)


def times(left: Any, right: Any) -> Any:
    if isinstance(left, Interval | timedelta) or isinstance(right, Interval | timedelta):
        raise InterpreterError("The interpreter can't multiply intervals.")
    return _computed(left, right, EXACT.multiply, float.__mul__)


def over(left: Any, right: Any) -> Any:
    """`/`: a double, unless there is a decimal and no double."""
    left, right = alike(left, right)
    if right == 0:
        raise InterpreterError(f"{left} is divided by zero.")
    exact = isinstance(left, Decimal) or isinstance(right, Decimal)
    return EXACT.divide(left, right) if exact else _float_divided(float(left), float(right))


def _float_divided(left: float, right: float) -> float:
    try:
        return left / right
    except OverflowError:
        return math.copysign(math.inf, left) * math.copysign(1, right)


def whole_over(left: Any, right: Any) -> int:
    """`div`: towards zero."""
    left, right = alike(left, right)
    if right == 0:
        raise InterpreterError(f"{left} is divided by zero.")
    quotient = abs(left) // abs(right)
    return within(int(quotient if (left < 0) == (right < 0) else -quotient), 64)


def remainder(left: Any, right: Any) -> Any:
    """`%`: with the sign of the left."""
    left, right = alike(left, right)
    if right == 0:
        raise InterpreterError(f"{left} is divided by zero.")
    if isinstance(left, float) or isinstance(right, float):
        return math.fmod(left, right)
    rest = abs(left) % abs(right)
    return -rest if left < 0 else rest


def negative(value: Any) -> Any:
    return value.times(-1) if isinstance(value, Interval) else -number_like(value)


def _computed(left: Any, right: Any, exact: Binary, double: Binary) -> Any:
    left, right = alike(left, right)
    if isinstance(left, float) or isinstance(right, float):
        return double(float(left), float(right))
    result = exact(left, right)
    return result if isinstance(left, Decimal) or isinstance(right, Decimal) else int(result)


runtime(plus, minus, times, over, whole_over, remainder, negative, fit, within, to_integer)

INLINE: dict[type[Expr], str] = {exp.Add: "+", exp.Sub: "-", exp.Mul: "*"}
GENERAL: dict[type[Expr], str] = {
    exp.Add: "plus",
    exp.Sub: "minus",
    exp.Mul: "times",
    exp.Div: "over",
    exp.Mod: "remainder",
    exp.IntDiv: "whole_over",
}
BITWISE: dict[type[Expr], str] = {
    exp.BitwiseAnd: "&",
    exp.BitwiseOr: "|",
    exp.BitwiseXor: "^",
}


@rule(*GENERAL)
def arithmetic(to: Translator, expr: exp.Binary) -> str:
    return to.strict([expr.this, expr.expression], partial(_source, to, expr))


def _source(to: Translator, expr: exp.Binary, left: str, right: str) -> str:
    kind = to.type(expr)
    operands = {to.family(expr.this), to.family(expr.expression)}
    if type(expr) in INLINE and operands == {"int"}:
        return checked(to, kind, f"{left} {INLINE[type(expr)]} {right}")
    if type(expr) in INLINE and operands <= {"int", "double"}:
        return f"{left} {INLINE[type(expr)]} {right}"
    return checked(to, kind, f"{GENERAL[type(expr)]}({left}, {right})")


def checked(to: Translator, kind: str, source: str) -> str:
    """A result of that type, or an error if it does not fit."""
    if kind in BITS:
        limit = 1 << (BITS[kind] - 1)
        name = to.fresh()
        return f"{name} if {-limit} <= ({name} := {source}) < {limit} else within({name}, {BITS[kind]})"
    if family(kind) == "decimal":
        precision, scale = re.findall(r"\d+", kind)
        return f"fit({source}, {precision}, {scale})"
    return source


@rule(exp.Neg)
def negated(to: Translator, expr: exp.Neg) -> str:
    if isinstance(expr.this, exp.Literal) and not expr.this.is_string:
        return f"(-{to.value(expr.this)})"
    return to.strict([expr.this], lambda value: checked(to, to.type(expr), f"negative({value})"))


@rule(*BITWISE)
def bitwise(to: Translator, expr: exp.Binary) -> str:
    return to.strict([expr.this, expr.expression], f"{{}} {BITWISE[type(expr)]} {{}}".format)


@rule(exp.BitwiseNot)
def bitwise_not(to: Translator, expr: exp.BitwiseNot) -> str:
    return to.strict([expr.this], "~{}".format)


def shiftleft(value: int, count: int, bits: int) -> int:
    """Java's `<<`: what leaves on the left is lost."""
    return _signed(value << (count % bits), bits)


def shiftright(value: int, count: int, bits: int) -> int:
    return value >> (count % bits)


def shiftrightunsigned(value: int, count: int, bits: int) -> int:
    return _signed((value & ((1 << bits) - 1)) >> (count % bits), bits)


def _signed(value: int, bits: int) -> int:
    rest = value & ((1 << bits) - 1)
    return rest - (1 << bits) if rest >> (bits - 1) else rest


@rule(exp.Interval)
def interval(to: Translator, expr: exp.Interval) -> str:
    unit = expr.args.get("unit")
    return to.strict([expr.this], f"interval({{}}, {(unit.name if unit else '')!r})".format)


def _interval(amount: Any, unit: str) -> Interval:
    return Interval.parsed(f"{amount} {unit}")


RUNTIME["interval"] = _interval
