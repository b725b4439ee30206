"""Operators in terms of others, equal in every world, so that there are fewer rules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sqlglot import exp

from trailbook.algebra.determinism import is_deterministic
from trailbook.algebra.expressions import NULL, Expr, both, is_false, number, ref
from trailbook.algebra.mapping import map_expressions
from trailbook.algebra.plan import Aggregate, Join, JoinKind, Named, Project, SetKind, SetOperation
from trailbook.caveats.marks import function_name
from trailbook.caveats.rules.aggregate import group
from trailbook.caveats.rules.bags import bag_operation
from trailbook.caveats.rules.left_join import left_join
from trailbook.caveats.rules.match import exists, left_and_right
from trailbook.caveats.rules.rows import stack
from trailbook.caveats.slots import Fresh, Slots, project


def right_join(left: Slots, right: Slots, condition: Expr | None, fresh: Fresh) -> Slots:
    """A left join with the sides swapped."""
    return replace(left_join(right, left, condition, fresh), columns=(*left.columns, *right.columns))


def full_join(left: Slots, right: Slots, condition: Expr | None, fresh: Fresh) -> Slots:
    """A left join and the right rows without a match."""
    marker = left_and_right(left, right)
    if left.is_clean and right.is_clean and (condition is None or is_false(marker.mark(condition))):
        plan = Join(left.plan, right.plan, JoinKind.FULL, marker.value(condition) if condition else None)
        return Slots(plan, (*left.columns, *right.columns))
    matched = left_join(left, right, condition, fresh)
    alone = exists(right, left, condition, fresh, JoinKind.ANTI)
    nulls = [Named(name, NULL) for name in left.columns]
    return stack([matched, project(alone, [*nulls, *_same(right.columns)], fresh)], fresh)


def distinct(slots: Slots, fresh: Fresh) -> Slots:
    """Groups without aggregates."""
    return group(slots, Aggregate(slots.plan, _same(slots.columns), ()), fresh)


def set_operation(left: Slots, right: Slots, operator: SetOperation, fresh: Fresh) -> Slots:
    """Distinct rows with a semi or anti join on all columns, NULL equal to NULL; rows are counted with ALL."""
    names = left.columns
    if left.is_clean and right.is_clean:
        ours, theirs = (Project(slots.plan, _same(slots.columns)) for slots in (left, right))
        plan = SetOperation(ours, theirs, operator.kind, operator.all)
        return Slots(plan, names, keys=() if operator.all else (frozenset(names),))
    if operator.all:
        return bag_operation(left, right, operator.kind, fresh)
    others = tuple(fresh("c") for _ in names)
    right = project(right, [Named(new, ref(old)) for new, old in zip(others, right.columns, strict=True)], fresh)
    equal = both(*(exp.NullSafeEQ(this=ref(a), expression=ref(b)) for a, b in zip(names, others, strict=True)))
    kind = JoinKind.SEMI if operator.kind is SetKind.INTERSECT else JoinKind.ANTI
    return exists(distinct(left, fresh), right, equal, fresh, kind)


def grouping_sets(slots: Slots, operator: Aggregate, fresh: Fresh) -> Slots:
    """One aggregate for each grouping set, put together."""
    exprs = [named.expr for named in (*operator.keys, *operator.aggregates)]
    marker = slots.marker
    if slots.is_certain and all(is_deterministic(expr) and is_false(marker.mark(expr)) for expr in exprs):
        return Slots(map_expressions(replace(operator, input=slots.plan), marker.value), operator.names)
    return stack([_one_set(slots, operator, names, fresh) for names in operator.sets or ()], fresh)


def _one_set(slots: Slots, operator: Aggregate, names: Sequence[str], fresh: Fresh) -> Slots:
    # A set without keys groups by a constant: unlike an aggregate without keys it has no row over no rows.
    keys = tuple(key for key in operator.keys if key.name in names) or (Named(fresh("k"), number(0)),)
    aggregates = tuple(named for named in operator.aggregates if not _is_grouping(named.expr))
    grouped = group(slots, Aggregate(slots.plan, keys, aggregates), fresh)
    columns: list[Named] = []
    for named in (*operator.keys, *operator.aggregates):
        value: Expr = ref(named.name)
        if _is_grouping(named.expr):
            value = number(_grouping(named.expr, operator.keys, names))
        elif named in operator.keys and named.name not in names:
            value = NULL
        columns.append(Named(named.name, value))
    return project(grouped, columns, fresh)


def _is_grouping(expr: Expr) -> bool:
    return function_name(expr) in ("grouping", "grouping_id")


def _grouping(expr: Expr, keys: Sequence[Named], names: Sequence[str]) -> int:
    """A bit for each key that is not in the set, the first the highest."""
    wanted = expr.expressions or [key.expr for key in keys]
    named = {key.expr: key.name for key in keys}
    result = 0
    for item in wanted:
        result = result * 2 + (named.get(item, "") not in names)
    return result


def _same(names: Sequence[str]) -> tuple[Named, ...]:
    return tuple(Named(name, ref(name)) for name in names)
