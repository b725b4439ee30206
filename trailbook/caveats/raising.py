"""Where Spark would give up, or make something up, a doubt is raised instead: as a call of `caveat` in the plan."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from datetime import date, datetime
from decimal import Decimal

from sqlglot import exp

from trailbook.algebra.datatypes import DOUBLE, FLOAT, STRING, UNKNOWN, is_decimal, is_numeric, precision_and_scale
from trailbook.algebra.decimals import as_decimal, is_exact
from trailbook.algebra.expressions import (
    FALSE,
    Expr,
    both,
    call,
    is_false,
    is_null,
    negated,
    number,
    rewrite_knowing,
    text,
    when,
)
from trailbook.algebra.functions import FunctionKind, lookup
from trailbook.algebra.literals import spelt_type
from trailbook.algebra.mapping import map_expressions
from trailbook.algebra.plan import Plan, Values
from trailbook.algebra.traversal import transform
from trailbook.algebra.types import cast_may_fail, type_of
from trailbook.caveats.calls import caveat_call, given_place, is_told_elsewhere, stands_for, without_caveats
from trailbook.caveats.clock import Unasked, another_moment, reader_of
from trailbook.caveats.failures import Attempt, as_text, attempt
from trailbook.caveats.inherent import name_places
from trailbook.caveats.marks import function_name
from trailbook.caveats.words import Words, told, words_of
from trailbook.caveats.written_out import computed_values
from trailbook.model.artifacts import Column

OWN = frozenset({"caveat", "caveat_if", "has_caveat"})
BITS = {"tinyint": 7, "smallint": 15, "int": 31, "bigint": 63}
_DAY = r"\d{4}-\d\d-\d\d"
_PLAIN_NUMBER = re.compile(r"-?\d+(\.\d+)?")
_PLAIN_DAY = re.compile(_DAY)
_PLAIN_TIME = re.compile(_DAY + r"([T ]\d\d:\d\d:\d\d)?")


def raise_caveats(plan: Plan) -> Plan:
    """The plan with a caveat wherever a value may not be what the query asked for."""
    words: dict[int, Words] = {}

    def raising(operator: Plan) -> Plan:
        schema = tuple(column for child in operator.inputs for column in child.schema)
        inputs = [words[id(child)] for child in operator.inputs]
        below = {name: word for known in inputs for name, word in known.items()}
        raised = map_expressions(operator, lambda expr: _raised(expr, schema, below))
        if isinstance(raised, Values):
            raised = computed_values(raised)
        name_places(raised, operator, below)
        words[id(raised)] = words_of(operator, inputs)
        return raised

    return transform(plan, raising)


def _raised(given: Expr, schema: Sequence[Column], words: Words) -> Expr:
    # Parts that several expressions share know one of them only as what they are part of.
    expr, unasked = given.copy(), Unasked(schema)

    def raised(node: Expr, written: Expr) -> Expr:
        made = _with_caveat(node, schema)
        if made is not node or caveat_call(node):
            made.meta.update(node.meta)
            made = stands_for(made, given_place(written) or told(written, words))
        clock = FALSE if written is expr else unasked.by_the_clock(written)
        if is_false(clock):
            return made
        return stands_for(_caveat_if(made, clock, another_moment(written.copy())), told(reader_of(written), words))

    return rewrite_knowing(expr, raised)


def _with_caveat(node: Expr, schema: Sequence[Column]) -> Expr:
    if is_told_elsewhere(node):
        return node
    if isinstance(node, exp.Cast):
        return _cast(node, schema)
    if isinstance(node, exp.Div | exp.Mod | exp.IntDiv):
        return _division(node, node.this, node.expression, schema)
    name = function_name(node)
    if not isinstance(node, exp.Anonymous) or name in OWN:
        return node
    function = lookup(name)
    if function is None:
        return call("caveat", node, text(f"{name} is a function that can't be seen through"))
    if function.kind is not FunctionKind.SCALAR:
        return node
    if not function.deterministic or (name == "unix_timestamp" and not node.expressions):
        return call("caveat", node, text(f"{name}() may give another answer each time"))
    if name in ("mod", "pmod") and len(node.expressions) == 2:
        dividend, divisor = node.expressions
        return _division(node, dividend, divisor, schema)
    found = attempt(node)
    return _caveat_if(found.value, found.failed, found.message) if found else node


def _cast(node: exp.Cast, schema: Sequence[Column]) -> Expr:
    """A cast that fails gives NULL, and says what was not what."""
    value, target = node.this, spelt_type(node.to)
    source = type_of(value, schema)[0]
    if not cast_may_fail(source, target) or _is_good_constant(value, target):
        return node
    made = exp.TryCast(this=value, to=node.to, safe=True)
    shown = call("concat", text("'"), as_text(value), text(f"' is not {_a(target)}"))
    found = Attempt(made, both(is_null(made), negated(is_null(value))), shown)
    if source in (STRING, UNKNOWN):
        found = found.or_by_the_clock(value, target)
    return _caveat_if(found.value, found.failed, found.message)


def _division(node: Expr, dividend: Expr, divisor: Expr, schema: Sequence[Column]) -> Expr:
    """Division by zero gives NULL, and so does a quotient that has no room in its type."""
    if isinstance(divisor, exp.Literal) and not divisor.is_string and Decimal(divisor.this) != 0:
        return node
    by_zero, message = exp.NullSafeEQ(this=divisor, expression=number(0)), text("division by zero")
    if isinstance(node, exp.Div):
        result: Expr = call("try_divide", dividend, divisor)
        if not _has_room(type_of(dividend, schema)[0], type_of(divisor, schema)[0]):
            failed = both(is_null(result), negated(is_null(dividend)), negated(is_null(divisor)))
            return _caveat_if(result, failed, when((by_zero, message), otherwise=text("the quotient is too large")))
    elif isinstance(node, exp.IntDiv):
        result = exp.IntDiv(this=dividend, expression=call("nullif", divisor, number(0)))
    elif function_name(node) == "pmod":
        result = call("pmod", dividend, call("nullif", divisor, number(0)))
    else:
        result = call("try_mod", dividend, divisor)
    return _caveat_if(result, both(by_zero, negated(is_null(dividend))), message)


def _has_room(dividend: str, divisor: str) -> bool:
    """Whether the quotient of two numbers of these types always fits its type."""
    kinds = (dividend, divisor)
    if not all(map(is_numeric, kinds)):
        return False
    if not any(map(is_decimal, kinds)) or FLOAT in kinds or DOUBLE in kinds:
        return True
    left, right = map(as_decimal, kinds)
    return left is not None and right is not None and is_exact("/", left, right)


def _caveat_if(value: Expr, condition: Expr, message: Expr) -> Expr:
    """What is raised inside the value is raised there alone, or nests would grow beyond bounds."""
    return call("caveat_if", value, without_caveats(condition), without_caveats(message))


def _is_good_constant(value: Expr, target: str) -> bool:
    """Whether this is a constant that certainly can be cast."""
    sign, literal = ("-", value.this) if isinstance(value, exp.Neg) else ("", value)
    if not isinstance(literal, exp.Literal) or (sign and literal.is_string):
        return False
    written = sign + literal.this
    if _PLAIN_NUMBER.fullmatch(written):
        return _fits(Decimal(written), target)
    with suppress(ValueError):
        if target == "date":
            return bool(_PLAIN_DAY.fullmatch(written) and date.fromisoformat(written))
        if target in ("timestamp", "timestamp_ntz"):
            return bool(_PLAIN_TIME.fullmatch(written) and datetime.fromisoformat(written))
    return False


def _fits(number: Decimal, target: str) -> bool:
    after_point = -int(number.as_tuple().exponent)
    if target in BITS:
        return after_point == 0 and -(2 ** BITS[target]) <= number < 2 ** BITS[target]
    if digits := precision_and_scale(target):
        precision, scale = digits
        return after_point <= scale and number.copy_abs() < 10 ** (precision - scale)
    return target == "double"


def _a(kind: str) -> str:
    return f"an {kind}" if kind[0] in "aeiou" else f"a {kind}"
