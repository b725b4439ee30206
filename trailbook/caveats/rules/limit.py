"""ORDER BY and LIMIT: which rows are among the first rests on every row that could come before them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from sqlglot import exp

from trailbook.algebra.determinism import is_deterministic
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
    if operator.count == 0:
        return replace(slots, plan=Limit(slots.plan, 0), marks={}, doubt=FALSE, present=TRUE, open=FALSE)
    last = None if operator.count is None else operator.offset + operator.count
    if not slots.order:
        return _any_rows(slots, operator, last, fresh)
    moving = any_mark(*(slots.mark(key.this.name) for key in slots.order))
    ordered = {key.this.name for key in slots.order}
    if slots.is_certain and is_false(moving) and any(key <= ordered for key in slots.keys):
        return replace(slots, plan=Limit(Sort(slots.plan, slots.order), operator.count, operator.offset))
    # What the rows are sorted by goes along: whoever reads them, or takes the first of them once more, needs it.
    keys = dict.fromkeys((*slots.columns, *(key.this.name for key in slots.order)))
    found = _first_rows(replace(slots, columns=tuple(keys)), moving, operator.offset, last, fresh)
    return replace(found, columns=slots.columns, order=slots.order)


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


@dataclass(frozen=True)
class _Front:
    """Slots among which the first rows are, and one row more, if there is one. Phantoms are `apart` from rows.

    `others` says how many slots could come in from elsewhere.
    """

    plan: Plan
    others: Expr | None = None
    apart: tuple[Expr, ...] = ()

    @property
    def moved(self) -> Expr:
        return FALSE if self.others is None else exp.GT(this=self.others, expression=number(0))

    def reach(self, place: Expr) -> Expr:
        """The place of a row when all others have come in before it."""
        return place if self.others is None else exp.Add(this=place, expression=self.others)


def _first_rows(slots: Slots, moving: Expr, first: int, last: int | None, fresh: Fresh) -> Slots:
    """The rows that are first in the data; in doubt if others could come before them."""
    front = _front(slots, moving, last, fresh)
    plan, place, worst = _with_places(front, slots, fresh)
    here = slots.present if front.apart else TRUE
    within = here if last is None else both(here, exp.LTE(this=place, expression=number(last)))
    fits: Expr = TRUE if last is None else exp.LTE(this=front.reach(worst), expression=number(last))
    overflows: Expr = FALSE if last is None else exp.GT(this=place, expression=number(last))
    inside, shaky = within, both(slots.doubt, within)
    if first:
        plan, settled = _settled_before(plan, shaky, front, slots, first, fresh)
        fits, overflows = both(fits, settled, negated(front.moved)), TRUE
        inside = both(within, exp.GT(this=place, expression=number(first)))
    doubt = any_mark(slots.doubt, moving, negated(fits))
    chosen = replace(slots, plan=plan, doubt=doubt, present=TRUE, open=FALSE).where(inside)
    replaced = any_mark(shaky, front.moved, both(inside, negated(fits)))
    pieces = [chosen, _missing(slots, plan, replaced, both(here, overflows), fresh)]
    if slots.has_phantoms:
        late = front.plan if front.apart else slots.plan
        pieces.append(anything(Limit(Filter(late, negated(slots.present)), 1), None, slots.columns))
    return stack(pieces, fresh)


def _over(function: Expr, front: _Front, slots: Slots) -> exp.Window:
    """The function over the rows in their order, phantoms apart."""
    order = exp.Order(expressions=list(slots.order))
    return exp.Window(this=function, partition_by=list(front.apart), order=order)


def _with_places(front: _Front, slots: Slots, fresh: Fresh) -> tuple[Plan, Expr, Expr]:
    """The slots with their place, and with the last one that they could have among rows that tie."""
    place, worst = fresh("l"), fresh("l")
    functions = (
        Named(place, _over(call("row_number"), front, slots)),
        Named(worst, _over(call("count", exp.Star()), front, slots)),
    )
    return Window(front.plan, functions), ref(place), ref(worst)


def _settled_before(
    plan: Plan, shaky: Expr, front: _Front, slots: Slots, first: int, fresh: Fresh
) -> tuple[Plan, Expr]:
    """Whether the rows that an OFFSET leaves out are the same in every world, and none of them ties with this one."""
    best, some = fresh("l"), fresh("l")
    functions = (
        Named(best, _over(call("rank"), front, slots)),
        Named(some, exp.Window(this=call("bool_or", shaky))),
    )
    return Window(plan, functions), both(exp.GT(this=ref(best), expression=number(first)), negated(ref(some)))


def _front(slots: Slots, moving: Expr, last: int | None, fresh: Fresh) -> _Front:
    elsewhere = any_mark(negated(slots.present), moving)
    rows: Plan = Sort(slots.where(slots.present).plan, slots.order)
    rows = rows if last is None else Limit(rows, last + 1)
    if is_false(elsewhere):
        return _Front(rows)
    count, weight = fresh("d"), when((slots.open, number(MANY)), otherwise=number(1))
    if _is_stored(slots.plan):
        some: Plan = slots.where(elsewhere).plan
        # More of them than places make no difference, and looking for some is done sooner than counting all.
        flags = Aggregate(some if last is None else Limit(some, last + 1), (), (Named(count, call("sum", weight)),))
        return _Front(Join(rows, flags, JoinKind.INNER), call("coalesce", ref(count), number(0)))
    few = slots.plan if last is None else _foremost(slots, moving, last + 1, fresh)
    total = exp.Window(this=call("sum", when((elsewhere, weight), otherwise=number(0))))
    return _Front(Window(few, (Named(count, total),)), ref(count), (slots.present,))


def _foremost(slots: Slots, moving: Expr, count: int, fresh: Fresh) -> Plan:
    """The first few slots of each kind: no others matter, and Spark drops those before it brings any together."""
    place = fresh("l")
    kind = when((negated(slots.present), number(2)), (moving, number(1)), otherwise=number(0))
    order = exp.Order(expressions=list(slots.order))
    numbered = Named(place, exp.Window(this=call("row_number"), partition_by=[kind], order=order))
    return Filter(Window(slots.plan, (numbered,)), exp.LTE(this=ref(place), expression=number(count)))


def _is_stored(plan: Plan) -> bool:
    """Whether these are rows of tables, which are sooner read once more than brought together."""
    if isinstance(plan, Union):
        return all(map(_is_stored, plan.parts))
    if isinstance(plan, Project | Filter):
        exprs = [column.expr for column in plan.columns] if isinstance(plan, Project) else [plan.condition]
        return all(map(is_deterministic, exprs)) and _is_stored(plan.input)
    return isinstance(plan, Scan)


def _missing(slots: Slots, plan: Plan, replaced: Expr, overflows: Expr, fresh: Fresh) -> Slots:
    """An open phantom if a row that is not among the first could be."""
    names = fresh("l"), fresh("l")
    flags = Aggregate(
        plan, (), tuple(Named(n, call("bool_or", c)) for n, c in zip(names, (replaced, overflows), strict=True))
    )
    return anything(Filter(flags, holds(both(*map(ref, names)))), None, slots.columns)
