"""Subqueries for which no join condition is enough: computed once for each set of values that they are given.

Those values, the domain, are put below the subquery as a table, and carried through all its operators as further
columns. The result is joined to the query around by them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import singledispatch

from sqlglot import exp

from trailbook.algebra.bind.decorrelate import over_no_rows
from trailbook.algebra.bind.grouping import top_down
from trailbook.algebra.bind.problems import Opaqueness
from trailbook.algebra.bind.relations import apart, fresh
from trailbook.algebra.determinism import is_deterministic
from trailbook.algebra.expressions import TRUE, Expr, both, call, is_null, number, ref, when
from trailbook.algebra.mapping import expressions_of, map_expressions
from trailbook.algebra.plan import (
    Aggregate,
    Distinct,
    Existence,
    Filter,
    Generate,
    Join,
    JoinKind,
    Limit,
    Named,
    Opaque,
    Plan,
    Project,
    SetOperation,
    Sort,
    Union,
    Values,
    Window,
)
from trailbook.algebra.traversal import bottom_up


class Domain:
    """The different arguments that the rows of a plan give to a subquery."""

    def __init__(
        self, around: Plan, parameters: Sequence[str], arguments: Sequence[Expr], is_closed: Callable[[Plan], bool]
    ) -> None:
        if not _is_repeatable(around):
            raise Opaqueness
        self.names = [f"given_{parameter}" for parameter in parameters]
        self.is_closed = is_closed
        columns = tuple(Named(name, argument) for name, argument in zip(self.names, arguments, strict=True))
        self.plan: Plan = Distinct(Project(around, columns))
        self._arguments = arguments
        self._values = dict(zip(parameters, self.names, strict=True))

    def below(self, plan: Plan) -> Plan:
        """The plan of a subquery with the columns of the domain beside its own, and no parameters."""
        if self.is_closed(plan):
            return Join(self.plan, plan, JoinKind.INNER)
        return _below(plan, self)

    def condition(self, renamed: dict[str, str]) -> list[Expr]:
        """When a row around belongs to a row of the result."""
        pairs = zip(self._arguments, self.names, strict=True)
        return [exp.NullSafeEQ(this=argument.copy(), expression=ref(renamed[name])) for argument, name in pairs]

    def given(self, expr: Expr) -> Expr:
        """The expression with columns of the domain in place of parameters."""

        def chosen(node: Expr) -> Expr | None:
            return ref(self._values[node.name]) if isinstance(node, exp.Parameter) else None

        return top_down(expr, chosen)

    def columns(self) -> tuple[Named, ...]:
        return tuple(Named(name, ref(name)) for name in self.names)


def _is_repeatable(plan: Plan) -> bool:
    """Whether the plan, computed twice, surely gives the same rows."""
    for node in bottom_up(plan):
        if isinstance(node, Opaque | Limit):
            return False
        if not all(is_deterministic(expr) for expr in expressions_of(node)):
            return False
    return True


@singledispatch
def _below(plan: Plan, domain: Domain) -> Plan:
    raise Opaqueness


@_below.register(Filter)
@_below.register(Sort)
@_below.register(Generate)
def _(plan: Filter | Sort | Generate, domain: Domain) -> Plan:
    return map_expressions(plan.with_inputs(domain.below(plan.input)), domain.given)


@_below.register
def _(plan: Distinct, domain: Domain) -> Plan:
    return Distinct(domain.below(plan.input))


@_below.register
def _(plan: Project, domain: Domain) -> Plan:
    columns = [Named(column.name, domain.given(column.expr)) for column in plan.columns]
    return Project(domain.below(plan.input), (*columns, *domain.columns()))


@_below.register(Join)
@_below.register(Existence)
def _(plan: Join | Existence, domain: Domain) -> Plan:
    condition = domain.given(plan.condition) if plan.condition is not None else None
    if isinstance(plan, Join) and plan.kind is JoinKind.FULL:
        raise Opaqueness
    if isinstance(plan, Join) and plan.kind is JoinKind.RIGHT:
        flipped = Join(plan.right, plan.left, JoinKind.LEFT, plan.condition)
        return _in_order(domain.below(flipped), plan, domain)
    left = domain.below(plan.left)
    if domain.is_closed(plan.right):
        return _rejoined(plan, left, plan.right, condition)
    right, renamed = apart(domain.below(plan.right), left.names)
    same = [exp.NullSafeEQ(this=ref(name), expression=ref(renamed[name])) for name in domain.names]
    joined = _rejoined(plan, left, right, both(*same, *([condition] if condition is not None else [])))
    return _in_order(joined, plan, domain)


def _rejoined(plan: Join | Existence, left: Plan, right: Plan, condition: Expr | None) -> Plan:
    if isinstance(plan, Join):
        return Join(left, right, plan.kind, condition)
    return Existence(left, right, condition, plan.name)


def _in_order(changed: Plan, plan: Plan, domain: Domain) -> Plan:
    """With the columns of `plan`, then those of the domain."""
    return Project(changed, tuple(Named(name, ref(name)) for name in (*plan.names, *domain.names)))


@_below.register
def _(plan: Aggregate, domain: Domain) -> Plan:
    if plan.sets is not None:
        raise Opaqueness
    keys = [Named(key.name, domain.given(key.expr)) for key in plan.keys]
    aggregates = tuple(Named(a.name, domain.given(a.expr)) for a in plan.aggregates)
    grouped = Aggregate(domain.below(plan.input), (*keys, *domain.columns()), aggregates)
    return grouped if plan.keys else _with_empty_groups(grouped, plan, domain)


def _with_empty_groups(grouped: Aggregate, plan: Aggregate, domain: Domain) -> Plan:
    """An aggregate without keys has a row also where there is nothing to aggregate."""
    marked = Project(grouped, (*(Named(n, ref(n)) for n in grouped.names), Named(fresh("found", grouped.names), TRUE)))
    right, renamed = apart(marked, domain.names)
    same = [exp.NullSafeEQ(this=ref(name), expression=ref(renamed[name])) for name in domain.names]
    joined = Join(domain.plan, right, JoinKind.LEFT, both(*same))
    none_found = is_null(ref(renamed[marked.names[-1]]))
    values = [
        Named(a.name, when((none_found, over_no_rows(a.expr)), otherwise=ref(renamed[a.name]))) for a in plan.aggregates
    ]
    return Project(joined, (*values, *domain.columns()))


@_below.register
def _(plan: Window, domain: Domain) -> Plan:
    functions = []
    for function in plan.functions:
        window = domain.given(function.expr)
        window.set("partition_by", [*(window.args.get("partition_by") or []), *_refs(domain.names)])
        functions.append(Named(function.name, window))
    return Window(domain.below(plan.input), tuple(functions))


@_below.register
def _(plan: Limit, domain: Domain) -> Plan:
    """The first rows for each of the values given, by their number."""
    below = domain.below(plan.input)
    keys = [key.copy() for key in below.keys] if isinstance(below, Sort) else []
    source = below.input if isinstance(below, Sort) else below
    order = exp.Order(expressions=keys or [exp.Ordered(this=number(1), desc=False, nulls_first=True)])
    window = exp.Window(this=call("row_number"), partition_by=_refs(domain.names), order=order, over="OVER")
    name = fresh("number", source.names)
    bounds: list[Expr] = [exp.GT(this=ref(name), expression=number(plan.offset))]
    if plan.count is not None:
        bounds.append(exp.LTE(this=ref(name), expression=number(plan.offset + plan.count)))
    chosen = Filter(Window(source, (Named(name, window),)), both(*bounds))
    return Project(chosen, tuple(Named(n, ref(n)) for n in source.names))


@_below.register(Union)
@_below.register(SetOperation)
def _(plan: Union | SetOperation, domain: Domain) -> Plan:
    return plan.with_inputs(*(_in_order(domain.below(part), part, domain) for part in plan.inputs))


@_below.register
def _(plan: Values, domain: Domain) -> Plan:
    rows = []
    for row in plan.rows:
        columns = [Named(c.name, domain.given(value)) for c, value in zip(plan.columns, row, strict=True)]
        rows.append(Project(domain.plan, (*columns, *domain.columns())))
    return rows[0] if len(rows) == 1 else Union(tuple(rows))


def _refs(names: Iterable[str]) -> list[Expr]:
    return [ref(name) for name in names]
