"""Subqueries made into joins. They are bound where they stand, and joined where their value is to be computed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from sqlglot import exp

from trailbook.algebra.bind.decorrelate import Pulled, pull
from trailbook.algebra.bind.domain import Domain
from trailbook.algebra.bind.grouping import top_down
from trailbook.algebra.bind.markers import innermost, is_marker, is_negative, is_waiting, marker, number_of, pushed_down
from trailbook.algebra.bind.parameters import has_parameters
from trailbook.algebra.bind.problems import Opaqueness
from trailbook.algebra.bind.relations import apart, fresh, projected
from trailbook.algebra.bind.single_rows import has_one_row, is_surely_null, one_for_each, one_row
from trailbook.algebra.expressions import (
    NULL,
    Expr,
    both,
    call,
    conjuncts,
    either,
    is_null,
    names_in,
    ref,
    substitute,
    when,
)
from trailbook.algebra.mapping import expressions_of
from trailbook.algebra.plan import Aggregate, Existence, Filter, Join, JoinKind, Limit, Named, Plan, Project, Sort


class SubqueryKind(StrEnum):
    SCALAR = "scalar"
    EXISTS = "exists"
    MEMBER = "member"
    """x IN (SELECT …)"""
    LATERAL = "lateral"
    """FROM …, LATERAL (SELECT …): joined at once"""


@dataclass(frozen=True)
class Subquery:
    """A bound subquery that waits to be joined."""

    kind: SubqueryKind
    plan: Plan
    parameters: tuple[str, ...]


class Waiting:
    """The subqueries of a query, by the number in the calls that stand for them."""

    def __init__(self) -> None:
        self._known: list[Subquery] = []
        self._closed: dict[int, Plan] = {}

    def add(self, subquery: Subquery, operands: Iterable[Expr], arguments: Iterable[Expr]) -> Expr:
        self._known.append(subquery)
        return marker(len(self._known) - 1, (*operands, *arguments))

    def close(self, plan: Plan) -> None:
        """Remember that nothing below has parameters."""
        self._closed[id(plan)] = plan

    def filtered(self, plan: Plan, condition: Expr) -> Plan:
        """The rows for which the condition is true; columns may have been added."""
        plain: list[Expr] = []
        memberships: list[Expr] = []
        for part in conjuncts(pushed_down(condition)):
            (memberships if self._is_membership(part) else plain).append(part)
        simple = [part for part in plain if not is_waiting(part)]
        if simple:
            plan = Filter(plan, both(*simple))
        for part in memberships:
            plan = self._membership(plan, part)
        rest = [part for part in plain if is_waiting(part)]
        if rest:
            plan, rest = self.joined(plan, rest)
            plan = Filter(plan, both(*rest))
        return plan

    def joined(self, plan: Plan, exprs: Sequence[Expr]) -> tuple[Plan, list[Expr]]:
        """The plan with a column for every subquery in the expressions, and the expressions over that."""
        exprs = [pushed_down(expr) if is_waiting(expr) else expr for expr in exprs]
        while (waiting := next((w for expr in exprs if (w := innermost(expr))), None)) is not None:
            plan, value = self._value(plan, waiting)
            exprs = [_replaced(expr, waiting, value) for expr in exprs]
        return plan, exprs

    def _is_membership(self, expr: Expr) -> bool:
        inner = expr.this if isinstance(expr, exp.Not) else expr
        return is_marker(inner) and self._of(inner).kind is not SubqueryKind.SCALAR

    def _of(self, marker: Expr) -> Subquery:
        return self._known[number_of(marker)]

    def _membership(self, plan: Plan, expr: Expr) -> Plan:
        """EXISTS and IN as a part of WHERE."""
        negative = isinstance(expr, exp.Not)
        marker = expr.this if negative else expr
        names = plan.names
        plan, arguments = self.joined(plan, marker.expressions[1:])
        right, condition = self._matched(plan, marker, arguments, null_matches=negative)
        joined = Join(plan, right, JoinKind.ANTI if negative else JoinKind.SEMI, condition)
        if plan.names == names:
            return joined
        return Project(joined, tuple(Named(name, ref(name)) for name in names))

    def _matched(
        self, plan: Plan, marker: Expr, arguments: Sequence[Expr], null_matches: bool
    ) -> tuple[Plan, Expr | None]:
        """The rows of a subquery, and when one of them matches a row of the plan."""
        subquery = self._of(marker)
        right, conditions = self.beside(plan, replace(subquery, plan=_without_limit(subquery)), arguments)
        operands = arguments[: len(arguments) - len(subquery.parameters)]
        for operand, name in zip(operands, right.names, strict=False):
            equal = exp.EQ(this=operand.copy(), expression=ref(name))
            conditions.append(either(equal, is_null(equal.copy())) if null_matches else equal)
        return right, both(*conditions) if conditions else None

    def beside(self, plan: Plan, subquery: Subquery, arguments: Sequence[Expr]) -> tuple[Plan, list[Expr]]:
        """The rows of a subquery, its columns first, and when one of them belongs to a row of the plan."""
        given = arguments[len(arguments) - len(subquery.parameters) :]
        pulled = self._pulled(subquery.plan)
        if pulled is not None and pulled.defaults is None:
            right, renamed = apart(pulled.plan, plan.names)
            return right, [_given(c, renamed, subquery.parameters, given) for c in pulled.conditions]
        domain = Domain(plan, subquery.parameters, given, self._is_closed)
        columns = tuple(Named(name, ref(name)) for name in (*subquery.plan.names, *domain.names))
        right, renamed = apart(projected(domain.below(subquery.plan), columns), plan.names)
        return right, domain.condition(renamed)

    def _pulled(self, plan: Plan) -> Pulled | None:
        try:
            return pull(plan, self._is_closed)
        except Opaqueness:
            return None

    def _value(self, plan: Plan, marker: Expr) -> tuple[Plan, Expr]:
        subquery = self._of(marker)
        if subquery.kind is SubqueryKind.SCALAR:
            return self._scalar(plan, subquery, marker.expressions[1:])
        negative = is_negative(marker)
        name = fresh("exists", plan.names)
        right, condition = self._matched(plan, marker, marker.expressions[1:], null_matches=negative)
        right, renamed = apart(right, [name])
        if condition is not None:
            condition = substitute(condition, {old: ref(new) for old, new in renamed.items()})
        return Existence(plan, right, condition, name), ref(name)

    def _scalar(self, plan: Plan, subquery: Subquery, arguments: Sequence[Expr]) -> tuple[Plan, Expr]:
        value = subquery.plan.names[0]
        if not subquery.parameters:
            right, renamed = apart(one_row(subquery.plan, value), plan.names)
            return Join(plan, right, JoinKind.INNER), ref(renamed[value])
        pulled = self._pulled(subquery.plan)
        single = one_for_each(pulled, value) if pulled is not None else None
        if single is None:
            return self._scalar_of_domain(plan, subquery, arguments)
        right, renamed = apart(single.plan, plan.names)
        conditions = [_given(c, renamed, subquery.parameters, arguments) for c in single.conditions]
        joined = Join(plan, right, JoinKind.LEFT, both(*conditions))
        default = (single.defaults or {}).get(value, NULL)
        if is_surely_null(default):
            return joined, ref(renamed[value])
        key = next(iter(names_in(single.conditions[0])))
        return joined, when((is_null(ref(renamed[key])), default), otherwise=ref(renamed[value]))

    def _scalar_of_domain(self, plan: Plan, subquery: Subquery, arguments: Sequence[Expr]) -> tuple[Plan, Expr]:
        domain = Domain(plan, subquery.parameters, arguments, self._is_closed)
        value = subquery.plan.names[0]
        below = domain.below(subquery.plan)
        if not has_one_row(subquery.plan):
            below = Aggregate(below, domain.columns(), (Named(value, call("only", ref(value))),))
        right, renamed = apart(below, plan.names)
        return Join(plan, right, JoinKind.LEFT, both(*domain.condition(renamed))), ref(renamed[value])

    def _is_closed(self, plan: Plan) -> bool:
        """Whether no parameter is in the plan; without recursion, since plans of the scope may be deep."""
        stack = [plan]
        while stack:
            below = stack.pop()
            if id(below) in self._closed:
                continue
            if any(has_parameters(expr) for expr in expressions_of(below)):
                return False
            stack.extend(below.inputs)
        return True


def _replaced(expr: Expr, old: Expr, new: Expr) -> Expr:
    return top_down(expr, lambda node: new if node == old else None)


def _without_limit(subquery: Subquery) -> Plan:
    """Whether there is a row does not depend on how many are taken, or in which order."""
    plan = subquery.plan
    if subquery.kind is SubqueryKind.EXISTS and isinstance(plan, Limit) and plan.count and not plan.offset:
        plan = plan.input
    while isinstance(plan, Sort):
        plan = plan.input
    return plan


def _given(condition: Expr, renamed: dict[str, str], parameters: Sequence[str], arguments: Sequence[Expr]) -> Expr:
    """A condition with the columns' new names and the arguments in place of the parameters."""
    given = dict(zip(parameters, arguments, strict=True))

    def chosen(node: Expr) -> Expr | None:
        if isinstance(node, exp.Parameter):
            return given[node.name]
        return ref(renamed[node.name]) if isinstance(node, exp.Column) else None

    return top_down(condition, chosen)
