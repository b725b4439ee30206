"""Whether a row has a match: in the data, in every world, in some world. EXISTS, IN and their negations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

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
)
from trailbook.algebra.plan import Aggregate, Existence, Filter, Join, JoinKind, Named, Plan, Project
from trailbook.algebra.types import keeps_apart, type_of
from trailbook.caveats.bits import any_mark, bit, pack
from trailbook.caveats.marks import Marker
from trailbook.caveats.rules.conditions import in_columns, is_harmless
from trailbook.caveats.rules.rows import select
from trailbook.caveats.slots import Fresh, Slots, carry, computed, settle


@dataclass(frozen=True)
class Match:
    """The left slots, with conditions over them: a match is in the data, in every world, in some world."""

    slots: Slots
    base: Expr
    must: Expr
    can: Expr


def exists(left: Slots, right: Slots, condition: Expr | None, fresh: Fresh, kind: JoinKind) -> Slots:
    """Semi and anti join."""
    if settled(left, right, condition):
        value = left_and_right(left, right).value(condition) if condition else None
        return replace(left, plan=Join(left.plan, right.plan, kind, value))
    match = find_match(left, right, condition, fresh)
    base, must, can = match.base, match.must, match.can
    if kind is JoinKind.ANTI:
        base, must, can = negated(base), negated(can), negated(must)
    slots = match.slots
    kept = replace(
        slots,
        plan=Filter(slots.plan, can) if can != TRUE else slots.plan,
        present=both(slots.present, base),
        doubt=any_mark(slots.doubt, negated(must)),
    )
    return settle(kept, fresh)


def existence(left: Slots, right: Slots, condition: Expr | None, name: str, fresh: Fresh) -> Slots:
    """EXISTS as a value."""
    if settled(left, right, condition):
        value = left_and_right(left, right).value(condition) if condition else None
        plan = Existence(left.plan, right.plan, value, name)
        return replace(left, plan=plan, columns=(*left.columns, name))
    match = find_match(left, right, condition, fresh)
    slots = match.slots
    marks = {**slots.marks, name: both(match.can, negated(match.must))}
    values = [*(Named(column, ref(column)) for column in slots.columns), Named(name, match.base)]
    return carry(replace(slots, marks=marks), values, fresh)


def settled(left: Slots, right: Slots, condition: Expr | None) -> bool:
    """Whether matches are the same in every world."""
    if not right.is_certain or condition is None:
        return right.is_certain
    return is_false(left_and_right(left, right).mark(condition)) and is_harmless(condition, left, right)


def left_and_right(left: Slots, right: Slots) -> Marker:
    return Marker({**left.marks, **right.marks}, (*left.plan.schema, *right.plan.schema))


def find_match(left: Slots, right: Slots, condition: Expr | None, fresh: Fresh) -> Match:
    """How the left slots match right ones."""
    columns = left.columns
    left, right, safe = in_columns(left, right, condition or TRUE, fresh)
    match = _find(left, right, conjuncts(safe), fresh)
    return replace(match, slots=replace(match.slots, columns=columns))


def _find(left: Slots, right: Slots, parts: list[Expr], fresh: Fresh) -> Match:
    of_right = [part for part in parts if names_in(part) and names_in(part) <= set(right.columns)]
    if of_right:
        right = select(right, both(*of_right), fresh)
        parts = [part for part in parts if part not in of_right]
    pair = _not_in(parts)
    if pair:
        return _find_not_false(left, right, *pair, fresh)
    keys = [_equality(part, left, right) for part in parts]
    if all(keys):
        return _find_by_keys(left, right, [key for key in keys if key], fresh)
    return _find_by_condition(left, right, both(*parts), fresh)


@dataclass(frozen=True)
class _Key:
    """An equality of something on the left and something on the right; a condition on the left has no right."""

    left: Expr
    right: Expr | None
    operator: type[Expr]


def _equality(part: Expr, left: Slots, right: Slots) -> _Key | None:
    if names_in(part) <= set(left.columns):
        return _Key(part, None, type(part))
    if not isinstance(part, exp.EQ | exp.NullSafeEQ):
        return None
    for ours, theirs in ((part.this, part.expression), (part.expression, part.this)):
        if names_in(ours) <= set(left.columns) and names_in(theirs) <= set(right.columns):
            # A key of which several match one row finds nothing: those rows would be there more than once.
            kinds = type_of(theirs, right.plan.schema)[0], type_of(ours, left.plan.schema)[0]
            return _Key(ours, theirs, type(part)) if keeps_apart(*kinds) else None
    return None


def _find_by_keys(left: Slots, right: Slots, keys: Sequence[_Key], fresh: Fresh) -> Match:
    """One flag word for each key of the right side."""
    columns = left.columns
    left, ours = computed(left, [key.left for key in keys], fresh)
    right, theirs = computed(right, [key.right for key in keys if key.right is not None], fresh)
    doubtful_left, doubtful_right = left.any_mark(ours), right.any_mark(theirs)
    flags = pack([both(right.sure, negated(doubtful_right)), right.present])
    word = fresh()
    found_by = tuple(Named(fresh("k"), ref(name)) for name in theirs)
    flagged: Plan
    if any(key <= set(theirs) for key in right.keys):
        flagged = Project(right.plan, (*found_by, Named(word, flags)))
    else:
        flagged = Aggregate(right.plan, found_by, (Named(word, call("bit_or", flags)),))
    names = iter(flagged.names)
    condition = both(
        *(
            ref(ours_) if key.right is None else key.operator(this=ref(ours_), expression=ref(next(names)))
            for key, ours_ in zip(keys, ours, strict=True)
        )
    )
    kind, on = (JoinKind.INNER, None) if condition == TRUE else (JoinKind.LEFT, condition)
    joined = replace(left, plan=Join(left.plan, flagged, kind, on), columns=columns)
    joined, astray = _astray(joined, right, doubtful_left, doubtful_right, fresh)
    found = call("coalesce", ref(word), number(0))
    must = both(bit(found, 0), negated(doubtful_left))
    can = any_mark(negated(is_null(ref(word))), astray)
    return Match(joined, bit(found, 1), must, can)


def _find_by_condition(left: Slots, right: Slots, condition: Expr, fresh: Fresh) -> Match:
    """The certain part of the right side, and two looks at the doubtful part."""
    marker = left_and_right(left, right)
    value = marker.value(condition)
    doubtful_left = left.any_mark(names_in(condition))
    doubtful_right = right.any_mark(names_in(condition))
    certain = both(right.sure, negated(doubtful_right))
    slots, must = _look(left, right.where(certain), value, fresh)
    doubtful = right.where(negated(certain))
    slots, seen = _look(slots, doubtful.where(right.present), value, fresh)
    slots, possible = _look(slots, doubtful, value, fresh)
    slots, astray = _astray(slots, right, doubtful_left, doubtful_right, fresh)
    base = any_mark(must, seen)
    return Match(slots, base, both(must, negated(doubtful_left)), any_mark(must, possible, astray))


def _look(left: Slots, right: Slots, condition: Expr, fresh: Fresh) -> tuple[Slots, Expr]:
    """A column that says whether there is a match among these."""
    wanted = [name for name in right.plan.names if name in names_in(condition)]
    names = {name: fresh("r") for name in wanted}
    columns = tuple(Named(names[name], ref(name)) for name in wanted) or (Named(fresh("r"), NULL),)
    renamed = substitute(condition, {name: ref(other) for name, other in names.items()})
    flag = fresh("e")
    plan = Existence(left.plan, Project(right.plan, columns), renamed if renamed != TRUE else None, flag)
    return replace(left, plan=plan), ref(flag)


def _astray(left: Slots, right: Slots, ours: Expr, theirs: Expr, fresh: Fresh) -> tuple[Slots, Expr]:
    """Whether a doubtful key, the left slot's or one on the right, could make a match."""
    if is_false(ours) and is_false(theirs):
        return left, FALSE
    word = fresh("s")
    flags = Aggregate(right.plan, (), (Named(word, call("bit_or", pack([TRUE, theirs]))),))
    found = call("coalesce", ref(word), number(0))
    stray = FALSE if is_false(theirs) else bit(found, 1)
    joined = replace(left, plan=Join(left.plan, flags, JoinKind.INNER))
    return joined, any_mark(stray, both(ours, bit(found, 0)))


def _not_in(parts: Sequence[Expr]) -> tuple[Expr, Expr] | None:
    """The x and y of `(x = y) OR (x = y) IS NULL`."""
    if len(parts) != 1 or not isinstance(parts[0], exp.Or):
        return None
    equal, null = parts[0].this, parts[0].expression
    if isinstance(equal, exp.EQ) and null == is_null(equal):
        return equal.this, equal.expression
    return None


def _find_not_false(left: Slots, right: Slots, one: Expr, other: Expr, fresh: Fresh) -> Match:
    """NOT IN: an equal value, a NULL among the values, or any value at all when looked for with NULL."""
    x, y = (one, other) if names_in(one) <= set(left.columns) else (other, one)
    condition = exp.EQ(this=x, expression=y)
    key = _equality(condition, left, right)
    if key is None or key.right is None:
        return _find_by_condition(left, right, exp.Or(this=condition, expression=is_null(condition)), fresh)
    equal = _find_by_keys(left, right, [key], fresh)
    slots, base, must, can = equal.slots, [equal.base], [equal.must], [equal.can]
    if type_of(y, right.plan.schema)[1] or not is_false(right.marker.mark(y)):
        null = _find_by_keys(slots, select(right, is_null(y), fresh), [], fresh)
        slots, base, must, can = null.slots, [*base, null.base], [*must, null.must], [*can, null.can]
    mark = left.marker.mark(x)
    if type_of(x, left.plan.schema)[1] or not is_false(mark):
        some = _find_by_keys(slots, right, [], fresh)
        missing = is_null(left.marker.value(x))
        slots = some.slots
        base.append(both(missing, some.base))
        must.append(both(missing, negated(mark), some.must))
        can.append(both(any_mark(mark, missing), some.can))
    return Match(slots, any_mark(*base), any_mark(*must), any_mark(*can))
