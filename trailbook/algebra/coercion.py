"""What Spark makes of operands whose types differ."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

from trailbook.algebra.datatypes import (
    BIGINT,
    BINARY,
    BOOLEAN,
    DATE,
    DAY_TIME,
    DOUBLE,
    FLOAT,
    INT,
    INTEGRAL,
    MOMENTS,
    STRING,
    TIMESTAMP,
    UNKNOWN,
    VOID,
    YEAR_MONTH,
    array_of,
    element_of,
    entry_of,
    fields_of,
    interval_type,
    interval_units,
    is_decimal,
    is_integral,
    is_numeric,
    map_of,
    struct_of,
)
from trailbook.algebra.decimals import as_decimal, result, wider


def common_type(kinds: Sequence[str]) -> str:
    """The type that a column of a UNION has, or CASE with such branches."""
    return reduce(_common, kinds, VOID)


def _common(left: str, right: str) -> str:
    if UNKNOWN in (left, right):
        return UNKNOWN
    if left == right or right == VOID:
        return left
    if left == VOID:
        return right
    if is_numeric(left) and is_numeric(right):
        return common_number(left, right)
    if STRING in (left, right):
        return _common_with_text(right if left == STRING else left)
    if left in MOMENTS and right in MOMENTS:
        return TIMESTAMP if TIMESTAMP in (left, right) else next(kind for kind in (left, right) if kind != DATE)
    return _common_interval(left, right) or _common_parts(left, right) or UNKNOWN


def keeps_apart(kind: str, other: str) -> bool:
    """Whether values that differ do so also when compared with another type: as numbers '1' and '01' don't."""
    common = common_type([kind, other])
    if common in (kind, UNKNOWN):
        return common != UNKNOWN
    size, room = as_decimal(kind), as_decimal(common)
    if size and room:
        return room[1] >= size[1] and room[0] - room[1] >= size[0] - size[1]
    if common == DOUBLE:
        return kind == FLOAT or (is_integral(kind) and kind != BIGINT)
    return kind == DATE and common in MOMENTS


def common_number(left: str, right: str) -> str:
    """The wider of two types of numbers."""
    if left in INTEGRAL and right in INTEGRAL:
        return INTEGRAL[max(INTEGRAL.index(left), INTEGRAL.index(right))]
    if left == right == FLOAT:
        return FLOAT
    a, b = as_decimal(left), as_decimal(right)
    return wider(a, b) if a and b else DOUBLE


def _common_with_text(kind: str) -> str:
    if is_integral(kind):
        return BIGINT
    if is_numeric(kind):
        return DOUBLE
    return kind if kind in (BOOLEAN, BINARY, *MOMENTS) else UNKNOWN


def _common_interval(left: str, right: str) -> str | None:
    a, b = interval_units(left), interval_units(right)
    for units in (YEAR_MONTH, DAY_TIME):
        if a and b and {*a, *b} <= set(units):
            return interval_type(min(a[0], b[0], key=units.index), max(a[1], b[1], key=units.index))
    return None


def _common_parts(left: str, right: str) -> str | None:
    if (a := element_of(left)) and (b := element_of(right)):
        return array_of(_common(a, b))
    if (m := entry_of(left)) and (n := entry_of(right)):
        return map_of(_common(m[0], n[0]), _common(m[1], n[1]))
    s, t = fields_of(left), fields_of(right)
    if s and t and [name for name, _ in s] == [name for name, _ in t]:
        return struct_of([(name, _common(x, y)) for (name, x), (_, y) in zip(s, t, strict=True)])
    return None


def arithmetic_type(operator: str, left: str, right: str) -> str:
    """The type of `left operator right`, for one of `+ - * / %` and `div`."""
    if operator == "div":
        return BIGINT
    if UNKNOWN in (left, right):
        return UNKNOWN
    if left == VOID or right == VOID:
        return _with_null(operator, left, right)
    if is_numeric(left) and is_numeric(right):
        return _number(operator, left, right)
    if STRING in (left, right):
        return _with_text(operator, right if left == STRING else left)
    return _on_moments(operator, left, right)


def _number(operator: str, left: str, right: str) -> str:
    a, b = as_decimal(left), as_decimal(right)
    if a and b and (is_decimal(left) or is_decimal(right)):
        return result(operator, a, b)
    return DOUBLE if operator == "/" else common_number(left, right)


def _with_null(operator: str, left: str, right: str) -> str:
    other = right if left == VOID else left
    if operator == "/" and left == VOID:
        return DOUBLE if is_numeric(other) else UNKNOWN
    return _number(operator, other, other) if is_numeric(other) else UNKNOWN


def _with_text(operator: str, other: str) -> str:
    if not is_numeric(other):
        return UNKNOWN
    return BIGINT if is_integral(other) and operator != "/" else DOUBLE


def _on_moments(operator: str, left: str, right: str) -> str:
    if operator in ("*", "/"):
        return _scaled(operator, left, right)
    if operator == "%":
        return UNKNOWN
    if operator == "-" and left in MOMENTS and right in MOMENTS:
        return interval_type("day", "day" if left == right == DATE else "second")
    if operator == "+" and left not in MOMENTS:
        left, right = right, left
    return _shifted(left, right) if left in MOMENTS else _common_interval(left, right) or UNKNOWN


def _scaled(operator: str, left: str, right: str) -> str:
    if operator == "*" and is_numeric(left):
        left, right = right, left
    units = interval_units(left)
    if units is None or not is_numeric(right):
        return UNKNOWN
    return interval_type("year", "month") if units[0] in YEAR_MONTH else interval_type("day", "second")


def _shifted(moment: str, by: str) -> str:
    """A date or timestamp some days or an interval earlier or later."""
    if moment == DATE and by in (*INTEGRAL[: INTEGRAL.index(INT) + 1], "interval day"):
        return DATE
    units = interval_units(by)
    if units is None:
        return UNKNOWN
    return TIMESTAMP if moment == DATE and units[0] in DAY_TIME else moment
