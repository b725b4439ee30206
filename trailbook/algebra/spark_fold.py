"""Adding an operator to a SELECT, where that means the same as a SELECT of its own around it.

Each function here gives the larger query, or None if there must be one more.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from sqlglot import exp

from trailbook.algebra.determinism import is_deterministic
from trailbook.algebra.expressions import Expr, conjuncts, names_in, ref, substitute
from trailbook.algebra.functions import FunctionKind, lookup
from trailbook.algebra.plan import Aggregate, Distinct, Filter, Limit, Named, Project, Sort, Window
from trailbook.algebra.rewrites.safety import can_inline, is_plain
from trailbook.algebra.spark_select import Group, Select


def add_project(select: Select, plan: Project) -> Select | None:
    exprs = [column.expr for column in plan.columns]
    renames = all(isinstance(expr, exp.Column) for expr in exprs)
    if not renames and (select.distinct or select.fixed or select.is_cut or (select.group and select.group.sets)):
        return None
    if select.distinct and sorted(expr.name for expr in exprs) != sorted(select.by_name):
        # Some rows differ only in what is left out.
        return None
    order = _order_after(select, plan)
    if order is None or not _can_replace(select, exprs):
        return None
    columns = _replaced(select, plan.columns)
    if select.group and not select.group.keys and not any(map(names_in, exprs)):
        # Without an aggregate in it, this would be no aggregation any more.
        return None
    return select.but(columns=columns, order=order)


def add_filter(select: Select, plan: Filter) -> Select | None:
    conditions = tuple(conjuncts(substitute(plan.condition, select.by_name)))
    read = [select.by_name[name] for name in names_in(plan.condition)]
    if select.is_flat and all(map(is_plain, read)) and all(is_deterministic(c.expr) for c in select.columns):
        return select.but(where=(*select.where, *conditions))
    only_grouped = not (select.fixed or select.distinct or select.order or select.is_cut)
    if only_grouped and select.group and not select.group.sets and all(_is_of_group(e, select.group) for e in read):
        return select.but(having=(*select.having, *conditions))
    return None


def add_aggregate(select: Select, plan: Aggregate) -> Select | None:
    columns = (*plan.keys, *plan.aggregates)
    if not select.is_flat or not _can_replace(select, [column.expr for column in columns]):
        return None
    replaced = _replaced(select, columns)
    keys = tuple(column.expr for column in replaced[: len(plan.keys)])
    if not all(key.find(exp.Column) and is_deterministic(key) for key in keys):
        # A number would be a position.
        return None
    if plan.sets is None:
        return select.but(columns=replaced, group=Group(keys, None))
    if not all(isinstance(key, exp.Column) for key in keys) or len(set(keys)) < len(keys):
        # Of an expression Spark might take apart what it should set to NULL.
        return None
    positions = {key.name: position for position, key in enumerate(plan.keys)}
    sets = tuple(tuple(positions[name] for name in names) for names in plan.sets)
    return select.but(columns=replaced, group=Group(keys, sets))


def add_distinct(select: Select, _: Distinct) -> Select | None:
    return None if select.distinct or select.order or select.is_cut or not select.columns else select.but(distinct=True)


def add_window(select: Select, plan: Window) -> Select | None:
    flat = select.is_flat or (select.fixed and not (select.group or select.distinct or select.order or select.is_cut))
    read = {name for function in plan.functions for name in names_in(function.expr)}
    if not flat or not all(is_plain(select.by_name[name]) for name in read):
        return None
    return select.but(columns=(*select.columns, *_replaced(select, plan.functions)), fixed=True)


def add_sort(select: Select, plan: Sort) -> Select | None:
    if select.is_cut:
        return None
    # A number would be a position, and any constant sorts nothing.
    return select.but(order=tuple(key for key in plan.keys if key.find(exp.Column)))


def add_limit(select: Select, plan: Limit) -> Select | None:
    return None if select.is_cut else select.but(limit=plan.count, offset=plan.offset)


def _is_of_group(expr: Expr, group: Group) -> bool:
    """Whether it is a key or an aggregate, and not computed from them: that would be computed twice."""
    called = expr.this if isinstance(expr, exp.Filter) else expr
    function = lookup(called.name) if isinstance(called, exp.Anonymous) else None
    aggregate = function is not None and function.kind is FunctionKind.AGGREGATE
    return is_deterministic(expr) and (aggregate or expr in group.keys)


def _can_replace(select: Select, exprs: Sequence[Expr]) -> bool:
    """Whether names in the expressions can be replaced by what they stand for."""
    if not all(isinstance(expr, exp.Column) for expr in exprs):
        return can_inline(select.by_name, exprs)
    uses = Counter(expr.name for expr in exprs)
    return all(count == 1 or is_plain(select.by_name[name]) for name, count in uses.items())


def _replaced(select: Select, columns: Sequence[Named]) -> tuple[Named, ...]:
    return tuple(Named(column.name, substitute(column.expr, select.by_name)) for column in columns)


def _order_after(select: Select, plan: Project) -> tuple[exp.Ordered, ...] | None:
    """The ORDER BY once the columns are others; None if it needs one that is gone."""
    new_names = {column.expr.name: column.name for column in plan.columns if isinstance(column.expr, exp.Column)}
    flat = not (select.group or select.fixed or select.distinct)
    replacements: dict[str, Expr] = {}
    for key in select.order:
        for name in {column.name for column in key.find_all(exp.Column) if not column.table}:
            if name in new_names:
                replacements[name] = ref(new_names[name])
            elif flat and isinstance(select.by_name[name], exp.Column):
                replacements[name] = select.by_name[name]
            else:
                return None
    return tuple(_with_columns(key, replacements) for key in select.order)


def _with_columns(key: exp.Ordered, replacements: dict[str, Expr]) -> exp.Ordered:
    copy = key.copy()
    for column in list(copy.find_all(exp.Column)):
        if not column.table:
            column.replace(replacements[column.name].copy())
    return copy
