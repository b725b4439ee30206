"""SELECT: one block, from FROM to LIMIT."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sqlglot import exp

from trailbook.algebra.bind.autonames import auto_name
from trailbook.algebra.bind.generators import generated, is_generator
from trailbook.algebra.bind.group_by import GroupBy
from trailbook.algebra.bind.grouping import Grouping, has_aggregates, top_down
from trailbook.algebra.bind.ordering import is_all, limited, ordered, ordinal
from trailbook.algebra.bind.problems import Opaqueness, problem
from trailbook.algebra.bind.queries import Environment, Queries
from trailbook.algebra.bind.relations import Field, Relation, fresh, projected
from trailbook.algebra.bind.scalars import Scalars
from trailbook.algebra.bind.scopes import ARGUMENTS, Scope
from trailbook.algebra.bind.stages import Item, Stage, lateral_aliases, sort_keys
from trailbook.algebra.bind.stars import is_star, starred
from trailbook.algebra.bind.subqueries import Subquery, SubqueryKind
from trailbook.algebra.bind.tables import FromClause
from trailbook.algebra.expressions import Expr, ref
from trailbook.algebra.plan import Distinct, Generate, Named, Plan, Project, Sort, Window


class SelectBlock:
    """Binds one SELECT. The clauses are bound in the order in which SQL computes them."""

    def __init__(self, queries: Queries, select: exp.Select, environment: Environment) -> None:
        self._queries = queries
        self._select = select
        self._environment = environment
        self._windows = {w.name.lower(): w for w in select.args.get("windows") or []}

    def bind(self) -> Relation:
        relation = FromClause(self._queries, self, self._environment).bind(self._select)
        where = self._select.args.get("where")
        if where:
            condition = self.scalars(relation).bind(where.this)
            relation = relation.over(self._queries.waiting.filtered(relation.plan, condition))
        return self._finished(relation)

    def scalars(self, relation: Relation, aliases: dict[str, Expr] | None = None, first: bool = False) -> Scalars:
        return Scalars(Scope(relation, self._environment.outer, aliases or {}, first), self, self._windows)

    def scalar(self, query: Expr, scope: Scope) -> Expr:
        return self._wait(SubqueryKind.SCALAR, query, scope)

    def exists(self, query: Expr, scope: Scope) -> Expr:
        return self._wait(SubqueryKind.EXISTS, query, scope)

    def member(self, operands: list[Expr], query: Expr, scope: Scope) -> Expr:
        return self._wait(SubqueryKind.MEMBER, query, scope, operands)

    def _wait(self, kind: SubqueryKind, query: Expr, scope: Scope, operands: Sequence[Expr] = ()) -> Expr:
        inner = query.this if isinstance(query, exp.Subquery) and _is_plain(query) else query
        relation, outer = self._queries.subquery(inner, scope, self._environment.ctes)
        inner.meta[ARGUMENTS] = [argument.name for argument in outer.arguments.values()]
        wanted = {SubqueryKind.SCALAR: 1, SubqueryKind.MEMBER: len(operands)}.get(kind)
        if wanted is not None and len(relation.shown) != wanted:
            raise problem(f"This subquery has {len(relation.shown)} columns; {wanted} is wanted here.", query)
        plan = projected(relation.plan, [Named(f.column, ref(f.column)) for f in relation.shown])
        subquery = Subquery(kind, plan, tuple(outer.arguments))
        return self._queries.waiting.add(subquery, operands, outer.arguments.values())

    def _finished(self, relation: Relation) -> Relation:
        """The SELECT list and all that follows, over the rows that WHERE has left."""
        stage = Stage(self._items(relation), self._clause("having", relation), self._clause("qualify", relation))
        stage = replace(stage, orders=self._orders(relation, stage.items))
        plan = relation.plan
        if self._is_aggregation(stage):
            plan, stage = self._aggregated(relation, stage)
        plan, stage = self._with_windows(plan, stage)
        plan, stage = self._with_generators(plan, stage)
        return self._projected(plan, stage)

    def _clause(self, name: str, relation: Relation) -> Expr | None:
        clause = self._select.args.get(name)
        if clause is None:
            return None
        return self.scalars(relation, self._aliases).bind(clause.this)

    def _items(self, relation: Relation) -> list[Item]:
        items: list[Item] = []
        self._aliases: dict[str, Expr] = {}
        for node in self._select.expressions:
            scalars = self.scalars(relation, lateral_aliases(self._aliases))
            if is_star(node):
                items += [Item(name, expr) for name, expr in starred(node, scalars.scope)]
            else:
                items += self._item(scalars, node, items)
        return items

    def _item(self, scalars: Scalars, node: Expr, before: list[Item]) -> list[Item]:
        aliased = isinstance(node, exp.Alias | exp.Aliases)
        expr = scalars.bind(node.this if aliased else node)
        if isinstance(node, exp.Aliases) or is_generator(expr):
            names = [n.name for n in node.expressions] if isinstance(node, exp.Aliases) else [node.alias] * aliased
            if any(is_generator(item.expr) for item in before):
                raise problem("A SELECT list has one generator such as explode. Use LATERAL VIEW for more.", node)
            _, columns, _ = generated(expr, scalars.scope.relation.plan.schema, names)
            return [Item(name, expr, aliased) for name in columns]
        name = node.alias if aliased else auto_name(node)
        if aliased:
            self._aliases.setdefault(name.lower(), expr)
        return [Item(name, expr, aliased)]

    def _orders(self, relation: Relation, items: list[Item]) -> list[exp.Ordered]:
        clause = self._select.args.get("order")
        for other in ("sort", "cluster"):
            if self._select.args.get(other) and self._select.args.get("limit"):
                raise Opaqueness
        outputs = {item.name.lower(): item.expr for item in reversed(items)}
        scalars = self.scalars(relation, outputs, first=True)
        keys: list[exp.Ordered] = []
        for key in clause.expressions if clause else []:
            position = ordinal(key.this, len(items))
            if is_all(key.this):
                keys += [ordered(key, item.expr) for item in items]
            else:
                keys.append(ordered(key, scalars.bind(key.this) if position is None else items[position].expr))
        return keys

    def _is_aggregation(self, stage: Stage) -> bool:
        if self._select.args.get("group") or stage.having is not None:
            return True
        return any(has_aggregates(expr) for expr in stage.exprs())

    def _aggregated(self, relation: Relation, stage: Stage) -> tuple[Plan, Stage]:
        keys, sets = GroupBy(self, relation, stage.items, self._aliases).bind(self._select.args.get("group"))
        names = {item.expr: item.name for item in stage.items}
        known = [key.name for key in keys]
        grouping = Grouping(list(keys), sets, self._aliases, names, known)
        lifted = stage.changed(grouping.lifted)
        plan, exprs = self._queries.waiting.joined(
            relation.plan, [*(k.expr for k in grouping.keys), *(a.expr for a in grouping.aggregates)]
        )
        named = [Named(n.name, e) for n, e in zip((*grouping.keys, *grouping.aggregates), exprs, strict=True)]
        grouping.keys, grouping.aggregates = named[: len(keys)], named[len(keys) :]
        plan = grouping.plan(plan)
        if lifted.having is not None:
            plan = self._queries.waiting.filtered(plan, lifted.having)
        return plan, lifted

    def _with_windows(self, plan: Plan, stage: Stage) -> tuple[Plan, Stage]:
        functions: list[Named] = []
        names = {item.expr: item.name for item in stage.items}

        def chosen(node: Expr) -> Expr | None:
            if not isinstance(node, exp.Window):
                return None
            for known in functions:
                if known.expr == node:
                    return ref(known.name)
            function = node.find(exp.Anonymous)
            wanted = names.get(node) or (function.name if function else "window")
            name = fresh(wanted, [*plan.names, *(f.name for f in functions)])
            functions.append(Named(name, node))
            return ref(name)

        stage = stage.changed(lambda expr: top_down(expr, chosen))
        if functions:
            plan, exprs = self._queries.waiting.joined(plan, [f.expr for f in functions])
            plan = Window(plan, tuple(Named(f.name, e) for f, e in zip(functions, exprs, strict=True)))
        if stage.qualify is not None:
            plan = self._queries.waiting.filtered(plan, stage.qualify)
        return plan, stage

    def _with_generators(self, plan: Plan, stage: Stage) -> tuple[Plan, Stage]:
        """explode and its like in the SELECT list; Spark allows one."""
        function = next((item.expr for item in stage.items if is_generator(item.expr)), None)
        if function is None:
            return plan, stage
        names = [item.name for item in stage.items if item.expr == function]
        generator, columns, outer = generated(function, plan.schema, names)
        inner = [fresh(column, plan.names) for column in columns]
        plan, exprs = self._queries.waiting.joined(plan, [generator])
        plan = Generate(plan, exprs[0], tuple(inner), outer)
        made = iter(inner)
        items = [replace(i, expr=ref(next(made))) if i.expr == function else i for i in stage.items]
        return plan, replace(stage, items=items)

    def _projected(self, plan: Plan, stage: Stage) -> Relation:
        plan, exprs = self._queries.waiting.joined(plan, stage.exprs())
        stage = stage.replaced(exprs)
        names: list[str] = []
        for item in stage.items:
            names.append(fresh(item.name, names))
        outputs = [Named(name, item.expr) for name, item in zip(names, stage.items, strict=True)]
        keys, hidden = sort_keys(stage.orders, outputs)
        distinct = self._select.args.get("distinct") is not None
        if distinct and hidden:
            raise problem(
                "With DISTINCT, ORDER BY can only use columns of the SELECT list.", self._select.args["order"]
            )
        plan = projected(plan, [*outputs, *hidden])
        plan = Distinct(plan) if distinct else plan
        plan = Sort(plan, tuple(keys)) if keys else plan
        fields = tuple(Field(item.name, name) for item, name in zip(stage.items, names, strict=True))
        relation = limited(Relation(plan, fields), self._select)
        if hidden:
            relation = relation.over(Project(relation.plan, tuple(Named(n, ref(n)) for n in names)))
        # Types are worked out from below, so that no recursion is as deep as the plan.
        _ = relation.plan.schema
        return relation


def _is_plain(subquery: exp.Subquery) -> bool:
    """Whether there is nothing but parentheses around the query."""
    return not any(value for key, value in subquery.args.items() if key != "this")


def bind_select(queries: Queries, select: exp.Select, environment: Environment) -> Relation:
    return SelectBlock(queries, select, environment).bind()
