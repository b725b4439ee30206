"""Calls of functions: most are strict and looked up by name; some decide themselves what they evaluate."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime
from functools import reduce
from typing import Any

from sqlglot import exp

from trailbook.algebra.expressions import Expr, is_null
from trailbook.algebra.interpreter.arithmetic import (
    checked,
    minus,
    over,
    plus,
    remainder,
    shiftleft,
    shiftright,
    shiftrightunsigned,
    times,
)
from trailbook.algebra.interpreter.casts import to_text, tried
from trailbook.algebra.interpreter.dates import DATES
from trailbook.algebra.interpreter.numbers import NUMBERS, greatest, item, least
from trailbook.algebra.interpreter.texts import TEXTS, ilike, like, rlike
from trailbook.algebra.interpreter.translator import RUNTIME, Translator, rule, runtime
from trailbook.errors import InterpreterError

STRICT = {**TEXTS, **NUMBERS, **DATES}
TRIED = {
    "try_add": "plus",
    "try_divide": "over",
    "try_mod": "remainder",
    "try_multiply": "times",
    "try_remainder": "remainder",
    "try_subtract": "minus",
}


def concat_ws(separator: str | None, *parts: Any) -> str | None:
    """Looks past NULL, and into arrays."""
    if separator is None:
        return None
    flat = [one for part in parts for one in (part if isinstance(part, list) else [part])]
    return separator.join(to_text(one) for one in flat if one is not None)


LENIENT: dict[str, Callable[..., Any]] = {
    "array": lambda *items: list(items),
    "concat_ws": concat_ws,
    "greatest": greatest,
    "isnan": lambda value: value is not None and value != value,
    "least": least,
    "map": lambda *entries: dict(zip(entries[::2], entries[1::2], strict=True)),
    "named_struct": lambda *entries: tuple(entries[1::2]),
    "struct": lambda *values: tuple(values),
}
"""Functions that see NULL."""

ALIKE = {"array", "greatest", "least"}

runtime(
    shiftleft, shiftright, shiftrightunsigned, plus, minus, times, over, remainder, item, like, ilike, rlike, to_text
)
RUNTIME.update({f"call_{name}": function for name, function in {**STRICT, **LENIENT}.items()})
RUNTIME["attempt"] = lambda compute: tried(compute)()

SPECIAL: dict[str, Callable[[Translator, list[Expr], exp.Anonymous], str]] = {}
"""Calls that are more than a call: they are lazy, or depend on types, or bind variables."""


def special(*names: str) -> Callable[[Any], Any]:
    def register(translate: Any) -> Any:
        SPECIAL.update(dict.fromkeys(names, translate))
        return translate

    return register


@rule(exp.Anonymous)
def call(to: Translator, expr: exp.Anonymous) -> str:
    name, arguments = str(expr.this).lower(), expr.expressions
    if name in SPECIAL:
        return SPECIAL[name](to, arguments, expr)
    if name in STRICT:
        return to.strict(arguments, lambda *names: f"call_{name}({', '.join(names)})")
    if name in LENIENT:
        return f"call_{name}({', '.join(_alike(to, expr) if name in ALIKE else map(to.value, arguments))})"
    raise InterpreterError(f"The interpreter does not know the function {name}.")


def _alike(to: Translator, expr: exp.Anonymous) -> list[str]:
    """The arguments as values of one type: that of the result, or of its elements."""
    kind = to.type(expr).removeprefix("array<").removesuffix(">")
    return [to.coerced(argument, kind) for argument in expr.expressions]


@special("coalesce", "nvl", "ifnull", "nvl2")
def coalesce(to: Translator, arguments: list[Expr], expr: exp.Anonymous) -> str:
    kind = to.type(expr)
    *first, last = (to.coerced(argument, kind) for argument in arguments)
    pieces = [f"{name} if ({name} := {source}) is not None" for name, source in ((to.fresh(), s) for s in first)]
    return f"({' else '.join([*pieces, last])})"


@special("nullif")
def nullif(to: Translator, arguments: list[Expr], expr: exp.Anonymous) -> str:
    same = exp.EQ(this=arguments[0].copy(), expression=arguments[1].copy())
    return f"(None if {to.truth(same)} else {to.value(arguments[0])})"


@special("if", "iff")
def choice(to: Translator, arguments: list[Expr], expr: exp.Anonymous) -> str:
    kind = to.type(expr)
    condition, yes, no = arguments
    return f"({to.coerced(yes, kind)} if {to.truth(condition)} else {to.coerced(no, kind)})"


@special("isnull")
def isnull(to: Translator, arguments: list[Expr], expr: exp.Anonymous) -> str:
    return to.value(is_null(arguments[0].copy()))


@special("isnotnull")
def isnotnull(to: Translator, arguments: list[Expr], expr: exp.Anonymous) -> str:
    return to.value(exp.Not(this=is_null(arguments[0].copy())))


@special("caveat", "caveat_if")
def doubted(to: Translator, arguments: list[Expr], expr: exp.Anonymous) -> str:
    return to.value(arguments[0])


@special("rand", "random")
def rand(to: Translator, arguments: list[Expr], expr: exp.Anonymous) -> str:
    return "random.random()"


@special("current_date", "curdate")
def current_date(to: Translator, arguments: list[Expr], expr: exp.Anonymous) -> str:
    return to.constant(repr(datetime.now(UTC).date()).replace("datetime.", ""))


RUNTIME["date"] = date


@special(*TRIED)
def forgiving(to: Translator, arguments: list[Expr], expr: exp.Anonymous) -> str:
    function = TRIED[str(expr.this).lower()]
    # NULL also where the result does not fit its type: the check is part of what is attempted.
    return to.strict(arguments, lambda a, b: f"attempt(lambda: {checked(to, to.type(expr), f'{function}({a}, {b})')})")


@special("shiftleft", "shiftright", "shiftrightunsigned")
def shift(to: Translator, arguments: list[Expr], expr: exp.Anonymous) -> str:
    bits = 64 if to.type(arguments[0]) == "bigint" else 32
    return to.strict(arguments, f"{str(expr.this).lower()}({{}}, {{}}, {bits})".format)


@special("transform", "filter", "exists", "forall")
def over_items(to: Translator, arguments: list[Expr], expr: exp.Anonymous) -> str:
    items, function = arguments
    bodies = {
        "transform": "[({f})({a}) for {x} in {items}]",
        "filter": "[{x} for {x} in {items} if ({f})({a})]",
        "exists": "some([({f})({x}) for {x} in {items}])",
        "forall": "every([({f})({x}) for {x} in {items}])",
    }
    body = bodies[str(expr.this).lower()]
    source, arity = _lambda(to, function)
    name = to.fresh()
    if arity == 2:
        index = to.fresh()
        text = body.replace("for {x} in {items}", f"for {index}, {name} in enumerate({{items}})")
        return to.strict([items], lambda value: text.format(f=source, x=name, a=f"{name}, {index}", items=value))
    return to.strict([items], lambda value: body.format(f=source, x=name, a=name, items=value))


@special("aggregate", "reduce")
def folded(to: Translator, arguments: list[Expr], expr: exp.Anonymous) -> str:
    items, start, merge, *finish = arguments
    source, _ = _lambda(to, merge)
    body = to.strict([items], lambda value: f"reduce({source}, {value}, {to.value(start)})")
    return f"({_lambda(to, finish[0])[0]})({body})" if finish else body


RUNTIME["reduce"] = reduce
RUNTIME["some"] = lambda truths: True if True in truths else None if None in truths else False
RUNTIME["every"] = lambda truths: False if False in truths else None if None in truths else True


def _lambda(to: Translator, function: Expr) -> tuple[str, int]:
    """A Python lambda, and how many parameters it has."""
    assert isinstance(function, exp.Lambda)
    names = [parameter.name for parameter in function.expressions]
    outer = to.variables
    to.variables = {**outer, **{name: to.fresh() for name in names}}
    parameters = ", ".join(to.variables[name] for name in names)
    source = f"(lambda {parameters}: {to.value(function.this)})"
    to.variables = outer
    return source, len(names)
