"""`*`, `t.*` and `struct.*`."""

from __future__ import annotations

from collections.abc import Iterable

from sqlglot import exp

from trailbook.algebra.bind.functions import struct_fields
from trailbook.algebra.bind.problems import Opaqueness, unknown
from trailbook.algebra.bind.relations import Field
from trailbook.algebra.bind.scopes import Scope
from trailbook.algebra.expressions import Expr, ref
from trailbook.algebra.types import type_of

Columns = list[tuple[str, Expr]]


def is_star(node: Expr) -> bool:
    return isinstance(node, exp.Star) or (isinstance(node, exp.Column) and isinstance(node.this, exp.Star))


def starred(node: Expr, scope: Scope) -> Columns:
    """The columns that a star stands for, with their names."""
    star = node.this if isinstance(node, exp.Column) else node
    columns = _qualified(node, scope) if isinstance(node, exp.Column) else _named(scope.relation.shown)
    for left_out in star.args.get("except_") or []:
        columns = _without(columns, left_out, scope)
    return columns


def _qualified(node: exp.Column, scope: Scope) -> Columns:
    fields = [f for f in scope.relation.fields if (f.table or "").lower() == node.table.lower()]
    if fields and len(node.parts) == 2:
        return _named(fields)
    *_, table, column = [None, *node.parts[:-1]]
    struct = scope.resolve(exp.Column(this=column, table=table))
    names = struct_fields(type_of(struct, scope.relation.plan.schema)[0])
    if not names:
        raise Opaqueness
    return [(n, exp.Dot(this=struct.copy(), expression=exp.Identifier(this=n, quoted=True))) for n in names]


def _without(columns: Columns, left_out: Expr, scope: Scope) -> Columns:
    kept = [(name, expr) for name, expr in columns if name.lower() != left_out.name.lower()]
    if isinstance(left_out, exp.Column) and left_out.table:
        expr = scope.resolve(left_out)
        if not isinstance(expr, exp.Column):
            # A field of a struct, which stays without it.
            raise Opaqueness
        kept = [column for column in columns if column[1] != expr]
    if len(kept) == len(columns):
        raise unknown("column", left_out.name, [name for name, _ in columns], left_out)
    return kept


def _named(fields: Iterable[Field]) -> Columns:
    return [(field.name, ref(field.column)) for field in fields]
