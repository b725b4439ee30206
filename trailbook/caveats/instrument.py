"""From a plan to the plan of its slots: each operator by its rule."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from functools import partial

from trailbook.algebra.determinism import is_repeatable
from trailbook.algebra.expressions import is_false, names_in
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
    Range,
    Scan,
    SetOperation,
    Sort,
    Union,
    Values,
    Window,
)
from trailbook.algebra.rewrites import simplified
from trailbook.caveats import inherent, tables
from trailbook.caveats.acknowledging import ByPlace, acknowledge, by_place
from trailbook.caveats.bits import any_mark
from trailbook.caveats.raising import raise_caveats
from trailbook.caveats.rules.aggregate import group
from trailbook.caveats.rules.derived import distinct, full_join, grouping_sets, right_join, set_operation
from trailbook.caveats.rules.join import inner
from trailbook.caveats.rules.left_join import left_join
from trailbook.caveats.rules.limit import limit, sort
from trailbook.caveats.rules.match import existence, exists
from trailbook.caveats.rules.rows import generate, opaque, select, stack
from trailbook.caveats.rules.window import window
from trailbook.caveats.slots import Fresh, Slots, again, project
from trailbook.caveats.tables import TableDoubt
from trailbook.model.acknowledged import Acknowledged


@dataclass(frozen=True)
class Traced:
    """An operator with its slots, over its inputs with theirs."""

    operator: Plan
    inputs: tuple[Traced, ...]
    slots: Slots
    accepted: bool = False
    """Whether what the operator is in itself marks nothing, since it is acknowledged."""


def instrument(plan: Plan, doubts: Mapping[str, TableDoubt], acknowledged: Collection[Acknowledged] = ()) -> Slots:
    """The slots of the plan's result, over tables with these doubts."""
    return trace(plan, doubts, acknowledged).slots


def trace(plan: Plan, doubts: Mapping[str, TableDoubt], acknowledged: Collection[Acknowledged] = ()) -> Traced:
    """The slots of every operator's result. What is acknowledged of the caveats that the plan raises marks nothing."""
    texts = by_place(acknowledged)
    operators = _each(acknowledge(raise_caveats(simplified(plan)), texts))
    run_once = _run_once(operators)
    wanted = _wanted(operators)
    fresh = Fresh({name for operator in operators for name in operator.names})
    done: list[Traced] = []
    once: dict[int, Traced] = {}
    for operator in operators:
        first = len(done) - len(operator.inputs)
        inputs = tuple(done[first:])
        del done[first:]
        if id(operator) in once:
            done.append(replace(once[id(operator)], slots=again(once[id(operator)].slots, fresh)))
        elif isinstance(operator, Scan):
            slots = tables.scan(operator, doubts.get(operator.table, TableDoubt()), fresh, wanted.get(id(operator)))
            done.append(Traced(operator, inputs, slots))
        else:
            done.append(_traced(operator, inputs, texts, fresh))
        if id(operator) in run_once:
            once.setdefault(id(operator), done[-1])
    return done[0]


def _traced(operator: Plan, inputs: tuple[Traced, ...], texts: ByPlace, fresh: Fresh) -> Traced:
    given = [_given_to(operator, traced.slots) for traced in inputs]
    slots = _accepted(operator, given, texts)
    if slots is not None:
        return Traced(operator, inputs, slots, accepted=True)
    return Traced(operator, inputs, RULES[type(operator)](operator, *given, fresh))


def _accepted(operator: Plan, given: list[Slots], texts: ByPlace) -> Slots | None:
    """The plain operator's slots, if what it is in itself is acknowledged, and nothing else decides what it gives."""
    match operator:
        case Limit() if None in texts.get(inherent.of_limit(operator), ()):
            (slots,) = given
            moving = any_mark(*(slots.mark(key.this.name) for key in slots.order))
            if slots.is_certain and is_false(moving):
                ordered = Sort(slots.plan, slots.order) if slots.order else slots.plan
                return replace(slots, plan=Limit(ordered, operator.count, operator.offset))
        case Opaque() if None in texts.get(inherent.of_opaque(operator), ()):
            if all(slots.is_clean for slots in given):
                return Slots(operator.with_inputs(*map(tables.bare, given)), operator.names)
    return None


def _given_to(operator: Plan, slots: Slots) -> Slots:
    """The slots with their order only where Spark keeps it: it sorts again, or not at all, below a join or a window."""
    return slots if isinstance(operator, KEEP_ORDER) else replace(slots, order=())


def _each(plan: Plan) -> list[Plan]:
    """The operators, each after its inputs, as often as it is used: hidden columns must not meet their doubles."""
    found: list[Plan] = []
    waiting = [plan]
    while waiting:
        operator = waiting.pop()
        found.append(operator)
        waiting.extend(operator.inputs)
    return found[::-1]


def _wanted(operators: list[Plan]) -> dict[int, frozenset[str]]:
    """The columns that are read of scans, where projections alone read them: a table may have thousands."""
    read: dict[int, frozenset[str]] = {}
    for operator in operators:
        for child in operator.inputs:
            if isinstance(child, Scan):
                names = (
                    frozenset().union(*(names_in(column.expr) for column in operator.columns))
                    if isinstance(operator, Project)
                    else frozenset(child.names)
                )
                read[id(child)] = read.get(id(child), frozenset()) | names
    return read


def _run_once(operators: list[Plan]) -> set[int]:
    """Those that are used more than once and might give other rows each time."""
    uses = Counter(map(id, operators))
    return {id(operator) for operator in operators if uses[id(operator)] > 1 and not is_repeatable(operator)}


KEEP_ORDER = (Project, Filter, Generate, Sort, Limit, Opaque)
"""Operators whose rows come in the order of their input."""

RULES: dict[type[Plan], Callable[..., Slots]] = {
    Values: lambda operator, fresh: Slots(operator, operator.names),
    Range: lambda operator, fresh: Slots(operator, operator.names, keys=(frozenset(operator.names),)),
    Project: lambda operator, slots, fresh: project(slots, operator.columns, fresh),
    Filter: lambda operator, slots, fresh: select(slots, operator.condition, fresh),
    Join: lambda operator, left, right, fresh: JOINS[operator.kind](left, right, operator.condition, fresh),
    Existence: lambda operator, left, right, fresh: existence(left, right, operator.condition, operator.name, fresh),
    Aggregate: lambda operator, slots, fresh: (grouping_sets if operator.sets else group)(slots, operator, fresh),
    Distinct: lambda operator, slots, fresh: distinct(slots, fresh),
    Union: lambda operator, *parts: stack(parts[:-1], parts[-1]),
    SetOperation: lambda operator, left, right, fresh: set_operation(left, right, operator, fresh),
    Window: lambda operator, slots, fresh: window(slots, operator, fresh),
    Sort: lambda operator, slots, fresh: sort(slots, operator.keys, fresh),
    Limit: lambda operator, slots, fresh: limit(slots, operator, fresh),
    Generate: lambda operator, slots, fresh: generate(slots, operator, fresh),
    Opaque: lambda operator, *parts: opaque(operator.with_inputs(*map(tables.bare, parts[:-1])), parts[-1]),
}
"""From an operator and the slots of its inputs to the slots of its result."""

JOINS: dict[JoinKind, Callable[..., Slots]] = {
    JoinKind.INNER: inner,
    JoinKind.LEFT: left_join,
    JoinKind.RIGHT: right_join,
    JoinKind.FULL: full_join,
    JoinKind.SEMI: partial(exists, kind=JoinKind.SEMI),
    JoinKind.ANTI: partial(exists, kind=JoinKind.ANTI),
}
