"""Queries of any form made into relations."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace

from sqlglot import exp

from trailbook.algebra.bind.collations import uncollated
from trailbook.algebra.bind.ordering import limited, sorted_by_output
from trailbook.algebra.bind.parts import require_read
from trailbook.algebra.bind.problems import Opaqueness, problem, require_known, unknown
from trailbook.algebra.bind.relations import Relation, projected, relation_of
from trailbook.algebra.bind.scopes import Outer, Scope
from trailbook.algebra.bind.subqueries import Waiting
from trailbook.algebra.bind.values import bind_values
from trailbook.algebra.dialect import SPAN
from trailbook.algebra.expressions import Expr, ref
from trailbook.algebra.plan import Distinct, Named, Opaque, Plan, Schema, SetKind, SetOperation, Union

Describe = Callable[[Opaque], Schema]

QUERY_PARTS = ("this", "with_", "order", "limit", "offset")
"""Of a query in parentheses that is no table of a FROM clause."""


@dataclass(frozen=True)
class Environment:
    """What a query sees beside its own FROM clause."""

    ctes: Mapping[str, Relation] = field(default_factory=dict)
    outer: Outer | None = None


BindSelect = Callable[["Queries", exp.Select, Environment], Relation]


class Queries:
    """Binds the queries of one text."""

    def __init__(
        self, text: str, tables: Mapping[str, Plan], bind_select: BindSelect, describe: Describe | None
    ) -> None:
        self._text = text
        self._bind_select = bind_select
        self._tables = {name.lower(): plan for name, plan in tables.items()}
        self._known = list(tables)
        self._describe = describe
        self.waiting = Waiting()
        for plan in self._tables.values():
            self.waiting.close(plan)

    def bind(self, node: Expr, environment: Environment) -> Relation:
        """The relation that a query stands for, its columns without the name of a table."""
        try:
            require_read(node)
            return self._bind(node, self._with_ctes(node, environment))
        except Opaqueness:
            if environment.outer or SPAN not in node.meta:
                raise
            return uncollated(self.opaque(node, environment))

    def table(self, node: exp.Table, environment: Environment) -> Relation:
        """A common table expression or a table of the scope, if more than Spark understands it."""
        return uncollated(self._table(node, environment))

    def _table(self, node: exp.Table, environment: Environment) -> Relation:
        name = node.name
        if name.lower() in environment.ctes:
            return environment.ctes[name.lower()].aliased(name)
        if name.lower() in self._tables:
            return relation_of(self._tables[name.lower()], name)
        raise unknown("dataset", name, [*self._known, *environment.ctes], node)

    def opaque(self, node: Expr, environment: Environment) -> Relation:
        """A query that only Spark understands."""
        text = self._text[slice(*node.meta[SPAN])]
        inner = {cte.alias.lower() for cte in node.find_all(exp.CTE)}
        tables: dict[str, Plan] = {}
        for table in node.find_all(exp.Table):
            if isinstance(table.this, exp.Identifier) and table.name.lower() not in inner:
                relation = self._table(table, environment)
                tables[table.name] = projected(relation.plan, [Named(f.name, ref(f.column)) for f in relation.shown])
        return relation_of(self._described(Opaque(text, tuple(tables.items()))))

    def unread(self, words: Iterable[str]) -> Plan:
        """The whole text as a query that only Spark understands. It may read every table that it mentions."""
        mentioned = {word.lower() for word in words}
        tables = [(name, self._tables[name.lower()]) for name in self._known if name.lower() in mentioned]
        return self._described(Opaque(self._text, tuple(tables)))

    def _described(self, plan: Opaque) -> Opaque:
        return replace(plan, columns=self._describe(plan)) if self._describe else plan

    def subquery(self, node: Expr, scope: Scope, ctes: Mapping[str, Relation]) -> tuple[Relation, Outer]:
        """A query inside an expression, and what it takes from the query around it."""
        outer = Outer(scope)
        return self.bind(node, Environment(ctes, outer)), outer

    def _bind(self, node: Expr, environment: Environment) -> Relation:
        if isinstance(node, exp.Select):
            return self._bind_select(self, node, environment)
        if isinstance(node, exp.SetOperation):
            return self._modified(self._set_operation(node, environment), node)
        if isinstance(node, exp.Subquery):
            require_known(node, QUERY_PARTS)
            return self._modified(self.bind(node.this, environment), node)
        if isinstance(node, exp.Values):
            return self._modified(bind_values(node), node)
        if isinstance(node, exp.Table):
            return self.table(node, environment).aliased(None)
        raise Opaqueness

    def _with_ctes(self, node: Expr, environment: Environment) -> Environment:
        clause = node.args.get("with_")
        if clause is None:
            return environment
        if clause.args.get("recursive"):
            # It is bound as a whole: its parts mean nothing by themselves.
            raise Opaqueness
        ctes = dict(environment.ctes)
        for cte in clause.expressions:
            names = [column.name for column in cte.args["alias"].columns]
            relation = self.bind(cte.this, Environment(ctes, environment.outer))
            check_alias(relation, names, cte)
            ctes[cte.alias.lower()] = relation.aliased(None, names)
            if not environment.outer:
                self.waiting.close(relation.plan)
        return replace(environment, ctes=ctes)

    def _modified(self, relation: Relation, node: Expr) -> Relation:
        """ORDER BY and LIMIT after parentheses or a set operation."""
        return limited(sorted_by_output(relation, node), node)

    def _set_operation(self, node: exp.SetOperation, environment: Environment) -> Relation:
        left = self._part(self.bind(node.this, environment))
        right = self._part(self.bind(node.expression, environment))
        if len(left.shown) != len(right.shown):
            raise problem(
                f"The queries of {node.key.upper()} have {len(left.shown)} and {len(right.shown)} columns. "
                "They need as many.",
                node.expression,
            )
        return left.over(_combined(node, left.plan, right.plan))

    def _part(self, relation: Relation) -> Relation:
        """With exactly the columns that it shows."""
        plan = projected(relation.plan, [Named(f.column, ref(f.column)) for f in relation.shown])
        return Relation(plan, tuple(relation.shown))


def _combined(node: exp.SetOperation, left: Plan, right: Plan) -> Plan:
    distinct = bool(node.args.get("distinct"))
    if isinstance(node, exp.Union):
        parts = [*(left.parts if isinstance(left, Union) else [left]), right]
        return Distinct(Union(tuple(parts))) if distinct else Union(tuple(parts))
    kind = SetKind.INTERSECT if isinstance(node, exp.Intersect) else SetKind.EXCEPT
    return SetOperation(left, right, kind, all=not distinct)


def check_alias(relation: Relation, names: list[str], node: Expr) -> None:
    if names and len(names) != len(relation.shown):
        raise problem(f"{len(names)} names for {len(relation.shown)} columns: {', '.join(names)}.", node)
