"""Functions with more than one name or form, in the one form that plans have."""

from __future__ import annotations

from collections.abc import Callable

from sqlglot import exp

from trailbook.algebra.expressions import Expr, call, is_null, text

BindAll = Callable[[list[Expr]], list[Expr]]

CAST_NAMES = """
    bigint binary boolean date decimal double float int smallint string timestamp timestamp_ltz timestamp_ntz
    tinyint
"""
CASTS = frozenset(CAST_NAMES.split())

WITH_UNIT = {"date_add", "date_diff", "dateadd", "datediff", "timestampadd", "timestampdiff"}
"""With three arguments, their first is a unit, not a column."""


def bind_function(name: str, arguments: list[Expr], bind: BindAll) -> Expr:
    if name in WITH_UNIT and len(arguments) == 3:
        return call(name, exp.Var(this=arguments[0].name.upper()), *bind(arguments[1:]))
    if name == "struct":
        return _struct(arguments, bind)
    bound = bind(arguments)
    if name in CASTS and len(bound) == 1:
        return exp.Cast(this=bound[0], to=exp.DataType.build(name, dialect="spark"))
    if name in ("nvl", "ifnull") and len(bound) == 2:
        return call("coalesce", *bound)
    if name in ("isnull", "isnotnull") and len(bound) == 1:
        return is_null(bound[0]) if name == "isnull" else exp.Not(this=is_null(bound[0]))
    return call(name, *bound)


def struct_fields(kind: str) -> list[str]:
    """The names of the fields of a struct type; none if it is no struct."""
    if not kind.startswith("struct<"):
        return []
    return [field.name for field in exp.DataType.build(kind, dialect="spark").expressions]


def _struct(arguments: list[Expr], bind: BindAll) -> Expr:
    """As `named_struct`, which says what the fields are called."""
    fields: list[Expr] = []
    for argument in arguments:
        for value in bind([argument]):
            fields += [text(_field_name(argument, value, len(fields) // 2 + 1)), value]
    return call("named_struct", *fields)


def _field_name(argument: Expr, value: Expr, position: int) -> str:
    if isinstance(argument, exp.Alias):
        return argument.alias
    if isinstance(argument, exp.Column) and not isinstance(argument.this, exp.Star):
        return argument.name
    return value.name if isinstance(value, exp.Column) else f"col{position}"
