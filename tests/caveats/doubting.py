"""Queries that raise caveats wherever they read a column."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from sqlglot import exp

from tests.caveats.cases import Case, random_case
from tests.caveats.worlds import Slot
from trailbook.algebra.expressions import Expr, call, number, rewrite, text
from trailbook.algebra.mapping import map_expressions
from trailbook.algebra.plan import Aggregate, Plan
from trailbook.algebra.traversal import transform

OFTEN = 0.3
STRING = exp.DataType.build("string")


def doubting_case(seed: int, form: str | None = None, depth: int = 1) -> Case:
    """The random case of this number, with calls of `caveat_if` all over it."""
    case, random = random_case(seed, form, depth), Random(seed)

    def doubted(node: Expr) -> Expr:
        if not isinstance(node, exp.Column) or random.random() > OFTEN:
            return node
        condition = exp.GTE(this=node, expression=number(random.randrange(1, 4)))
        message = call("concat", text("it is "), exp.Cast(this=node, to=STRING))
        return call("caveat_if", node, condition, message if random.random() < 0.5 else text("so it seems"))

    def raising(operator: Plan) -> Plan:
        made = map_expressions(operator, lambda expr: rewrite(expr, doubted))
        if isinstance(operator, Aggregate) and isinstance(made, Aggregate):
            # The interpreter computes the keys of groups twice, and in a world each time something else.
            made = replace(made, keys=operator.keys)
        return made

    return replace(case, plan=transform(case.plan, raising))


def without_marks(case: Case) -> Case:
    """The case over tables that nobody doubts."""
    tables = (
        replace(table, slots=tuple(Slot(values, (False,) * len(values)) for values in table.plain()))
        for table in case.tables
    )
    return replace(case, tables=tuple(tables))
