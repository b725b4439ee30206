"""Operators that look at one row at a time: filter, generate; and putting slots together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sqlglot import exp

from trailbook.algebra.determinism import is_deterministic
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
    is_true,
    negated,
    ref,
    when,
)
from trailbook.algebra.forms import MATCHES
from trailbook.algebra.plan import Filter, Generate, Named, Plan, Project, Union, Values
from trailbook.caveats.bits import any_mark, bit, pack
from trailbook.caveats.marks import Marker
from trailbook.caveats.slots import Fresh, Slots, computed, guarded, kept_as_bits, raises, settle
from trailbook.store.masks import WORD

_COMPARISONS = (exp.EQ, exp.NEQ, exp.LT, exp.LTE, exp.GT, exp.GTE)


def select(slots: Slots, condition: Expr, fresh: Fresh) -> Slots:
    """WHERE: a doubtful truth puts the row in doubt, a doubtful falsehood leaves a phantom."""
    slots, parts = _decided_once(slots, conjuncts(condition), fresh)
    marker = slots.marker
    kept: list[Expr] = []
    present, doubt = slots.present, slots.doubt
    for part in parts:
        value = marker.value(part)
        known, mark = _known_and_mark(marker, part)
        # What could raise an error is asked only where the plain query would look at it, too.
        asked = present if raises(value, slots.plan.schema) else TRUE
        possible = any_mark(mark, value) if known else marker.possibly(part)
        kept += [when((asked, possible), otherwise=TRUE), *known]
        if not is_false(mark):
            certain = negated(mark) if known else marker.certainly(part)
            true = marker.holds(when((asked, value), otherwise=FALSE))
            if _is_costly(value) and is_true(asked) and possible == any_mark(mark, value):
                # Without a mark it was true, or the slot would be gone: there it need not be computed again.
                true = any_mark(negated(mark), true)
            present = both(present, true)
            doubt = any_mark(doubt, when((asked, negated(certain)), otherwise=FALSE))
    plan = Filter(slots.plan, both(*kept)) if both(*kept) != TRUE else slots.plan
    chosen = replace(slots, plan=plan, present=present, doubt=doubt)
    # Decided here, so that what the condition looked at need not go along through joins and shuffles.
    return settle(chosen, fresh) if present == slots.present else kept_as_bits(chosen, fresh)


def _is_costly(condition: Expr) -> bool:
    """Whether it is more than comparing: it looks into texts, or calls functions."""
    return condition.find(*MATCHES, exp.Anonymous) is not None


def _known_and_mark(marker: Marker, part: Expr) -> tuple[list[Expr], Expr]:
    """Conditions that no side of a comparison is NULL for certain, and the mark of one of which that is so.

    Where Spark reads that, an outer join below is an inner one; and the mark is simpler than otherwise.
    """
    sides = (part.this, part.expression) if isinstance(part, _COMPARISONS) else ()
    nullable = [side for side in sides if marker.nullable(side)]
    marks = [marker.mark(side) for side in sides]
    if not nullable or is_false(any_mark(*marks)) or not all(isinstance(side, exp.Column) for side in nullable):
        return [], marker.mark(part)
    return [any_mark(marker.mark(side), negated(is_null(side))) for side in nullable], any_mark(*marks)


def _decided_once(slots: Slots, parts: Sequence[Expr], fresh: Fresh) -> tuple[Slots, list[Expr]]:
    """Whether a row passes is asked in several places; what could answer differently each time becomes a column."""
    asked = [part for part in parts if not is_deterministic(part)]
    wider, names = computed(slots, asked, fresh)
    decided = dict(zip(asked, map(ref, names), strict=True))
    return replace(wider, columns=slots.columns), [decided.get(part, part) for part in parts]


def holds(condition: Expr) -> Expr:
    """The condition with NULL as false."""
    return condition if isinstance(condition, exp.Boolean | exp.Is) else call("coalesce", condition, FALSE)


def stack(pieces: Sequence[Slots], fresh: Fresh) -> Slots:
    """All slots of all pieces: columns by position, names as in the first."""
    if len(pieces) == 1:
        return pieces[0]
    names = pieces[0].columns
    flags = [
        [*(piece.mark(name) for name in piece.columns), piece.doubt, piece.present, piece.open] for piece in pieces
    ]
    shared: dict[int, Expr] = {}
    packed: list[int] = []
    for index, column in enumerate(zip(*flags, strict=True)):
        if isinstance(column[0], exp.Boolean) and len(set(column)) == 1:
            shared[index] = column[0]
        else:
            packed.append(index)
    words = [(fresh(), packed[start : start + WORD]) for start in range(0, len(packed), WORD)]
    for word, indexes in words:
        shared |= {index: bit(ref(word), position) for position, index in enumerate(indexes)}
    parts = [
        Project(
            piece.plan,
            (
                *(Named(name, ref(own)) for name, own in zip(names, piece.columns, strict=True)),
                *(Named(word, pack([marks[index] for index in indexes])) for word, indexes in words),
            ),
        )
        for piece, marks in zip(pieces, flags, strict=True)
    ]
    width = len(names)
    return Slots(
        Union(tuple(parts)),
        names,
        {name: shared[index] for index, name in enumerate(names) if not is_false(shared[index])},
        doubt=shared[width],
        present=shared[width + 1],
        open=shared[width + 2],
    )


def anything(plan: Plan, known: Slots | None, names: Sequence[str]) -> Slots:
    """An open phantom for each row of `plan`: what is `known` of it, and nothing of the other columns."""
    columns = set(known.columns) if known else set()
    values = tuple(Named(name, ref(name) if name in columns else NULL) for name in names)
    hidden = [name for name in plan.names if name not in columns]
    carried = tuple(Named(name, ref(name)) for name in hidden if known and name not in names)
    marks = {name: known.mark(name) if known and name in columns else TRUE for name in names}
    return Slots(Project(plan, (*values, *carried)), tuple(names), marks, doubt=FALSE, present=FALSE, open=TRUE)


def generate(slots: Slots, operator: Generate, fresh: Fresh) -> Slots:
    """LATERAL VIEW: from a doubtful array anything can come."""
    marker = slots.marker
    generator, mark = marker.value(operator.generator), marker.mark(operator.generator)
    if slots.has_phantoms and raises(generator, slots.plan.schema):
        arguments = [guarded(slots, argument, mark) for argument in generator.expressions]
        generator = call(generator.name, *(value for value, _ in arguments))
        mark = any_mark(*(mark for _, mark in arguments))
    made = Generate(slots.plan, generator, operator.columns, operator.outer)
    names = (*slots.columns, *operator.columns)
    values = tuple(Named(name, ref(name)) for name in names)
    hidden = tuple(Named(name, ref(name)) for name in slots.plan.names if name not in slots.columns)
    result = replace(
        slots,
        plan=Project(made, (*values, *hidden)),
        columns=names,
        marks={**slots.marks, **dict.fromkeys(operator.columns, mark)},
        doubt=any_mark(slots.doubt, mark),
        keys=(),
    )
    if is_false(mark):
        return result
    doubtful = slots.where(mark)
    return stack([result, anything(doubtful.plan, doubtful, names)], fresh)


def opaque(operator: Plan, fresh: Fresh) -> Slots:
    """What can't be seen through: everything in doubt, and anything may be missing."""
    marks = dict.fromkeys(operator.names, TRUE)
    rows = Slots(operator, operator.names, marks, doubt=TRUE)
    nothing = Values(((NULL,),), (operator.schema[0].model_copy(update={"name": fresh("x")}),))
    return stack([rows, anything(nothing, None, operator.names)], fresh)
