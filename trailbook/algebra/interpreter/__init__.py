"""An interpreter of plans in plain Python: the oracle that tests hold Spark and the caveats against.

>>> from trailbook.algebra.expressions import call, ref
>>> from trailbook.algebra.plan import Aggregate, Named, Scan
>>> from trailbook.model.artifacts import Column
>>> scan = Scan("r", (Column(name="a", type="int"),))
>>> interpret(Aggregate(scan, (), (Named("s", call("sum", ref("a"))),)), {"r": [(1,), (None,), (2,)]})
[(3,)]
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from trailbook.algebra.interpreter.operators import OperatorCompiler, Rows, Tables
from trailbook.algebra.plan import Plan

__all__ = ["compile_plan", "interpret"]


def interpret(plan: Plan, tables: Tables) -> Rows:
    """The rows that the plan makes of the tables."""
    return compile_plan(plan)(tables)


def compile_plan(plan: Plan, choose: Random | None = None) -> Callable[[Tables], Rows]:
    """A function that evaluates the plan, to be called often.

    Where more than one answer is right – ties, LIMIT without an order, aggregates that depend on the order, rand() –
    `choose` picks one; without it rows keep the order of their input. An operator that is the input of several is
    evaluated once.
    """
    compiler, numbers = OperatorCompiler(choose), dict[int, int]()
    steps = []
    for operator in _inputs_first(plan):
        steps.append((compiler.operate(operator), [numbers[id(child)] for child in operator.inputs]))
        numbers[id(operator)] = len(numbers)

    def evaluate(tables: Tables) -> Rows:
        results: list[Rows] = []
        for operate, inputs in steps:
            results.append(operate(tables, *[results[number] for number in inputs]))
        return results[-1]

    return evaluate


def _inputs_first(plan: Plan) -> list[Plan]:
    """Every operator once, after its inputs; deep plans are why this is no recursion."""
    ordered: dict[int, Plan] = {}
    stack = [(plan, False)]
    while stack:
        operator, ready = stack.pop()
        if id(operator) in ordered:
            continue
        if ready:
            ordered[id(operator)] = operator
        else:
            stack.append((operator, True))
            stack.extend((child, False) for child in reversed(operator.inputs))
    return list(ordered.values())
