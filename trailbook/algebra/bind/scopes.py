"""What a name means at some place of a query."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from sqlglot import exp

from trailbook.algebra.bind.parameters import parameter
from trailbook.algebra.bind.problems import Opaqueness, problem, unknown
from trailbook.algebra.bind.relations import Field, Relation
from trailbook.algebra.expressions import Expr, ref

WRITTEN = "written"
"""In the `meta` of a column of the text: how Spark writes it in the name of a result's column."""

POSITION = ("line", "col", "start", "end")
"""In the `meta` of what the parser has read: where it stands."""

TYPE = "type"
"""In the `meta` of a sum of the text: its type, on which that depends, too."""

ARGUMENTS = "arguments"
"""In the `meta` of a subquery of the text: what it takes from the query around, as in such a name."""

FUNCTIONS = ("grouping__id", "session_user", "user")
"""What Spark takes for a function, without parentheses, where no column is called so."""

UNREPEATABLE = exp.Placeholder(this="unrepeatable")
"""As an alias: of an expression such as rand() that can't stand for its name."""


@dataclass
class Outer:
    """The query around a subquery. What the subquery takes from there are its parameters."""

    scope: Scope
    arguments: dict[str, Expr] = field(default_factory=dict)
    """By the name of the parameter: an expression over the relation of the query around."""

    def parameter(self, argument: Expr) -> exp.Parameter:
        for name, known in self.arguments.items():
            if known == argument:
                return parameter(name)
        name = f"{self.scope.depth}_{len(self.arguments)}"
        self.arguments[name] = argument
        return parameter(name)


@dataclass(frozen=True)
class Scope:
    """Names are columns of the relation, else aliases of the SELECT list, else columns of the query around."""

    relation: Relation
    outer: Outer | None = None
    aliases: Mapping[str, Expr] = field(default_factory=dict)
    aliases_first: bool = False

    @property
    def depth(self) -> int:
        return self.outer.scope.depth + 1 if self.outer else 0

    def resolve(self, column: exp.Column) -> Expr:
        parts = [part for part in column.parts if isinstance(part, exp.Identifier)]
        found = self._lookup(parts, column)
        if found is None and column.sql().lower() in FUNCTIONS:
            raise Opaqueness
        if found is None:
            raise self._unknown(parts, column)
        return found

    def _lookup(self, parts: Sequence[exp.Identifier], node: exp.Column) -> Expr | None:
        own = (self._alias, self._column) if self.aliases_first else (self._column, self._alias)
        for look in own:
            if (found := look(parts, node)) is not None:
                return found
        if self.outer:
            argument = self.outer.scope._lookup(parts, node)
            return argument if argument is None else self.outer.parameter(argument)
        return None

    def _alias(self, parts: Sequence[exp.Identifier], node: exp.Column) -> Expr | None:
        found = self.aliases.get(parts[0].name.lower())
        if found is UNREPEATABLE:
            # Put in place of its name, it would be computed again, with another value.
            raise Opaqueness
        return None if found is None else _accessed(found, parts, 1, node)

    def _column(self, parts: Sequence[exp.Identifier], node: exp.Column) -> Expr | None:
        if len(parts) > 1 and (found := self.relation.find(parts[1].name, parts[0].name)):
            return _accessed(_only(found, node), parts, 2, node)
        if found := self.relation.find(parts[0].name):
            return _accessed(_only(found, node), parts, 1, node)
        return None

    def _unknown(self, parts: Sequence[exp.Identifier], node: exp.Column) -> Exception:
        first = parts[0].name
        if len(parts) == 1:
            aliases = [name for name in self.aliases if name]
            return unknown("column", first, [*(f.name for f in self.relation.shown), *aliases], node)
        if first.lower() in self.relation.tables:
            known = [f"{first}.{f.name}" for f in self.relation.fields if (f.table or "").lower() == first.lower()]
            return unknown("column", f"{first}.{parts[1].name}", known, node)
        fields = [f.name for f in self.relation.shown]
        return unknown("table or column", first, [*self.relation.tables, *fields], node)


def placed(expr: Expr, node: Expr) -> Expr:
    """The expression with the place of a node of the text: what is wrong with it is shown there."""
    expr.meta.update({key: value for key, value in node.meta.items() if key in POSITION})
    return expr


def _only(fields: list[Field], node: exp.Column) -> Expr:
    if len(fields) > 1:
        ways = " or ".join(f"{f.table}.{f.name}" for f in fields if f.table)
        hint = f" Write {ways}." if ways else ""
        raise problem(f"{node.name} is more than one column here.{hint}", node)
    return placed(ref(fields[0].column), node.this)


def _accessed(found: Expr, parts: Sequence[exp.Identifier], used: int, node: exp.Column) -> Expr:
    """The field of a struct that the parts after the column name."""
    node.meta[WRITTEN] = ".".join(part.name for part in parts[used - 1 :])
    for part in parts[used:]:
        found = exp.Dot(this=found, expression=exp.Identifier(this=part.name, quoted=True))
    return found
