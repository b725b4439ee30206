"""Types and nullability of expressions, by Spark's rules. A type is spelt as Spark spells it: `decimal(12,2)`."""

from __future__ import annotations

from collections.abc import Sequence

from trailbook.algebra.expressions import Expr
from trailbook.model.artifacts import Column

BOOLEAN = "boolean"
UNKNOWN = "unknown"
"""Of an expression that only Spark can type. Whoever needs the type must assume the worst."""


def type_of(expr: Expr, schema: Sequence[Column]) -> tuple[str, bool]:
    """The type of an expression over these columns, and whether it may be NULL."""
    return UNKNOWN, True


def common_type(kinds: Sequence[str]) -> str:
    """The type that a column of a UNION has, or CASE with such branches."""
    return kinds[0]


def generated_columns(generator: Expr, names: Sequence[str], schema: Sequence[Column]) -> tuple[Column, ...]:
    """The columns that explode and its like make."""
    return tuple(Column(name=name, type=UNKNOWN) for name in names)
