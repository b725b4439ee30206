"""ORDER BY and LIMIT: which rows are among the first rests on every row that could come before them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sqlglot import exp

from trailbook.algebra.expressions import FALSE, TRUE, Expr, both, call, is_false, negated, number, ref, when
from trailbook.algebra.plan import (
    Aggregate,
    Filter,
    Join,
    JoinKind,
    Limit,
    Named,
    Plan,
    Project,
    Scan,
    Sort,
    Union,
    Window,
)
from trailbook.caveats.bits import any_mark
from trailbook.caveats.rules.rows import anything, holds, stack
from trailbook.caveats.slots import Fresh, Slots, computed, ordered_by

MANY = 10**12
"""Rows that an open phantom stands for: more than any LIMIT."""


def sort(slots: Slots, keys: Sequence[exp.Ordered], fresh: Fresh) -> Slots:
    """ORDER BY: remembered, and done where somebody looks at the order."""
    columns = slots.columns
    slots, names = computed(slots, [key.this for key in keys], fresh)
    order = tuple(ordered_by(key, name) for key, name in zip(keys, names, strict=True))
    return replace(slots, columns=columns, order=order)


def limit(slots: Slots, operator: Limit, fresh: Fresh) -> Slots:
    """LIMIT k OFFSET o."""
    last = None if operator.count is None else operator.offset + operator.count
    if not slots.order:
        return _any_rows(slots, operator, last, fresh)
    moving = slots.any_mark([key.this.name for key in slots.order])
    ordered = {key.this.name for key in slots.order}
    if slots.is_certain and is_false(moving) and any(key <= ordered for key in slots.keys):
        return replace(slots, plan=Limit(Sort(slots.plan, slots.order), operator.count, operator.offset))
    return _first_rows(slots, moving, operator.offset, last, fresh)


def _any_rows(slots: Slots, operator: Limit, last: int | None, fresh: Fresh) -> Slots:
    """Without an order any rows will do, unless there are no more than that."""
    number_of = fresh("n")
    counted: Plan = slots.plan if last is None or slots.has_phantoms else Limit(slots.plan, last + 1)
    rows = when((slots.open, number(MANY)), otherwise=number(1))
    total = Aggregate(counted, (), (Named(number_of, call("sum", rows)),))
    most = call("coalesce", ref(number_of), number(0))
    settled: Expr = exp.LTE(this=most, expression=number(last if last is not None and not operator.offset else 0))
    there = slots.where(slots.present)
    plan = Join(Limit(there.plan, operator.count, operator.offset), total, JoinKind.INNER)
    chosen = replace(slots, plan=plan, doubt=any_mark(slots.doubt, negated(settled)), present=TRUE, open=FALSE)
    pieces = [chosen, anything(Filter(total, negated(settled)), None, slots.columns)]
    if slots.has_phantoms:
        late = slots.where(negated(slots.present))
        pieces.append(replace(late, present=FALSE, order=()))
    return stack(pieces, fresh)


def _first_rows(slots: Slots, moving: Expr, first: int, last: int | None, fresh: Fresh) -> Slots:
    """The rows that are first in the data; in doubt if others could come before them."""
    place, worst, best, size = (fresh("l") for _ in range(4))
    slots, others, late = _others(slots, moving, last, fresh)
    there = Sort(slots.where(slots.present).plan, slots.order)
    order = exp.Order(expressions=list(slots.order))
    plan: Plan = Window(
        there if last is None else Limit(there, last + 1),
        (
            Named(place, exp.Window(this=call("row_number"), order=order)),
            Named(worst, exp.Window(this=call("count", exp.Star()), order=order)),
            Named(best, exp.Window(this=call("rank"), order=order)),
            Named(size, exp.Window(this=call("count", exp.Star()))),
        ),
    )
    within = TRUE if last is None else exp.LTE(this=ref(place), expression=number(last))
    plan, shaky = _any_doubt(plan, both(slots.doubt, within), fresh)
    inside: Expr = exp.GT(this=ref(place), expression=number(first))
    fits: Expr = TRUE
    overflows: Expr = TRUE if first else FALSE
    if last is not None:
        inside = both(inside, within)
        reach = ref(worst) if others is None else exp.Add(this=ref(worst), expression=others)
        fits = exp.LTE(this=reach, expression=number(last))
        overflows = any_mark(overflows, exp.GT(this=ref(size), expression=number(last)))
    moved: Expr = FALSE if others is None else exp.GT(this=others, expression=number(0))
    if first:
        after = exp.GT(this=ref(best), expression=number(first))
        fits = both(fits, after, negated(shaky), negated(moved))
    chosen = replace(
        slots, plan=plan, doubt=any_mark(slots.doubt, moving, negated(fits)), present=TRUE, open=FALSE
    ).where(inside)
    replaced = both(overflows, any_mark(shaky, moved, both(inside, negated(fits))))
    return stack([chosen, *_missing(slots, plan, replaced, late, fresh)], fresh)


def _any_doubt(plan: Plan, doubt: Expr, fresh: Fresh) -> tuple[Plan, Expr]:
    """Whether a row among these may be absent."""
    if isinstance(doubt, exp.Boolean):
        return plan, doubt
    name = fresh("l")
    return Window(plan, (Named(name, exp.Window(this=call("bool_or", doubt))),)), ref(name)


def _others(slots: Slots, moving: Expr, last: int | None, fresh: Fresh) -> tuple[Slots, Expr | None, Plan | None]:
    """How many slots could come in from elsewhere: phantoms, and rows whose sort key is in doubt."""
    elsewhere = any_mark(negated(slots.present), moving)
    if is_false(elsewhere):
        return slots, None, None
    again = _is_stored(slots.plan)
    if last is not None and not again:
        slots = _foremost(slots, moving, last + 1, fresh)
    count, weight = fresh("d"), when((slots.open, number(MANY)), otherwise=number(1))
    late = Limit(slots.where(negated(slots.present)).plan, 1) if slots.has_phantoms else None
    if not again:
        total: Expr = exp.Window(this=call("sum", when((elsewhere, weight), otherwise=number(0))))
        return replace(slots, plan=Window(slots.plan, (Named(count, total),))), ref(count), late
    some: Plan = slots.where(elsewhere).plan
    # More of them than places make no difference, and looking for some is done sooner than counting all.
    flags = Aggregate(some if last is None else Limit(some, last + 1), (), (Named(count, call("sum", weight)),))
    total = call("coalesce", ref(count), number(0))
    return replace(slots, plan=Join(slots.plan, flags, JoinKind.INNER)), total, late


def _foremost(slots: Slots, moving: Expr, count: int, fresh: Fresh) -> Slots:
    """The first few slots of each kind: no others matter, and Spark drops those before it brings any together."""
    place = fresh("l")
    kind = when((negated(slots.present), number(2)), (moving, number(1)), otherwise=number(0))
    order = exp.Order(expressions=list(slots.order))
    numbered = Named(place, exp.Window(this=call("row_number"), partition_by=[kind], order=order))
    few = Filter(Window(slots.plan, (numbered,)), exp.LTE(this=ref(place), expression=number(count)))
    return replace(slots, plan=few)


def _is_stored(plan: Plan) -> bool:
    """Whether these are rows of tables, which are sooner read once more than brought together."""
    while isinstance(plan, Project | Filter):
        plan = plan.input
    if isinstance(plan, Union):
        return all(map(_is_stored, plan.parts))
    return isinstance(plan, Scan)


def _missing(slots: Slots, plan: Plan, replaced: Expr, late: Plan | None, fresh: Fresh) -> list[Slots]:
    """An open phantom if a row that is not among the first could be."""
    pieces = []
    if not is_false(replaced):
        name = fresh("l")
        flag = Aggregate(plan, (), (Named(name, call("bool_or", replaced)),))
        pieces.append(anything(Filter(flag, holds(ref(name))), None, slots.columns))
    if late is not None:
        pieces.append(anything(late, None, slots.columns))
    return pieces
