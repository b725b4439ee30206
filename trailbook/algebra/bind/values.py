"""VALUES: rows written out."""

from __future__ import annotations

from sqlglot import exp

from trailbook.algebra.bind.problems import Opaqueness, problem
from trailbook.algebra.bind.relations import Relation, relation_of
from trailbook.algebra.bind.scalars import Scalars
from trailbook.algebra.bind.scopes import Scope
from trailbook.algebra.expressions import Expr
from trailbook.algebra.plan import Values
from trailbook.algebra.types import common_type, type_of
from trailbook.model.artifacts import Column


class NoSubqueries:
    def scalar(self, query: Expr, scope: Scope) -> Expr:
        raise Opaqueness

    def exists(self, query: Expr, scope: Scope) -> Expr:
        raise Opaqueness

    def member(self, operands: list[Expr], query: Expr, scope: Scope) -> Expr:
        raise Opaqueness


def bind_values(node: exp.Values) -> Relation:
    """Columns are called col1, col2… until an alias says otherwise."""
    scalars = Scalars(Scope(Relation(Values((), ()), ())), NoSubqueries())
    rows = [tuple(scalars.bind(value) for value in _row(item)) for item in node.expressions]
    width = len(rows[0])
    if any(len(row) != width for row in rows):
        raise problem("The rows of VALUES have different lengths.", node)
    columns = [_described(f"col{i + 1}", [row[i] for row in rows]) for i in range(width)]
    return relation_of(Values(tuple(rows), tuple(columns)))


def _row(item: Expr) -> list[Expr]:
    if isinstance(item, exp.Tuple):
        return list(item.expressions)
    return [item.this if isinstance(item, exp.Paren) else item]


def _described(name: str, values: list[Expr]) -> Column:
    found = [type_of(value, ()) for value in values]
    kinds = [kind for kind, _ in found]
    return Column(name=name, type=common_type(kinds), nullable=any(nullable for _, nullable in found))
