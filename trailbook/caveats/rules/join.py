"""The inner join."""

from __future__ import annotations

from dataclasses import replace

from sqlglot import exp

from trailbook.algebra.expressions import (
    FALSE,
    TRUE,
    Expr,
    both,
    conjuncts,
    either,
    is_false,
    number,
    ref,
    when,
)
from trailbook.algebra.plan import Filter, Join, JoinKind, Named
from trailbook.caveats.bits import any_mark
from trailbook.caveats.dependencies import Dependency, closed
from trailbook.caveats.rules.conditions import is_harmless
from trailbook.caveats.rules.pairing import Pairing, with_copies
from trailbook.caveats.rules.rows import select
from trailbook.caveats.slots import Fresh, Slots, carry


def inner(left: Slots, right: Slots, condition: Expr | None, fresh: Fresh) -> Slots:
    """Pairs that match; a row with a doubtful key could also match any other.

    What is more than an equality of columns selects among the pairs.
    """
    parts = conjuncts(condition)
    keys = [part for part in parts if _is_key(part, left, right)]
    rest = [part for part in parts if part not in keys]
    pairs = _pairs(left, right, both(*keys) if keys else None, fresh)
    return select(pairs, both(*rest), fresh) if rest else pairs


def _is_key(part: Expr, left: Slots, right: Slots) -> bool:
    if not isinstance(part, exp.EQ | exp.NullSafeEQ):
        return False
    if not isinstance(part.this, exp.Column) or not isinstance(part.expression, exp.Column):
        return False
    return (part.this.name in left.columns) != (part.expression.name in left.columns) and is_harmless(part, left, right)


def _pairs(left: Slots, right: Slots, condition: Expr | None, fresh: Fresh) -> Slots:
    pairing = Pairing(left, right, condition or TRUE)
    right_once, left_once = pairing.at_most_one(right), pairing.at_most_one(left)
    pairs = Slots(
        Join(left.plan, right.plan, JoinKind.INNER, pairing.value if condition else None),
        pairing.names,
        {**left.marks, **right.marks},
        doubt=any_mark(left.doubt, right.doubt, pairing.uncertain),
        present=both(left.present, right.present),
        open=any_mark(left.open, right.open),
        keys=(*(left.keys if right_once else ()), *(right.keys if left_once else ())),
        dependencies=closed((*left.determined, *right.determined, *_equal(pairing))),
    )
    if is_false(pairing.doubtful_left) and is_false(pairing.doubtful_right):
        return pairs
    return _pairs_and_strays(pairs, pairing, fresh)


def _equal(pairing: Pairing) -> list[Dependency]:
    """Columns that are equal determine each other."""
    sides = [(part.this, part.expression) for part in conjuncts(pairing.condition)]
    return [
        Dependency(frozenset({one.name}), frozenset({other.name}))
        for pair in sides
        for one, other in (pair, pair[::-1])
        if pairing.tells_apart(other, one)
    ]


def _pairs_and_strays(pairs: Slots, pairing: Pairing, fresh: Fresh) -> Slots:
    """The pairs, and an open phantom for each slot whose key is in doubt: a second copy of it that matches nothing.

    An outer join keeps the copies, so that neither side is computed twice.
    """
    left, ours = with_copies(pairing.left, pairing.doubtful_left, fresh)
    right, theirs = with_copies(pairing.right, pairing.doubtful_right, fresh)
    first = [exp.NullSafeEQ(this=copy, expression=number(0)) for copy in (ours, theirs)]
    stray_left, stray_right = (exp.NullSafeEQ(this=copy, expression=number(1)) for copy in (ours, theirs))
    stray = either(stray_left, stray_right)
    join = Join(left, right, JoinKind.FULL, both(pairing.value, *first))
    marks = {name: when((stray_right, TRUE), otherwise=pairing.left.mark(name)) for name in pairing.left.columns}
    marks |= {name: when((stray_left, TRUE), otherwise=pairing.right.mark(name)) for name in pairing.right.columns}
    slots = replace(
        pairs,
        plan=Filter(join, either(both(*first), stray)),
        marks=marks,
        doubt=when((stray, FALSE), otherwise=pairs.doubt),
        present=when((stray, FALSE), otherwise=pairs.present),
        open=when((stray, TRUE), otherwise=pairs.open),
        keys=(),
        dependencies=(),
    )
    return carry(slots, [Named(name, ref(name)) for name in slots.columns], fresh)
