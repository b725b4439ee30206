"""FROM: tables, derived tables, joins and lateral views."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from sqlglot import exp

from trailbook.algebra.bind.generators import ONE_ROW, generated, number_range
from trailbook.algebra.bind.markers import is_waiting
from trailbook.algebra.bind.ordering import constant
from trailbook.algebra.bind.pivots import pivoted
from trailbook.algebra.bind.problems import Opaqueness, problem, require_known
from trailbook.algebra.bind.queries import Environment, Queries, check_alias
from trailbook.algebra.bind.relations import Field, Relation, fresh, projected, relation_of
from trailbook.algebra.bind.scopes import Scope
from trailbook.algebra.bind.subqueries import Subquery, SubqueryKind
from trailbook.algebra.bind.values import bind_values
from trailbook.algebra.dialect import COMMA
from trailbook.algebra.expressions import Expr, both, call, conjuncts, is_true, names_in, ref
from trailbook.algebra.plan import Generate, Join, JoinKind, Named, Opaque, Project
from trailbook.algebra.print_expression import quoted

if TYPE_CHECKING:
    from trailbook.algebra.bind.select import SelectBlock

NOTHING = Relation(ONE_ROW, ())
"""What a SELECT without FROM reads."""

KINDS = {
    ("", ""): JoinKind.INNER,
    ("", "INNER"): JoinKind.INNER,
    ("", "CROSS"): JoinKind.INNER,
    ("LEFT", ""): JoinKind.LEFT,
    ("LEFT", "OUTER"): JoinKind.LEFT,
    ("RIGHT", ""): JoinKind.RIGHT,
    ("RIGHT", "OUTER"): JoinKind.RIGHT,
    ("FULL", ""): JoinKind.FULL,
    ("FULL", "OUTER"): JoinKind.FULL,
    ("LEFT", "SEMI"): JoinKind.SEMI,
    ("", "SEMI"): JoinKind.SEMI,
    ("LEFT", "ANTI"): JoinKind.ANTI,
    ("", "ANTI"): JoinKind.ANTI,
}


SOURCE_PARTS = ("this", "alias", "sample", "pivots", "joins", "laterals", "expressions")


class FromClause:
    def __init__(self, queries: Queries, block: SelectBlock, environment: Environment) -> None:
        self._queries = queries
        self._block = block
        self._environment = environment

    def bind(self, select: exp.Select) -> Relation:
        clause = select.args.get("from_")
        relation = self._joined(self._source(clause.this), select) if clause else NOTHING
        for view in select.args.get("laterals") or []:
            relation = self._lateral_view(relation, view)
        return relation

    def _joined(self, relation: Relation, node: Expr) -> Relation:
        """A comma joins what stands on its sides when all JOINs there are done."""
        before: list[Relation] = []
        for join in node.args.get("joins") or []:
            if not join.meta.get(COMMA):
                relation = self._pivoted(self._join(relation, join), join)
            elif isinstance(join.this, exp.Lateral):
                relation, before = self._lateral(_crossed([*before, relation]), join, JoinKind.INNER), []
            else:
                before.append(relation)
                relation = self._source(join.this)
        return _crossed([*before, relation])

    def _source(self, node: Expr) -> Relation:
        relation = self._pivoted(self._modified(self._primary(node), node), node)
        for view in node.args.get("laterals") or []:
            relation = self._lateral_view(relation, view)
        return self._joined(relation, node)

    def _primary(self, node: Expr) -> Relation:
        require_known(node, SOURCE_PARTS)
        if isinstance(node, exp.Table) and isinstance(node.this, exp.Identifier):
            return self._queries.table(node, self._environment)
        if isinstance(node, exp.Table):
            return self._table_function(node)
        if isinstance(node, exp.Values):
            return bind_values(node)
        if isinstance(node, exp.Subquery) and isinstance(node.this, exp.Table):
            return self._source(node.this)
        if isinstance(node, exp.Subquery):
            return self._queries.bind(node.this, self._environment)
        raise Opaqueness

    def _modified(self, relation: Relation, node: Expr) -> Relation:
        """With the sample, pivots and alias that follow."""
        if sample := node.args.get("sample"):
            relation = self._sampled(relation, sample)
        alias = node.args.get("alias")
        if alias is None:
            return relation
        names = [column.name for column in alias.columns]
        check_alias(relation, names, node)
        return relation.aliased(alias.name or None, names)

    def _pivoted(self, relation: Relation, node: Expr) -> Relation:
        for pivot in node.args.get("pivots") or []:
            relation = pivoted(relation, pivot, self._block.scalars(relation))
        return relation

    def _sampled(self, relation: Relation, sample: Expr) -> Relation:
        """Which rows are taken only Spark knows."""
        plan = projected(relation.plan, [Named(f.column, ref(f.column)) for f in relation.shown])
        name = next((f.table for f in relation.fields if f.table), "sampled")
        text = f"SELECT * FROM {quoted(name)} {sample.sql('spark').strip()}"
        opaque = Opaque(text, ((name, plan),), plan.schema)
        return Relation(opaque, tuple(relation.shown))

    def _table_function(self, node: exp.Table) -> Relation:
        function = node.this
        name = function.name.lower()
        if name == "range":
            return relation_of(number_range([constant(argument) for argument in function.expressions[:3]]))
        return self._generated(NOTHING, function, None, [], outer=False)

    def _lateral_view(self, relation: Relation, view: exp.Lateral) -> Relation:
        alias = view.args.get("alias")
        names = [column.name for column in alias.columns] if alias else []
        outer = bool(view.args.get("outer"))
        return self._generated(relation, view.this, alias.name if alias else None, names, outer)

    def _generated(
        self, relation: Relation, function: Expr, table: str | None, names: Sequence[str], outer: bool
    ) -> Relation:
        bound = self._block.scalars(relation).bind(function)
        generator, columns, keeps = generated(bound, relation.plan.schema, names)
        taken = list(relation.plan.names)
        inner = []
        for column in columns:
            inner.append(fresh(column, taken))
            taken.append(inner[-1])
        plan = Generate(relation.plan, generator, tuple(inner), outer or keeps)
        made = [Field(name, column, table) for name, column in zip(columns, inner, strict=True)]
        return Relation(plan, (*relation.fields, *made))

    def _join(self, left: Relation, join: exp.Join) -> Relation:
        kind = KINDS.get((join.side.upper(), join.kind.upper()))
        if kind is None or join.method.upper() not in ("", "NATURAL"):
            raise Opaqueness
        if isinstance(join.this, exp.Lateral):
            return self._lateral(left, join, kind)
        right = self._source(join.this).apart_from(left.plan.names)
        common = self._common(left, right, join)
        if common:
            return self._merged(left, right, kind, common)
        both_sides = Relation(left.plan, (*left.fields, *right.fields))
        on = join.args.get("on")
        condition = self._block.scalars(both_sides).bind(on) if on and not is_true(on) else None
        if condition and is_waiting(condition):
            return self._with_subqueries(left, right, kind, condition)
        return _combined(left, right, kind, condition)

    def _lateral(self, left: Relation, join: exp.Join, kind: JoinKind) -> Relation:
        """LATERAL: what follows sees the columns on its left."""
        lateral = join.this
        if kind not in (JoinKind.INNER, JoinKind.LEFT):
            raise Opaqueness
        if not isinstance(lateral.this, exp.Subquery):
            return self._lateral_view(left, exp.Lateral(**{**lateral.args, "outer": kind is JoinKind.LEFT}))
        scope = Scope(left, self._environment.outer)
        found, outer = self._queries.subquery(lateral.this.this, scope, self._environment.ctes)
        found = self._modified(found, lateral)
        plan = projected(found.plan, [Named(f.column, ref(f.column)) for f in found.shown])
        subquery = Subquery(SubqueryKind.LATERAL, plan, tuple(outer.arguments))
        right, conditions = self._queries.waiting.beside(left.plan, subquery, list(outer.arguments.values()))
        fields = [replace(f, column=right.names[i]) for i, f in enumerate(found.shown)]
        on = join.args.get("on")
        if on is not None:
            conditions.append(self._block.scalars(Relation(left.plan, (*left.fields, *fields))).bind(on))
        return _combined(left, Relation(right, tuple(fields)), kind, both(*conditions) if conditions else None)

    def _with_subqueries(self, left: Relation, right: Relation, kind: JoinKind, condition: Expr) -> Relation:
        """ON with subqueries: joined to the side that they ask about."""
        waiting = self._queries.waiting
        parts = conjuncts(condition)
        plain = [part for part in parts if not is_waiting(part)]
        asking = [part for part in parts if is_waiting(part)]
        if kind is JoinKind.INNER:
            joined = _combined(left, right, kind, both(*plain) if plain else None)
            return joined.over(waiting.filtered(joined.plan, both(*asking)))
        if kind is not JoinKind.LEFT or any(names_in(part) - set(right.plan.names) for part in asking):
            raise Opaqueness
        plan, rest = waiting.joined(right.plan, asking)
        widened = right.over(plan).apart_from(left.plan.names)
        return _combined(left, widened, kind, both(*plain, *rest))

    def _common(self, left: Relation, right: Relation, join: exp.Join) -> list[tuple[Field, Field]]:
        """The columns that USING or NATURAL makes one."""
        names = [name.name for name in join.args.get("using") or []]
        if join.method.upper() == "NATURAL":
            there = {field.name.lower() for field in right.shown}
            names = [field.name for field in left.shown if field.name.lower() in there]
        return [(_single(left, name, "left", join), _single(right, name, "right", join)) for name in names]

    def _merged(self, left: Relation, right: Relation, kind: JoinKind, common: list[tuple[Field, Field]]) -> Relation:
        condition = both(*(exp.EQ(this=ref(a.column), expression=ref(b.column)) for a, b in common))
        joined = _combined(left, right, kind, condition)
        if kind in (JoinKind.SEMI, JoinKind.ANTI):
            return joined
        merged = {field.column for pair in common for field in pair}
        others = [replace(f, hidden=f.hidden or f.column in merged) for f in joined.fields]
        plan, columns = joined.plan, [b.column if kind is JoinKind.RIGHT else a.column for a, b in common]
        if kind is JoinKind.FULL:
            columns = [fresh(a.name, plan.names) for a, _ in common]
            made = [
                Named(c, call("coalesce", ref(a.column), ref(b.column)))
                for c, (a, b) in zip(columns, common, strict=True)
            ]
            plan = Project(plan, (*(Named(name, ref(name)) for name in plan.names), *made))
        keys = [Field(a.name, column) for (a, _), column in zip(common, columns, strict=True)]
        return Relation(plan, (*keys, *others))


def _crossed(relations: list[Relation]) -> Relation:
    found = relations[0]
    for relation in relations[1:]:
        found = _combined(found, relation.apart_from(found.plan.names), JoinKind.INNER, None)
    return found


def _single(relation: Relation, name: str, side: str, join: exp.Join) -> Field:
    found = relation.find(name)
    if len(found) == 1:
        return found[0]
    node = next((using for using in join.args.get("using") or [] if using.name == name), join)
    if found:
        raise problem(f"{name} is more than one column on the {side} of USING.", node)
    known = ", ".join(field.name for field in relation.shown)
    raise problem(f"There is no column {name} on the {side} of USING. Known: {known}.", node)


def _combined(left: Relation, right: Relation, kind: JoinKind, condition: Expr | None) -> Relation:
    plan = Join(left.plan, right.plan, kind, condition)
    one_sided = kind in (JoinKind.SEMI, JoinKind.ANTI)
    return Relation(plan, left.fields if one_sided else (*left.fields, *right.fields))
