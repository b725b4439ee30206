"""INTERSECT ALL and EXCEPT ALL: how often a row is there, is there in every world, and is there in some world."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sqlglot import exp

from trailbook.algebra.expressions import TRUE, Expr, both, call, is_false, negated, number, ref, when
from trailbook.algebra.plan import Aggregate, Filter, Join, JoinKind, Named, Plan, SetKind, Window
from trailbook.caveats.bits import any_mark
from trailbook.caveats.rules.rows import stack
from trailbook.caveats.slots import Fresh, Slots, kept_as_bits, project

MANY = 10**12
"""Rows that an open phantom stands for."""


def bag_operation(left: Slots, right: Slots, kind: SetKind, fresh: Fresh) -> Slots:
    """The left slots, as far as there are rows for them."""
    side = fresh("s")
    sides = [
        project(slots, [*(Named(name, ref(name)) for name in slots.columns), Named(side, number(index))], fresh)
        for index, slots in enumerate((left, right))
    ]
    counting = _Counting(left.columns, stack(sides, fresh), side, fresh)
    adrift, some = _seen_from_afar(left, right, counting, fresh)
    return kept_as_bits(counting.result(kind, adrift, some), fresh)


def _seen_from_afar(left: Slots, right: Slots, counting: _Counting, fresh: Fresh) -> tuple[Expr, Expr]:
    """How many right slots could be equal to anything, and whether there are right slots at all."""
    strays = right.any_mark(right.columns)
    if is_false(strays) and is_false(left.any_mark(left.columns)):
        return number(0), TRUE
    adrift, every = fresh("n"), fresh("n")
    found = Aggregate(
        right.plan,
        (),
        (Named(adrift, _sum_where(strays, _weight(right))), Named(every, call("count", exp.Star()))),
    )
    counting.beside(found)
    return call("coalesce", ref(adrift), number(0)), exp.GT(this=ref(every), expression=number(0))


class _Counting:
    """The slots of both sides, with counts of those that are equal.

    A slot with a mark is a stray: it could be equal to any other.
    """

    def __init__(self, names: Sequence[str], slots: Slots, side: str, fresh: Fresh) -> None:
        self.names, self.slots, self.fresh = tuple(names), slots, fresh
        self.ours = exp.EQ(this=ref(side), expression=number(0))
        self.theirs = exp.EQ(this=ref(side), expression=number(1))
        self.stray = slots.any_mark(self.names)
        self.columns: list[Expr] = [ref(name) for name in self.names]
        self.place = fresh("q")
        self.functions = [Named(self.place, self._places(side))]
        self.others: Plan | None = None

    def beside(self, others: Plan) -> None:
        """One row more to look at."""
        self.others = others

    def result(self, kind: SetKind, adrift: Expr, some: Expr) -> Slots:
        slots, settled = self.slots, negated(self.stray)
        firm = both(slots.sure, settled)
        there, must = self._count(self.ours, slots.present), self._count(self.ours, firm)
        their_there, their_must = self._count(self.theirs, slots.present), self._count(self.theirs, firm)
        may = self._count(self.ours, settled, negated(slots.open))
        their_may = exp.Add(this=self._count(self.theirs, settled, weight=_weight(slots)), expression=adrift)
        doubt: Expr = TRUE
        if kind is SetKind.EXCEPT:
            present, sure, possible = _less(there, their_there), _less(must, their_may), _less(may, their_must)
            doubt, some = any_mark(slots.doubt, some), TRUE
        else:
            present, sure, possible = _least(there, their_there), _least(must, their_must), _least(may, their_may)
        chosen = both(slots.present, self._within(present))
        needed = any_mark(chosen, slots.open, self._within(exp.Add(this=possible, expression=self._strays_there())))
        plan: Plan = Window(slots.plan, tuple(self.functions))
        plan = plan if self.others is None else Join(plan, self.others, JoinKind.INNER)
        return replace(
            slots,
            plan=Filter(plan, both(self.ours, when((self.stray, some), otherwise=needed))),
            columns=self.names,
            marks={name: mark for name, mark in slots.marks.items() if name in self.names},
            doubt=when((self.stray, doubt), otherwise=negated(self._within(sure))),
            present=chosen,
        )

    def _places(self, side: str) -> Expr:
        """The sure ones first, rows of the data before phantoms."""
        slots, settled = self.slots, negated(self.stray)
        rank = when(
            (both(slots.sure, settled), number(0)),
            (both(slots.present, settled), number(1)),
            (slots.present, number(2)),
            (both(settled, negated(slots.open)), number(3)),
            otherwise=number(4),
        )
        order = exp.Order(expressions=[exp.Ordered(this=rank)])
        return exp.Window(this=call("row_number"), partition_by=[*self.columns, ref(side)], order=order)

    def _within(self, count: Expr) -> Expr:
        return exp.LTE(this=ref(self.place), expression=count)

    def _strays_there(self) -> Expr:
        """They come before the phantoms that are no strays."""
        return self._count(self.ours, self.slots.present, self.stray)

    def _count(self, *conditions: Expr, weight: Expr | None = None) -> Expr:
        """How many of the equal ones are so."""
        if is_false(both(*conditions)):
            return number(0)
        name, total = self.fresh("n"), _sum_where(both(*conditions), weight or number(1))
        self.functions.append(Named(name, exp.Window(this=total, partition_by=self.columns)))
        return ref(name)


def _weight(slots: Slots) -> Expr:
    return when((slots.open, number(MANY)), otherwise=number(1))


def _sum_where(condition: Expr, weight: Expr) -> Expr:
    return call("sum", when((condition, weight), otherwise=number(0)))


def _less(one: Expr, other: Expr) -> Expr:
    return exp.Sub(this=one, expression=other)


def _least(one: Expr, other: Expr) -> Expr:
    return call("least", one, other)
