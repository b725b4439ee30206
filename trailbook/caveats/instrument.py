"""From a plan to the plan of its slots: each operator by its rule."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from trailbook.algebra.plan import (
    Aggregate,
    Distinct,
    Existence,
    Filter,
    Generate,
    Join,
    JoinKind,
    Limit,
    Opaque,
    Plan,
    Project,
    Scan,
    SetOperation,
    Sort,
    Union,
    Values,
    Window,
)
from trailbook.caveats import tables
from trailbook.caveats.raising import raise_caveats
from trailbook.caveats.rules.aggregate import group
from trailbook.caveats.rules.derived import distinct, full_join, grouping_sets, right_join, set_operation
from trailbook.caveats.rules.join import inner, left_join
from trailbook.caveats.rules.limit import limit, sort
from trailbook.caveats.rules.match import existence, exists
from trailbook.caveats.rules.rows import generate, opaque, select, stack
from trailbook.caveats.rules.window import window
from trailbook.caveats.slots import Fresh, Slots, project
from trailbook.caveats.tables import TableDoubt
from trailbook.errors import BadPlan


def instrument(plan: Plan, doubts: Mapping[str, TableDoubt]) -> Slots:
    """The slots of the plan's result, over tables with these doubts."""
    fresh = Fresh()
    done: list[Slots] = []
    for operator in _each(raise_caveats(plan)):
        count = len(operator.inputs)
        inputs = tuple(done[len(done) - count :])
        del done[len(done) - count :]
        done.append(_instrumented(operator, inputs, doubts, fresh))
    return done[0]


def _each(plan: Plan) -> list[Plan]:
    """The operators, each after its inputs, as often as it is used: hidden columns must not meet their doubles."""
    found: list[Plan] = []
    waiting = [plan]
    while waiting:
        operator = waiting.pop()
        found.append(operator)
        waiting.extend(operator.inputs)
    return found[::-1]


def _instrumented(
    operator: Plan, inputs: tuple[Slots, ...], doubts: Mapping[str, TableDoubt], fresh: Fresh
) -> Slots:
    match operator, inputs:
        case Scan(), ():
            return tables.scan(operator, doubts.get(operator.table, TableDoubt()), fresh)
        case Values(), ():
            return Slots(operator, operator.names)
        case Project(), (slots,):
            return project(slots, operator.columns, fresh)
        case Filter(), (slots,):
            return select(slots, operator.condition, fresh)
        case Join(), (left, right):
            return _joined(operator, left, right, fresh)
        case Existence(), (left, right):
            return existence(left, right, operator.condition, operator.name, fresh)
        case Aggregate(), (slots,):
            return group(slots, operator, fresh) if operator.sets is None else grouping_sets(slots, operator, fresh)
        case Distinct(), (slots,):
            return distinct(slots, fresh)
        case Union(), parts:
            return stack([replace(part, order=()) for part in parts], fresh)
        case SetOperation(), (left, right):
            return set_operation(left, right, operator, fresh)
        case Window(), (slots,):
            return window(slots, operator, fresh)
        case Sort(), (slots,):
            return sort(slots, operator.keys, fresh)
        case Limit(), (slots,):
            return limit(slots, operator, fresh)
        case Generate(), (slots,):
            return generate(slots, operator, fresh)
        case Opaque(), parts:
            return opaque(operator.with_inputs(*(tables.bare(part) for part in parts)), fresh)
    raise BadPlan(f"There is no rule for {type(operator).__name__}.")


def _joined(join: Join, left: Slots, right: Slots, fresh: Fresh) -> Slots:
    match join.kind:
        case JoinKind.INNER:
            return inner(left, right, join.condition, fresh)
        case JoinKind.LEFT:
            return left_join(left, right, join.condition, fresh)
        case JoinKind.RIGHT:
            return right_join(left, right, join.condition, fresh)
        case JoinKind.FULL:
            return full_join(left, right, join.condition, fresh)
        case JoinKind.SEMI | JoinKind.ANTI:
            return exists(left, right, join.condition, join.kind, fresh)
