"""Types and nullability of expressions, by Spark's rules. A type is spelt as Spark spells it: `decimal(12,2)`."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from trailbook.algebra.casts import cast_may_fail
from trailbook.algebra.coercion import common_type, keeps_apart
from trailbook.algebra.datatypes import BOOLEAN, INT, STRING, UNKNOWN, element_of, entry_of, fields_of
from trailbook.algebra.expression_types import Typed, Typing
from trailbook.algebra.expressions import Expr
from trailbook.algebra.raising import may_raise
from trailbook.model.artifacts import Column

__all__ = [
    "BOOLEAN",
    "UNKNOWN",
    "cast_may_fail",
    "common_type",
    "generated_columns",
    "keeps_apart",
    "may_raise",
    "type_of",
]


def type_of(expr: Expr, schema: Sequence[Column]) -> Typed:
    """The type of an expression over these columns, and whether it may be NULL."""
    return Typing(schema).of(expr)


def generated_columns(generator: Expr, names: Sequence[str], schema: Sequence[Column]) -> tuple[Column, ...]:
    """The columns that explode and its like make."""
    made = _generated(generator, schema) if isinstance(generator, exp.Anonymous) else []
    if len(made) != len(names):
        made = [(UNKNOWN, True)] * len(names)
    return tuple(
        Column(name=name, type=kind, nullable=nullable) for name, (kind, nullable) in zip(names, made, strict=True)
    )


def _generated(generator: exp.Anonymous, schema: Sequence[Column]) -> list[Typed]:
    name, arguments = generator.name.lower(), generator.expressions
    if name == "json_tuple":
        return [(STRING, True)] * (len(arguments) - 1)
    kinds = [type_of(argument, schema)[0] for argument in arguments]
    match name.removesuffix("_outer"):
        case "explode":
            return _members(kinds[0])
        case "posexplode":
            return [(INT, name.endswith("_outer")), *_members(kinds[0])]
        case "inline":
            return [(kind, True) for _, kind in fields_of(element_of(kinds[0]) or UNKNOWN) or []]
        case "stack" if arguments[0].is_int:
            width = -(-len(kinds[1:]) // int(arguments[0].name))
            return [(common_type(kinds[1 + position :: width]), True) for position in range(width)]
        case _:
            return []


def _members(kind: str) -> list[Typed]:
    """Of an array its element, of a map its key and its value."""
    if entry := entry_of(kind):
        return [(entry[0], True), (entry[1], True)]
    return [(element_of(kind) or UNKNOWN, True)]
