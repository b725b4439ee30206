"""Which expressions can raise an error, as Spark's ANSI mode does on overflow and on text that does not parse."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import date, datetime
from decimal import Decimal, InvalidOperation
from typing import Any

from sqlglot import exp

from trailbook.algebra.casts import cast_may_fail
from trailbook.algebra.coercion import common_type
from trailbook.algebra.datatypes import (
    BOOLEAN,
    DATE,
    DOUBLE,
    FLOAT,
    MOMENTS,
    STRING,
    TIMESTAMP,
    TIMESTAMP_NTZ,
    UNKNOWN,
    VOID,
    entry_of,
    is_atomic,
    is_integral,
    is_numeric,
    precision_and_scale,
)
from trailbook.algebra.decimals import as_decimal, is_exact
from trailbook.algebra.expression_types import Typing
from trailbook.algebra.expressions import Expr
from trailbook.algebra.forms import COMPARISONS, CONNECTIVES, OPERATORS, call_arguments
from trailbook.algebra.functions import fits, lookup
from trailbook.algebra.literals import RANGES, spelt_type, written_number
from trailbook.model.artifacts import Column

NEGATED_DIGITS = 34
"""A decimal of more digits is rounded by Spark when it turns the sign, and may then be too long."""


def may_raise(expr: Expr, schema: Sequence[Column]) -> bool:
    """Whether Spark could raise an error for some row when it computes the expression over these columns."""
    typing = Typing(schema)
    typing.of(expr)
    return any(_raises(node, typing) for node in expr.walk())


def _raises(node: Expr, typing: Typing) -> bool:
    rule = next((rule for classes, rule in _RULES if isinstance(node, classes)), None)
    return rule is not None and rule(node, typing)


def _call(node: exp.Anonymous, typing: Typing) -> bool:
    function = lookup(node.name)
    return function is None or not fits(function, [typing.kind(argument) for argument in call_arguments(node)])


def _cast(node: exp.Cast, typing: Typing) -> bool:
    target = spelt_type(node.args["to"])
    return cast_may_fail(typing.kind(node.this), target) and not _is_written_as(node.this, target)


def _is_written_as(expr: Expr, kind: str) -> bool:
    """Whether a literal is a value of the type."""
    text = written_number(expr) or (expr.name if isinstance(expr, exp.Literal) else None)
    if text is None:
        return False
    try:
        if kind == DATE:
            return len(text) == _DATE_LENGTH and bool(date.fromisoformat(text))
        if kind in (TIMESTAMP, TIMESTAMP_NTZ):
            return _TIMESTAMP.fullmatch(text) is not None and bool(datetime.fromisoformat(text))
        return _fits_number(Decimal(text), kind)
    except (ValueError, InvalidOperation):
        return False


def _fits_number(number: Decimal, kind: str) -> bool:
    if not number.is_finite():
        return False
    if kind in RANGES:
        return number == number.to_integral_value() and -RANGES[kind] <= number < RANGES[kind]
    size = precision_and_scale(kind)
    return kind in (FLOAT, DOUBLE) or (size is not None and abs(number) < Decimal(10) ** (size[0] - size[1]) - 1)


def _arithmetic(node: Expr, typing: Typing) -> bool:
    operator = OPERATORS[type(node)]
    left, right = typing.kind(node.this), typing.kind(node.expression)
    if STRING in (left, right) or UNKNOWN in (left, right):
        return True
    if operator in ("/", "%", "div") and not _is_positive(node.expression):
        return True
    if operator == "%" or typing.kind(node) in (FLOAT, DOUBLE):
        return not (is_numeric(left) and is_numeric(right))
    if operator == "div":
        return not (is_integral(left) and is_integral(right))
    if isinstance(node.expression, exp.Interval) and isinstance(node.this, exp.Cast):
        # A date and an interval that are both written out.
        return not isinstance(node.this.this, exp.Literal)
    a, b = (as_decimal(typing.operand(side, other)) for side, other in _sides(node))
    whole = is_integral(left) and is_integral(right)
    return whole or a is None or b is None or not is_exact(operator, a, b)


def _sides(node: Expr) -> tuple[tuple[Expr, Expr], tuple[Expr, Expr]]:
    return (node.this, node.expression), (node.expression, node.this)


def _is_positive(expr: Expr) -> bool:
    number = written_number(expr)
    return number is not None and not number.startswith("-") and Decimal(number) > 0


def _negative(node: exp.Neg, typing: Typing) -> bool:
    kind = typing.kind(node.this)
    digits = (precision_and_scale(kind) or (NEGATED_DIGITS + 1, 0))[0]
    return written_number(node) is None and kind not in (FLOAT, DOUBLE) and digits > NEGATED_DIGITS


def _mixture(node: Expr, typing: Typing) -> bool:
    """Of values that are brought to one type."""
    return _casts_may_fail([typing.kind(part) for part in node.iter_expressions()])


def _bitwise(node: Expr, typing: Typing) -> bool:
    return not all(is_integral(typing.kind(part)) for part in node.iter_expressions())


def _case(node: exp.Case, typing: Typing) -> bool:
    values = [branch.args["true"] for branch in node.args["ifs"]]
    subject, default = node.args.get("this"), node.args.get("default")
    compared = [subject, *(branch.this for branch in node.args["ifs"])] if subject else []
    return any(
        _casts_may_fail([typing.kind(part) for part in parts])
        for parts in ([*values, *([default] if default else [])], compared)
    )


def _condition(node: Expr, typing: Typing) -> bool:
    return any(typing.kind(part) not in (BOOLEAN, VOID) for part in node.iter_expressions())


def _extract(node: exp.Extract, typing: Typing) -> bool:
    """A date has no hours; it is cast to a timestamp, which has room for fewer years."""
    kind, of_day = typing.kind(node.expression), node.name.lower() in ("hour", "minute", "second")
    return kind not in MOMENTS or (kind == DATE and of_day)


def _casts_may_fail(kinds: Sequence[str]) -> bool:
    common = common_type(kinds)
    return any(cast_may_fail(kind, common) for kind in kinds)


def _pattern(node: Expr, _: Typing) -> bool:
    """Some patterns are not well-formed."""
    pattern = node.expression
    return not (isinstance(pattern, exp.Literal) and _PLAIN_PATTERN.fullmatch(pattern.name))


def _texts(node: Expr, typing: Typing) -> bool:
    return not all(is_atomic(typing.kind(part)) for part in node.iter_expressions())


_DATE_LENGTH = len("2020-01-01")
_TIMESTAMP = re.compile(r"\d{4}-\d\d-\d\d( \d\d:\d\d:\d\d(\.\d{1,6})?)?")
_PLAIN_PATTERN = re.compile(r"[\w\s%.,:;#@!/<>=&'\"-]*")

_HARMLESS = (
    *(
        exp.Column,
        exp.Identifier,
        exp.Literal,
        exp.Boolean,
        exp.Null,
        exp.Star,
        exp.Interval,
        exp.IntervalSpan,
        exp.Var,
    ),
    *(exp.Is, exp.Dot, exp.If, exp.Paren, exp.Alias, exp.Tuple, exp.Distinct, exp.DataType),
    *(exp.DataTypeParam, exp.ColumnDef, exp.HexString),
    *(exp.Window, exp.WindowSpec, exp.Order, exp.Ordered, exp.Filter, exp.Where, exp.IgnoreNulls, exp.RespectNulls),
)

_RULES: list[tuple[Any, Callable[[Any, Typing], bool]]] = [
    (exp.Anonymous, _call),
    (exp.TryCast, lambda *_: False),
    (exp.Cast, _cast),
    (tuple(OPERATORS), _arithmetic),
    (exp.Neg, _negative),
    ((*COMPARISONS, exp.NullSafeEQ, exp.NullSafeNEQ), _mixture),
    ((exp.BitwiseAnd, exp.BitwiseOr, exp.BitwiseXor, exp.BitwiseNot), _bitwise),
    (exp.Case, _case),
    (CONNECTIVES, _condition),
    ((exp.Like, exp.ILike, exp.RegexpLike), _pattern),
    ((exp.DPipe, exp.Trim), _texts),
    (exp.Bracket, lambda node, typing: entry_of(typing.kind(node.this)) is None),
    (exp.Extract, _extract),
    (_HARMLESS, lambda *_: False),
    (exp.Expr, lambda *_: True),
]
