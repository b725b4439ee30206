"""A subquery that stands for a value has one row."""

from __future__ import annotations

from sqlglot import exp

from trailbook.algebra.bind.decorrelate import Pulled, equality
from trailbook.algebra.bind.relations import fresh
from trailbook.algebra.expressions import Expr, call, ref
from trailbook.algebra.plan import Aggregate, Named, Plan, Project

STRICT = (exp.Add, exp.Sub, exp.Mul, exp.Div, exp.Mod, exp.Neg, exp.Cast)


def has_one_row(plan: Plan) -> bool:
    while isinstance(plan, Project):
        plan = plan.input
    return isinstance(plan, Aggregate) and not plan.keys and plan.sets is None


def one_row(plan: Plan, value: str) -> Plan:
    if has_one_row(plan):
        return plan
    return Aggregate(plan, (), (Named(value, call("only", ref(value))),))


def one_for_each(pulled: Pulled, value: str) -> Pulled | None:
    """At most one row for each row around; more are an error, as Spark's."""
    if pulled.defaults is not None:
        return pulled
    keys: list[Named] = []
    conditions = []
    for condition in pulled.conditions:
        sides = equality(condition)
        if sides is None:
            return None
        keys.append(Named(fresh(sides[0].name or "key", [value, *(key.name for key in keys)]), sides[0]))
        conditions.append(exp.EQ(this=ref(keys[-1].name), expression=sides[1]))
    aggregate = Aggregate(pulled.plan, tuple(keys), (Named(value, call("only", ref(value))),))
    return Pulled(aggregate, tuple(conditions)) if conditions else None


def is_surely_null(expr: Expr) -> bool:
    """Whether this is surely NULL: the constant, or an operation on it that is NULL then."""
    if isinstance(expr, exp.Null):
        return True
    return isinstance(expr, STRICT) and any(is_surely_null(child) for child in expr.iter_expressions())
