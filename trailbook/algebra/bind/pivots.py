"""PIVOT as an aggregation with a FILTER for each value, UNPIVOT as a union with a part for each column."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlglot import exp

from trailbook.algebra.bind.autonames import written
from trailbook.algebra.bind.grouping import is_aggregate, top_down
from trailbook.algebra.bind.problems import Opaqueness, problem
from trailbook.algebra.bind.relations import Field, Relation, fresh
from trailbook.algebra.bind.scalars import Scalars, unwrapped
from trailbook.algebra.expressions import NULL, Expr, both, call, is_null, names_in, number, ref, text, when
from trailbook.algebra.plan import Aggregate, Filter, Named, Plan, Project, Schema, Union
from trailbook.algebra.types import UNKNOWN, type_of

NULL_WITHOUT_ROWS = {"any_value", "avg", "first", "last", "max", "max_by", "mean", "median", "min", "min_by", "sum"}


@dataclass(frozen=True)
class Chosen:
    """One of the values that PIVOT makes columns of."""

    name: str
    condition: Expr


def pivoted(relation: Relation, pivot: exp.Pivot, scalars: Scalars) -> Relation:
    """The relation after PIVOT or UNPIVOT, under the name that follows."""
    if len(pivot.args["fields"]) != 1:
        raise Opaqueness
    field = pivot.args["fields"][0]
    found = (
        _unpivot(relation, pivot, field, scalars)
        if pivot.args.get("unpivot")
        else _pivot(relation, pivot, field, scalars)
    )
    alias = pivot.args.get("alias")
    return found.aliased(alias.name, [column.name for column in alias.columns]) if alias else found


def _pivot(relation: Relation, pivot: exp.Pivot, field: exp.In, scalars: Scalars) -> Relation:
    columns = [scalars.bind(column) for column in _members(field.this)]
    chosen = [_chosen(value, columns, relation.plan.schema, scalars) for value in field.expressions]
    made = [(_aggregate_name(node), scalars.bind(node)) for node in pivot.expressions]
    used = names_in(exp.Tuple(expressions=[*(c.copy() for c in columns), *(expr.copy() for _, expr in made)]))
    kept = [f for f in relation.shown if f.column not in used]
    keys = [Named(f.column, ref(f.column)) for f in kept]
    aggregates: list[Named] = []
    outputs: list[Named] = []
    fields = [Field(f.name, f.column) for f in kept]
    for value in chosen:
        for name, expr in made:
            visible = value.name if len(made) == 1 else f"{value.name}_{name}"
            column = fresh(visible, [*(k.name for k in keys), *(o.name for o in outputs)])
            outputs.append(Named(column, _for_value(expr, value, aggregates, [k.name for k in keys])))
            fields.append(Field(visible, column))
    plan = Project(
        Aggregate(relation.plan, tuple(keys), tuple(aggregates)),
        (*(Named(k.name, ref(k.name)) for k in keys), *outputs),
    )
    return Relation(plan, tuple(fields))


def _for_value(expr: Expr, value: Chosen, aggregates: list[Named], taken: Sequence[str]) -> Expr:
    """The expression over the rows with this value; NULL if there are none, whatever the aggregate is."""

    def added(aggregate: Expr) -> Expr:
        filtered = exp.Filter(this=aggregate, expression=exp.Where(this=value.condition))
        for known in aggregates:
            if known.expr == filtered:
                return ref(known.name)
        function = aggregate.find(exp.Anonymous)
        name = fresh(function.name if function else "aggregate", [*taken, *(a.name for a in aggregates)])
        aggregates.append(Named(name, filtered))
        return ref(name)

    found = top_down(expr, lambda node: added(node) if is_aggregate(node) else None)
    if isinstance(expr, exp.Anonymous) and expr.name in NULL_WITHOUT_ROWS:
        return found
    rows = added(call("count", exp.Star()))
    return when((exp.GT(this=rows, expression=number(0)), found), otherwise=NULL)


def _aggregate_name(node: Expr) -> str:
    return node.alias if isinstance(node, exp.Alias) else written(node)


def _chosen(node: Expr, columns: list[Expr], schema: Schema, scalars: Scalars) -> Chosen:
    value = node.this if isinstance(node, exp.PivotAlias) else node
    values = _members(value)
    if len(values) != len(columns):
        raise problem(f"PIVOT compares {len(columns)} column(s) with {len(values)} value(s).", value)
    texts = [_as_text(v) for v in values]
    name = node.args["alias"].name if isinstance(node, exp.PivotAlias) else texts[0]
    if not isinstance(node, exp.PivotAlias) and len(values) > 1:
        name = f"{{{', '.join(texts)}}}"
    equal = [_same(column, scalars.bind(v), schema) for column, v in zip(columns, values, strict=True)]
    return Chosen(name, both(*equal))


def _same(column: Expr, value: Expr, schema: Schema) -> Expr:
    wanted, _ = type_of(column, schema)
    if wanted not in (UNKNOWN, type_of(value, ())[0]):
        value = exp.Cast(this=value, to=exp.DataType.build(wanted, dialect="spark"))
    return exp.NullSafeEQ(this=column.copy(), expression=value)


def _as_text(value: Expr) -> str:
    """A constant as CAST(… AS STRING) shows it."""
    if isinstance(value, exp.Null):
        return "null"
    if isinstance(value, exp.Neg):
        return f"-{_as_text(value.this)}"
    if isinstance(value, exp.Boolean):
        return "true" if value.this else "false"
    if isinstance(value, exp.Cast) and isinstance(value.this, exp.Literal):
        return value.this.name
    if isinstance(value, exp.Literal):
        return value.name
    raise Opaqueness


def _members(node: Expr) -> list[Expr]:
    node = unwrapped(node)
    return list(node.expressions) if isinstance(node, exp.Tuple) else [node]


def _unpivot(relation: Relation, pivot: exp.Pivot, field: exp.In, scalars: Scalars) -> Relation:
    names = [field.this.name, *(member.name for node in pivot.expressions for member in _members(node))]
    groups = [(_group_name(node), [scalars.bind(c) for c in _group(node)]) for node in field.expressions]
    used = {name for _, columns in groups for column in columns for name in names_in(column)}
    kept = [f for f in relation.shown if f.column not in used]
    inner: list[str] = []
    for name in names:
        inner.append(fresh(name, [*(f.column for f in kept), *inner]))
    parts: list[Plan] = []
    for label, columns in groups:
        values = [Named(name, expr) for name, expr in zip(inner, [text(label), *columns], strict=True)]
        parts.append(Project(relation.plan, (*(Named(f.column, ref(f.column)) for f in kept), *values)))
    plan: Plan = Union(tuple(parts)) if len(parts) > 1 else parts[0]
    if not pivot.args.get("include_nulls"):
        plan = Filter(plan, exp.Not(this=both(*(is_null(ref(name)) for name in inner[1:]))))
    made = [Field(name, column) for name, column in zip(names, inner, strict=True)]
    return Relation(plan, (*(Field(f.name, f.column) for f in kept), *made))


def _group(node: Expr) -> list[Expr]:
    return _members(node.this if isinstance(node, exp.PivotAlias) else node)


def _group_name(node: Expr) -> str:
    if isinstance(node, exp.PivotAlias):
        return str(node.args["alias"].name)
    return "_".join(column.name for column in _group(node))
