"""Join conditions whose doubts all lie in columns of the two sides, and which no phantom can make raise an error."""

from __future__ import annotations

from dataclasses import replace

from sqlglot import exp

from trailbook.algebra.expressions import FALSE, TRUE, Expr, both, conjuncts, is_false, names_in, negated, ref, when
from trailbook.algebra.plan import Named
from trailbook.caveats.marks import Marker
from trailbook.caveats.slots import Fresh, Slots, carry, computed, raises


def in_columns(left: Slots, right: Slots, condition: Expr, fresh: Fresh) -> tuple[Slots, Slots, Expr]:
    """The sides with more columns, and the condition over those."""
    parts: list[Expr] = []
    for part in conjuncts(condition):
        if is_harmless(part, left, right):
            parts.append(part)
            continue
        if names_in(part) <= set(left.columns):
            left, (name,) = computed(left, [part], fresh)
            parts.append(ref(name))
        elif names_in(part) <= set(right.columns):
            right, (name,) = computed(right, [part], fresh)
            parts.append(ref(name))
        else:
            left, right, safe = _across(left, right, part, fresh)
            parts.append(safe)
    return left, right, both(*parts)


def is_harmless(condition: Expr, left: Slots, right: Slots) -> bool:
    """Whether no doubt is raised in the condition, and no error where only phantoms meet it."""
    schema = (*left.plan.schema, *right.plan.schema)
    if not is_false(Marker({}, schema).mark(condition)):
        return False
    return not (left.has_phantoms or right.has_phantoms) or not raises(condition, schema)


def _across(left: Slots, right: Slots, part: Expr, fresh: Fresh) -> tuple[Slots, Slots, Expr]:
    sides = _sides(part, left, right)
    if sides:
        left, (ours,) = computed(left, [sides[0]], fresh)
        right, (theirs,) = computed(right, [sides[1]], fresh)
        part = type(part)(this=ref(ours), expression=ref(theirs))
        if is_harmless(part, left, right):
            return left, right, part
    own = not is_false(Marker({}, (*left.plan.schema, *right.plan.schema)).mark(part))
    left, ours = _asked(left, TRUE if own else negated(left.present), fresh)
    right, theirs = _asked(right, negated(right.present), fresh)
    return left, right, when((both(ref(ours), ref(theirs)), part), otherwise=FALSE)


def _sides(part: Expr, left: Slots, right: Slots) -> tuple[Expr, Expr] | None:
    """What of the left and what of the right are set equal."""
    if isinstance(part, exp.EQ | exp.NullSafeEQ):
        for ours, theirs in ((part.this, part.expression), (part.expression, part.this)):
            if names_in(ours) <= set(left.columns) and names_in(theirs) <= set(right.columns):
                return ours, theirs
    return None


def _asked(slots: Slots, doubt: Expr, fresh: Fresh) -> tuple[Slots, str]:
    """The slots with a column that says which are asked about a condition: the rows of the data."""
    name = fresh("p")
    columns = [*(Named(column, ref(column)) for column in slots.columns), Named(name, slots.present)]
    return carry(replace(slots, marks={**slots.marks, name: doubt}), columns, fresh), name
