"""Aggregate functions over the list of their arguments' values, one for each row of the group."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from decimal import Decimal
from typing import Any

from sqlglot import exp

from trailbook.algebra.expressions import Expr
from trailbook.algebra.interpreter.casts import EXACT, to_double, tried, within
from trailbook.algebra.interpreter.translator import RUNTIME, Translator, family, tuple_of
from trailbook.algebra.interpreter.values import distinct, number_like, sortable
from trailbook.errors import InterpreterError

Values = list[Any]
Aggregation = Callable[[Values], Any]


def known(values: Values) -> Values:
    return [value for value in values if value is not None]


def total(values: Values) -> Any:
    numbers = [number_like(value) for value in values if value is not None]
    if not numbers:
        return None
    if isinstance(numbers[0], int):
        return within(sum(numbers), 64)
    return _exact_sum(numbers) if isinstance(numbers[0], Decimal) else math.fsum(numbers)


def _exact_sum(numbers: Values) -> Decimal:
    result = Decimal(0)
    for number in numbers:
        result = EXACT.add(result, number)
    return result


def average(values: Values) -> Any:
    numbers = [number_like(value) for value in values if value is not None]
    if not numbers:
        return None
    if isinstance(numbers[0], Decimal):
        return EXACT.divide(_exact_sum(numbers), len(numbers))
    return math.fsum(numbers) / len(numbers)


def every(values: Values) -> bool | None:
    return None if not (values := known(values)) else all(values)


def some(values: Values) -> bool | None:
    return None if not (values := known(values)) else any(values)


def folded(values: Values, start: int, step: Callable[[int, int], int]) -> int | None:
    """Of the functions on bits."""
    if not (values := known(values)):
        return None
    for value in values:
        start = step(start, value)
    return start


def variance(values: Values, less: int) -> float | None:
    """Over n - `less`; for one value and n - 1, Spark says NULL."""
    numbers = [to_double(value) for value in values if value is not None]
    if len(numbers) <= less:
        return None
    mean = math.fsum(numbers) / len(numbers)
    return math.fsum((number - mean) ** 2 for number in numbers) / (len(numbers) - less)


def deviation(values: Values, less: int) -> float | None:
    result = variance(values, less)
    return None if result is None else math.sqrt(result)


def chosen(pairs: Values, pick: Any) -> Any:
    """Of max_by and min_by."""
    ranked = [pair for pair in pairs if pair[1] is not None]
    return pick(ranked, key=lambda pair: sortable(pair[1]))[0] if ranked else None


def only(values: Values) -> Any:
    """The value of a subquery that may have one row at most."""
    if len(values) > 1:
        raise InterpreterError(f"A scalar subquery has {len(values)} rows; it may have one.")
    return values[0] if values else None


def first(values: Values) -> Any:
    return values[0] if values else None


def last(values: Values) -> Any:
    return values[-1] if values else None


def mode(values: Values) -> Any:
    values = known(values)
    return max(values, key=values.count, default=None)


def percentile(pairs: Values) -> float | None:
    """Of pairs of a value and the share of values that are less."""
    numbers = sorted(float(value) for value, _ in pairs if value is not None)
    if not numbers:
        return None
    place = (len(numbers) - 1) * float(pairs[0][1])
    low = math.floor(place)
    return numbers[low] + (place - low) * (numbers[math.ceil(place)] - numbers[low])


def minimum(values: Values) -> Any:
    return min(known(values), key=sortable, default=None)


def maximum(values: Values) -> Any:
    return max(known(values), key=sortable, default=None)


def count(values: Values) -> int:
    """Of rows none of whose arguments is NULL."""
    return sum(None not in value if isinstance(value, tuple) else value is not None for value in values)


AGGREGATES: dict[str, Aggregation] = {
    "any": some,
    "any_value": first,
    "approx_count_distinct": lambda values: len(distinct(known(values))),
    "array_agg": known,
    "avg": average,
    "bit_and": lambda values: folded(values, -1, int.__and__),
    "bit_or": lambda values: folded(values, 0, int.__or__),
    "bit_xor": lambda values: folded(values, 0, int.__xor__),
    "bool_and": every,
    "bool_or": some,
    "collect_list": known,
    "collect_set": lambda values: distinct(known(values)),
    "count": count,
    "count_if": lambda values: values.count(True),
    "every": every,
    "first": first,
    "first_value": first,
    "last": last,
    "last_value": last,
    "max": maximum,
    "max_by": lambda pairs: chosen(pairs, max),
    "mean": average,
    "median": lambda values: percentile([(value, 0.5) for value in values]),
    "min": minimum,
    "min_by": lambda pairs: chosen(pairs, min),
    "mode": mode,
    "only": only,
    "percentile": percentile,
    "some": some,
    "std": lambda values: deviation(values, 1),
    "stddev": lambda values: deviation(values, 1),
    "stddev_pop": lambda values: deviation(values, 0),
    "stddev_samp": lambda values: deviation(values, 1),
    "sum": total,
    "try_avg": tried(average),
    "try_sum": tried(total),
    "var_pop": lambda values: variance(values, 0),
    "var_samp": lambda values: variance(values, 1),
    "variance": lambda values: variance(values, 1),
}
POSITIONAL = {"any_value", "first", "first_value", "last", "last_value"}
"""Their second argument says whether to look past NULL."""

ORDER_DEPENDENT = POSITIONAL | {"array_agg", "collect_list", "collect_set", "max_by", "min_by", "mode", "only"}
RUNTIME.update({f"aggregate_{name}": function for name, function in AGGREGATES.items()})
RUNTIME.update(known=known, distinct=distinct)


def aggregate_name(expr: Expr) -> str:
    """Of the call inside FILTER and IGNORE NULLS."""
    while not isinstance(expr, exp.Anonymous):
        expr = expr.this
    return str(expr.this).lower()


def aggregated(to: Translator, expr: Expr, condition: str = "") -> str:
    """Source for the aggregate over the list `rows`; each of them is `r`."""
    if isinstance(expr, exp.Filter):
        return aggregated(to, expr.this, f" if {to.truth(expr.expression.this)}")
    if isinstance(expr, exp.IgnoreNulls | exp.RespectNulls):
        return _call(to, expr.this, condition, past_null=isinstance(expr, exp.IgnoreNulls))
    return _call(to, expr, condition, past_null=False)


def _call(to: Translator, expr: Expr, condition: str, past_null: bool) -> str:
    name = aggregate_name(expr)
    if name not in AGGREGATES:
        raise InterpreterError(f"The interpreter does not know the aggregate function {name}.")
    arguments, dedupe = _arguments(expr)
    if name == "count" and isinstance(arguments[0], exp.Star | exp.Literal) and not dedupe:
        return f"len([1 for r in rows{condition}])" if condition else "len(rows)"
    if name in POSITIONAL and len(arguments) > 1:
        past_null = past_null or to.value(arguments.pop()) == "True"
    values = f"[{_argument(to, arguments)} for r in rows{condition}]"
    if dedupe:
        values = f"distinct({values})"
    return _fitted(to, expr, f"aggregate_{name}({f'known({values})' if past_null else values})")


def _argument(to: Translator, arguments: list[Expr]) -> str:
    return to.value(arguments[0]) if len(arguments) == 1 else tuple_of(map(to.value, arguments))


def _arguments(expr: Expr) -> tuple[list[Expr], bool]:
    arguments = list(expr.expressions)
    if arguments and isinstance(arguments[0], exp.Distinct):
        return list(arguments[0].expressions), True
    return arguments, False


def _fitted(to: Translator, expr: Expr, source: str) -> str:
    """Sums and averages of decimals are rounded to the precision of their type."""
    kind = to.type(expr)
    if aggregate_name(expr) not in ("sum", "avg", "mean", "try_sum", "try_avg") or family(kind) != "decimal":
        return source
    name, size = to.fresh(), ", ".join(re.findall(r"[0-9]+", kind))
    return f"(None if ({name} := {source}) is None else fit({name}, {size}))"
