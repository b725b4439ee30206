"""Taking what a subquery has from the query around it out of its plan, as conditions of a join.

That is possible where it is asked for in WHERE, as it mostly is, and cheap. All else is for `domain`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import singledispatch

from sqlglot import exp

from trailbook.algebra.bind.parameters import has_parameters
from trailbook.algebra.bind.problems import Opaqueness
from trailbook.algebra.bind.relations import apart, fresh
from trailbook.algebra.expressions import NULL, Expr, both, call, conjuncts, names_in, number, ref, substitute, when
from trailbook.algebra.plan import (
    Aggregate,
    Distinct,
    Existence,
    Filter,
    Generate,
    Join,
    JoinKind,
    Named,
    Plan,
    Project,
    Sort,
)

COUNTS = {"approx_count_distinct", "count", "count_if", "regr_count"}
LISTS = {"array_agg", "collect_list", "collect_set"}


@dataclass(frozen=True)
class Pulled:
    """A plan without parameters, and the conditions on it that had some."""

    plan: Plan
    conditions: tuple[Expr, ...] = ()
    defaults: Mapping[str, Expr] | None = None
    """Set if the plan had exactly one row for each row of the query around: its values where there is none now."""

    def filtered(self, conditions: Iterable[Expr]) -> Pulled:
        return replace(self, conditions=(*self.conditions, *conditions))


def equality(condition: Expr) -> tuple[Expr, Expr] | None:
    """The sides of `own = given`, where `own` is of the subquery and `given` of the query around it."""
    if not isinstance(condition, exp.EQ):
        return None
    for own, given in ((condition.this, condition.expression), (condition.expression, condition.this)):
        if not has_parameters(own) and names_in(own) and has_parameters(given) and not names_in(given):
            return own, given
    return None


def pull(plan: Plan, is_closed: Callable[[Plan], bool]) -> Pulled:
    """Take the parameters out of the plan. `is_closed` says of plans below which there are none."""
    if is_closed(plan):
        return Pulled(plan)
    return _pull(plan, lambda child: pull(child, is_closed))


Pull = Callable[[Plan], Pulled]


@singledispatch
def _pull(plan: Plan, inner: Pull) -> Pulled:
    raise Opaqueness


@_pull.register
def _(plan: Filter, inner: Pull) -> Pulled:
    pulled = inner(plan.input)
    conditions = conjuncts(plan.condition)
    own = [c for c in conditions if not has_parameters(c)]
    if pulled.defaults is not None:
        return _having(pulled, plan.condition)
    kept = Filter(pulled.plan, both(*own)) if own else pulled.plan
    return replace(pulled, plan=kept).filtered(c for c in conditions if has_parameters(c))


def _having(pulled: Pulled, condition: Expr) -> Pulled:
    """A condition on what is there for each row around: where it is not true, there are NULLs instead."""
    defaults = pulled.defaults or {}
    if has_parameters(condition):
        raise Opaqueness
    passed = substitute(condition, defaults)
    guarded = {name: when((passed, value), otherwise=NULL) for name, value in defaults.items()}
    columns = [
        Named(n, when((condition, ref(n)), otherwise=NULL) if n in defaults else ref(n)) for n in pulled.plan.names
    ]
    return replace(pulled, plan=Project(pulled.plan, tuple(columns)), defaults=guarded)


@_pull.register
def _(plan: Project, inner: Pull) -> Pulled:
    pulled = inner(plan.input)
    if any(has_parameters(column.expr) for column in plan.columns):
        raise Opaqueness
    kept, conditions = _kept(pulled.conditions, plan.columns, pulled.plan)
    defaults = pulled.defaults
    if defaults is not None:
        defaults = {column.name: substitute(column.expr, defaults) for column in plan.columns}
    return Pulled(Project(pulled.plan, (*plan.columns, *kept)), conditions, defaults)


def _kept(conditions: Iterable[Expr], columns: Iterable[Named], source: Plan) -> tuple[list[Named], tuple[Expr, ...]]:
    """The columns of the source to keep beside these so that the conditions can be asked, and the conditions then."""
    names = {column.expr.name: column.name for column in columns if isinstance(column.expr, exp.Column)}
    taken = [column.name for column in columns]
    kept: list[Named] = []
    for name in source.names:
        if name not in names and any(name in names_in(condition) for condition in conditions):
            names[name] = fresh(name, taken)
            taken.append(names[name])
            kept.append(Named(names[name], ref(name)))
    renaming = {old: ref(new) for old, new in names.items()}
    return kept, tuple(substitute(condition, renaming) for condition in conditions)


@_pull.register
def _(plan: Join, inner: Pull) -> Pulled:
    left, right = inner(plan.left), inner(plan.right)
    if left.defaults is not None or right.defaults is not None:
        raise Opaqueness
    own = [c for c in conjuncts(plan.condition) if not has_parameters(c)]
    given = [c for c in conjuncts(plan.condition) if has_parameters(c)]
    if plan.kind is not JoinKind.INNER and (given or right.conditions):
        raise Opaqueness
    if plan.kind in (JoinKind.RIGHT, JoinKind.FULL) and left.conditions:
        raise Opaqueness
    right_plan, renamed = apart(right.plan, left.plan.names)
    conditions = [substitute(c, {old: ref(new) for old, new in renamed.items()}) for c in right.conditions]
    joined = Join(left.plan, right_plan, plan.kind, both(*own) if own else None)
    return Pulled(joined, (*left.conditions, *conditions, *given))


@_pull.register
def _(plan: Existence, inner: Pull) -> Pulled:
    left, right = inner(plan.left), inner(plan.right)
    if left.defaults is not None or right.conditions or (plan.condition and has_parameters(plan.condition)):
        raise Opaqueness
    return replace(left, plan=plan.with_inputs(left.plan, right.plan))


@_pull.register
def _(plan: Aggregate, inner: Pull) -> Pulled:
    pulled = inner(plan.input)
    exprs = [named.expr for named in (*plan.keys, *plan.aggregates)]
    if plan.sets or pulled.defaults is not None or any(has_parameters(expr) for expr in exprs):
        raise Opaqueness
    keys, conditions = _as_keys(pulled.conditions, plan.keys, plan.names)
    grouped = Aggregate(pulled.plan, keys, plan.aggregates)
    if plan.keys or not conditions:
        return Pulled(grouped, conditions)
    return Pulled(grouped, conditions, {named.name: over_no_rows(named.expr) for named in plan.aggregates})


def _as_keys(
    conditions: Iterable[Expr], keys: tuple[Named, ...], taken: Iterable[str]
) -> tuple[tuple[Named, ...], tuple[Expr, ...]]:
    """Keys that tell apart the rows for different rows around, and the conditions on those."""
    found, asked, used = list(keys), [], list(taken)
    for condition in conditions:
        sides = equality(condition)
        if sides is None:
            raise Opaqueness
        known = next((key for key in found if key.expr == sides[0]), None)
        if known is None:
            known = Named(fresh(sides[0].name or "key", used), sides[0])
            used.append(known.name)
            found.append(known)
        asked.append(exp.EQ(this=ref(known.name), expression=sides[1]))
    return tuple(found), tuple(asked)


def over_no_rows(aggregate: Expr) -> Expr:
    function = aggregate.find(exp.Anonymous)
    name = function.name if function else ""
    return number(0) if name in COUNTS else call("array") if name in LISTS else NULL


@_pull.register
def _(plan: Distinct, inner: Pull) -> Pulled:
    pulled = inner(plan.input)
    if pulled.defaults is not None or any(equality(c) is None for c in pulled.conditions):
        raise Opaqueness
    return replace(pulled, plan=Distinct(pulled.plan))


@_pull.register
def _(plan: Sort, inner: Pull) -> Pulled:
    pulled = inner(plan.input)
    if any(has_parameters(key) for key in plan.keys):
        raise Opaqueness
    return replace(pulled, plan=Sort(pulled.plan, plan.keys))


@_pull.register
def _(plan: Generate, inner: Pull) -> Pulled:
    pulled = inner(plan.input)
    if pulled.defaults is not None or has_parameters(plan.generator):
        raise Opaqueness
    return replace(pulled, plan=plan.with_inputs(pulled.plan))
