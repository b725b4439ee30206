"""The types of what is written out: numbers, intervals, the names of types."""

from __future__ import annotations

import re
from decimal import Decimal, InvalidOperation

from sqlglot import exp

from trailbook.algebra.datatypes import (
    BIGINT,
    BINARY,
    BOOLEAN,
    DATE,
    DAY_TIME,
    DOUBLE,
    FLOAT,
    INT,
    SMALLINT,
    STRING,
    TIMESTAMP,
    TIMESTAMP_NTZ,
    TINYINT,
    UNKNOWN,
    VOID,
    YEAR_MONTH,
    array_of,
    interval_type,
    map_of,
    struct_of,
)
from trailbook.algebra.decimals import MAX_PRECISION
from trailbook.algebra.expressions import Expr

RANGES = {TINYINT: 2**7, SMALLINT: 2**15, INT: 2**31, BIGINT: 2**63}
"""One beyond the largest value."""

_NAMES = {
    exp.DType.BOOLEAN: BOOLEAN,
    exp.DType.TINYINT: TINYINT,
    exp.DType.SMALLINT: SMALLINT,
    exp.DType.INT: INT,
    exp.DType.BIGINT: BIGINT,
    exp.DType.FLOAT: FLOAT,
    exp.DType.DOUBLE: DOUBLE,
    exp.DType.TEXT: STRING,
    exp.DType.BINARY: BINARY,
    exp.DType.VARBINARY: BINARY,
    exp.DType.DATE: DATE,
    exp.DType.TIMESTAMP: TIMESTAMP,
    exp.DType.TIMESTAMPTZ: TIMESTAMP,
    exp.DType.TIMESTAMPLTZ: TIMESTAMP,
    exp.DType.TIMESTAMPNTZ: TIMESTAMP_NTZ,
    exp.DType.VARIANT: "variant",
    exp.DType.NULL: VOID,
}
_UNITS = {"week": "day", "millisecond": "second", "microsecond": "second"}
_EXPONENT = re.compile(r"[eE]")


def number_type(text: str) -> str:
    """The type of a number as it is written."""
    if _EXPONENT.search(text):
        return DOUBLE
    try:
        _, digits, exponent = Decimal(text).as_tuple()
    except InvalidOperation:
        return UNKNOWN
    if text.lstrip("-").isdigit():
        for kind in (INT, BIGINT):
            if -RANGES[kind] <= int(text) < RANGES[kind]:
                return kind
    scale = -int(exponent)
    precision = max(len(digits), scale)
    return f"decimal({precision},{scale})" if precision <= MAX_PRECISION else UNKNOWN


def written_number(expr: Expr) -> str | None:
    """The number that an expression is written as, with its sign."""
    if isinstance(expr, exp.Neg):
        inner = written_number(expr.this)
        return f"-{inner}" if inner and not inner.startswith("-") else None
    return str(expr.this) if isinstance(expr, exp.Literal) and not expr.is_string else None


def interval_literal_type(expr: exp.Interval) -> str:
    unit = expr.args.get("unit")
    units = [unit.this, unit.expression] if isinstance(unit, exp.IntervalSpan) else [unit, unit]
    first, last = (_unit(each.name) if each else "" for each in units)
    return interval_type(first, last) if {first, last} <= {*YEAR_MONTH, *DAY_TIME} else UNKNOWN


def _unit(name: str) -> str:
    name = name.lower().removesuffix("s")
    return _UNITS.get(name, name)


def spelt_type(kind: Expr) -> str:
    """The type that CAST names, as Spark spells it."""
    if isinstance(kind.this, exp.Interval):
        return interval_literal_type(kind.this)
    parts = kind.expressions
    match kind.this:
        case exp.DType.DECIMAL:
            size = [*(part.name for part in parts), *("10", "0")[len(parts) :]]
            return f"decimal({size[0]},{size[1]})"
        case exp.DType.ARRAY if len(parts) == 1:
            return array_of(spelt_type(parts[0]))
        case exp.DType.MAP if len(parts) == 2:
            return map_of(spelt_type(parts[0]), spelt_type(parts[1]))
        case exp.DType.STRUCT:
            return struct_of([(part.name, spelt_type(part.args["kind"])) for part in parts])
        case _:
            return _NAMES.get(kind.this, UNKNOWN) if not parts else UNKNOWN
