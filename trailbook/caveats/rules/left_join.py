"""The left join: each left row stays, with a right side in doubt unless its match is certain."""

from __future__ import annotations

from dataclasses import replace

from sqlglot import exp

from trailbook.algebra.expressions import (
    FALSE,
    NULL,
    TRUE,
    Expr,
    both,
    call,
    conjuncts,
    is_false,
    is_null,
    names_in,
    negated,
    number,
    ref,
    substitute,
    when,
)
from trailbook.algebra.plan import Join, JoinKind, Named, Plan, Project, Window
from trailbook.caveats.bits import any_mark
from trailbook.caveats.rules.conditions import in_columns
from trailbook.caveats.rules.match import find_match
from trailbook.caveats.rules.pairing import Pairing, with_copies, with_strays
from trailbook.caveats.rules.rows import holds, select, stack
from trailbook.caveats.slots import Fresh, Slots, carry, project


def left_join(left: Slots, right: Slots, condition: Expr | None, fresh: Fresh) -> Slots:
    """Each left row stays; without a certain match the right side is in doubt."""
    names = (*left.columns, *right.columns)
    joined = _joined(Pairing(*in_columns(left, right, condition or TRUE, fresh)), fresh)
    return joined if joined.columns == names else project(joined, [Named(name, ref(name)) for name in names], fresh)


def _joined(pairing: Pairing, fresh: Fresh) -> Slots:
    right = pairing.right
    if pairing.at_most_one(right) and is_false(right.any_mark(names_in(pairing.condition))):
        return _look_up(pairing, fresh)
    pairing = _without_conditions_on_the_right(pairing, fresh)
    if _right_keys(pairing) and is_false(pairing.doubtful_right) and is_false(pairing.right.open):
        return _match_all(pairing, fresh)
    left, missing = _could_match(pairing, fresh)
    pairing = replace(pairing, left=left)
    pieces = [_matched(pairing, missing, fresh)]
    if pairing.right.has_phantoms:
        pieces.append(_phantom_pairs(pairing))
    return with_strays(stack(pieces, fresh), pairing, fresh)


def _without_conditions_on_the_right(pairing: Pairing, fresh: Fresh) -> Pairing:
    """A condition on the right side alone selects there."""
    columns = set(pairing.right.columns)
    alone = [part for part in conjuncts(pairing.condition) if names_in(part) and names_in(part) <= columns]
    if not alone:
        return pairing
    rest = both(*(part for part in conjuncts(pairing.condition) if part not in alone))
    return replace(pairing, right=select(pairing.right, both(*alone), fresh), condition=rest)


def _matched(pairing: Pairing, missing: Expr, fresh: Fresh) -> Slots:
    """The rows of the left join; `missing` says whether a left row without a match could have one.

    Of a left row's matches one stands for the row itself: it is as sure as that, with a right side in doubt unless
    some match is certain. The others may be absent.
    """
    left, matched = pairing.left, fresh("r")
    right, first = _first_of_each_key(pairing, fresh)
    there = right.where(right.present)
    flagged = Project(there.plan, (*(Named(name, ref(name)) for name in there.plan.names), Named(matched, TRUE)))
    on = replace(pairing, right=replace(right, present=TRUE)).value
    unmatched = is_null(ref(matched))
    uncertain = any_mark(right.doubt, pairing.uncertain)
    lost = both(uncertain, first)
    absent = uncertain if first == TRUE else both(uncertain, negated(first))
    return replace(
        left,
        plan=Join(left.plan, flagged, JoinKind.LEFT, on),
        columns=pairing.names,
        marks=_marks(pairing, when((unmatched, missing), otherwise=lost)),
        doubt=any_mark(left.doubt, both(negated(unmatched), holds(absent))),
        keys=(),
    )


def _match_all(pairing: Pairing, fresh: Fresh) -> Slots:
    """A left join by certain keys of the right side: with its phantoms, too.

    Where a left row matches nothing but phantoms, the first of them stands for the row without a match. A second
    copy of a left row whose key is in doubt is an open phantom of what it could match.
    """
    left, matched = pairing.left, fresh("r")
    right, first = _first_of_each_key(pairing, fresh)
    flagged = Project(right.plan, (*(Named(name, ref(name)) for name in right.plan.names), Named(matched, TRUE)))
    copies, copy = with_copies(left, pairing.doubtful_left, fresh)
    stray = FALSE if is_false(pairing.doubtful_left) else exp.EQ(this=copy, expression=number(1))
    join = Join(copies, flagged, JoinKind.LEFT, both(replace(pairing, right=right).value, negated(stray)))
    unmatched = is_null(ref(matched))
    present = holds(right.present) if right.has_phantoms else TRUE
    stands_in = both(negated(unmatched), first, negated(present))
    uncertain = any_mark(right.doubt, pairing.uncertain)
    lost = holds(both(uncertain, first))
    adrift = when((stray, TRUE), (unmatched, pairing.doubtful_left), (stands_in, TRUE), otherwise=lost)
    slots = replace(
        left,
        plan=join,
        columns=pairing.names,
        marks=_marks(pairing, adrift),
        doubt=any_mark(left.doubt, both(negated(unmatched), present, holds(both(uncertain, negated(first))))),
        present=both(left.present, negated(stray), any_mark(unmatched, present, stands_in)),
        open=any_mark(stray, left.open),
        keys=(),
    )
    if not right.has_phantoms:
        return slots
    values = [Named(name, ref(name)) for name in left.columns]
    values += [Named(name, when((stands_in, NULL), otherwise=ref(name))) for name in right.columns]
    return carry(slots, values, fresh)


def _first_of_each_key(pairing: Pairing, fresh: Fresh) -> tuple[Slots, Expr]:
    """The right slots, and whether one is the first of its key: a certain one, if there is any, or else a row.

    Where that can't be told, every one is taken as if it were alone.
    """
    right, doubtful = pairing.right, pairing.doubtful_right
    keys = _right_keys(pairing)
    if keys is None or (right.is_certain and is_false(doubtful) and is_false(pairing.doubtful_left)):
        return right, TRUE
    place = fresh("q")
    firm = both(right.sure, negated(doubtful))
    rank = when((firm, number(0)), (right.present, number(1)), otherwise=number(2))
    order = exp.Order(expressions=[exp.Ordered(this=rank)])
    numbered = exp.Window(this=call("row_number"), partition_by=[ref(key) for key in keys], order=order)
    plan = Window(right.plan, (Named(place, numbered),))
    return replace(right, plan=plan), exp.EQ(this=ref(place), expression=number(1))


def _right_keys(pairing: Pairing) -> list[str] | None:
    """The right columns that the condition sets equal to something on the left, if it says nothing else."""
    keys = []
    for part in conjuncts(pairing.condition):
        sides = (part.this, part.expression) if isinstance(part, exp.EQ) else ()
        ours = [side for side in sides if isinstance(side, exp.Column) and side.name in pairing.right.columns]
        if len(ours) != 1 or len(names_in(part) & set(pairing.right.columns)) != 1:
            return None
        if not pairing.tells_apart(ours[0], next(side for side in sides if side is not ours[0])):
            return None
        keys.append(ours[0].name)
    return keys or None


def _look_up(pairing: Pairing, fresh: Fresh) -> Slots:
    """A left join to a unique and certain key: one row for each left row, in every world."""
    left, right = pairing.left, pairing.right
    matched = fresh("r")
    flagged: Plan = Project(right.plan, (*(Named(name, ref(name)) for name in right.plan.names), Named(matched, TRUE)))
    join = Join(left.plan, flagged, JoinKind.LEFT, pairing.value)
    unsure = both(negated(is_null(ref(matched))), holds(negated(right.sure)))
    adrift = any_mark(pairing.doubtful_left, FALSE if right.is_certain else unsure)
    slots = replace(left, plan=join, columns=pairing.names, marks=_marks(pairing, adrift))
    if not right.has_phantoms:
        return slots
    there = holds(right.present)
    values = [Named(name, ref(name)) for name in left.columns]
    values += [Named(name, exp.Case(ifs=[exp.If(this=there, true=ref(name))])) for name in right.columns]
    return carry(slots, values, fresh)


def _marks(pairing: Pairing, adrift: Expr) -> dict[str, Expr]:
    """The right side's marks are NULL where it has no row; `adrift` marks all of it."""
    marks = dict(pairing.left.marks)
    for name in pairing.right.columns:
        own = pairing.right.mark(name)
        mark = any_mark(adrift, own if isinstance(own, exp.Boolean) else call("coalesce", own, FALSE))
        if not is_false(mark):
            marks[name] = mark
    return marks


def _could_match(pairing: Pairing, fresh: Fresh) -> tuple[Slots, Expr]:
    """The left slots, and whether one that has no match could have one."""
    left, right, doubtful = pairing.left, pairing.right, pairing.doubtful_right
    wanted = any_mark(negated(right.present), doubtful)
    if is_false(wanted):
        return left, pairing.doubtful_left
    renamed, condition = _renamed(right.where(wanted), pairing.condition, fresh)
    match = find_match(left, renamed, condition, fresh)
    return match.slots, any_mark(match.can, match.slots.any_mark(names_in(pairing.condition)))


def _renamed(slots: Slots, condition: Expr, fresh: Fresh) -> tuple[Slots, Expr]:
    """The slots and a condition on them under other names, so that they can be joined once more."""
    names = {name: fresh("c") for name in slots.plan.names}
    refs: dict[str, Expr] = {name: ref(other) for name, other in names.items()}
    plan = Project(slots.plan, tuple(Named(other, ref(name)) for name, other in names.items()))
    renamed = replace(
        slots,
        plan=plan,
        columns=tuple(names[name] for name in slots.columns),
        marks={names[name]: substitute(mark, refs) for name, mark in slots.marks.items()},
        doubt=substitute(slots.doubt, refs),
        present=substitute(slots.present, refs),
        open=substitute(slots.open, refs),
        keys=(),
    )
    own: dict[str, Expr] = {name: refs[name] for name in slots.columns}
    return renamed, substitute(condition, own)


def _phantom_pairs(pairing: Pairing) -> Slots:
    """Pairs with phantoms of the right side."""
    left, right = pairing.left, pairing.right
    late = right.where(negated(right.present))
    return Slots(
        Join(left.plan, late.plan, JoinKind.INNER, pairing.value),
        pairing.names,
        {**left.marks, **late.marks},
        present=FALSE,
        open=any_mark(left.open, late.open),
    )
