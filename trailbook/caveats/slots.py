"""Slots: a plan whose rows are the slots of a marked dataset, with what is known of each.

A slot is a row of the data (sure, or in doubt) or a phantom: a row that may be there in some world. Data columns come
first in the plan; hidden columns, whose names start with two underscores, hold marks.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count

from sqlglot import exp

from trailbook.algebra.expressions import (
    FALSE,
    TRUE,
    Expr,
    both,
    is_false,
    is_true,
    names_in,
    negated,
    number,
    ref,
    rewrite,
    substitute,
    when,
)
from trailbook.algebra.plan import Filter, Named, Plan, Project, Union
from trailbook.algebra.types import may_raise
from trailbook.caveats.bits import any_mark, bit, outcome, pack
from trailbook.caveats.dependencies import Dependency, renamed
from trailbook.caveats.marks import Marker
from trailbook.model.artifacts import Column
from trailbook.store.masks import WORD

HIDDEN = "__"
LARGEST_MARK = 40
"""Nodes of a mark that is carried as an expression; a larger one is computed once and carried as a bit."""


class Fresh:
    """Names for hidden columns, each used once, and none of those that are `taken`."""

    def __init__(self, taken: Collection[str] = ()) -> None:
        self._numbers = count(1)
        self._taken = frozenset(name.lower() for name in taken)

    def __call__(self, stem: str = "m") -> str:
        names = (f"{HIDDEN}{stem}{number}" for number in self._numbers)
        return next(name for name in names if name not in self._taken)


@dataclass(frozen=True)
class Slots:
    """A plan of slots. The marks are conditions over its columns; those that are missing are false.

    `doubt`: whether a row of the data may be absent. `present`: whether the slot is a row of the data; a phantom
    otherwise. `open`: whether a phantom stands for any number of rows. `keys`: sets of columns without marks on which
    no two slots agree. `dependencies`: what other columns determine. `order`: how the rows are sorted, by columns of
    the plan.
    """

    plan: Plan
    columns: tuple[str, ...]
    marks: Mapping[str, Expr] = field(default_factory=dict)
    doubt: Expr = FALSE
    present: Expr = TRUE
    open: Expr = FALSE
    keys: tuple[frozenset[str], ...] = ()
    dependencies: tuple[Dependency, ...] = ()
    order: tuple[exp.Ordered, ...] = ()

    @property
    def marker(self) -> Marker:
        return Marker(self.marks, self.plan.schema)

    @property
    def sure(self) -> Expr:
        return both(self.present, negated(self.doubt))

    @property
    def is_certain(self) -> bool:
        """Whether the rows are the same in every world, as far as one can see."""
        return is_false(self.doubt) and is_true(self.present)

    @property
    def is_clean(self) -> bool:
        return self.is_certain and all(is_false(mark) for mark in self.marks.values())

    @property
    def has_phantoms(self) -> bool:
        return not is_true(self.present)

    @property
    def determined(self) -> tuple[Dependency, ...]:
        """The dependencies, with those that the keys are."""
        return (*self.dependencies, *(Dependency(key, frozenset(self.columns)) for key in self.keys))

    def mark(self, name: str) -> Expr:
        return self.marks.get(name, FALSE)

    def any_mark(self, names: Sequence[str] | frozenset[str]) -> Expr:
        return any_mark(*(self.mark(name) for name in self.columns if name in names))

    def where(self, condition: Expr) -> Slots:
        """Some of the slots."""
        return self if is_true(condition) else replace(self, plan=_filtered(self.plan, condition))


def _filtered(plan: Plan, condition: Expr) -> Plan:
    """A filter, and of a union only the parts that it does not leave out as a whole."""
    parts = plan.parts if isinstance(plan, Union) else (plan,)
    answers = [outcome(condition, _columns(part)) for part in parts]
    kept = [part for part, answer in zip(parts, answers, strict=True) if answer is not False]
    fewer = kept[0] if len(kept) == 1 else Union(tuple(kept) or parts)
    if not kept or _described(fewer) != _described(plan):
        return Filter(plan, condition)
    return fewer if all(answer is not None for answer in answers) else Filter(fewer, condition)


def _described(plan: Plan) -> list[tuple[str, str]]:
    return [(column.name, column.type) for column in plan.schema]


def _columns(plan: Plan) -> dict[str, Expr]:
    return {column.name: column.expr for column in plan.columns} if isinstance(plan, Project) else {}


def project(slots: Slots, columns: Sequence[Named], fresh: Fresh) -> Slots:
    """The slots with other columns; what would raise an error is not computed for phantoms."""
    marker = slots.marker
    values: list[Named] = []
    marks: dict[str, Expr] = {}
    for column in columns:
        value, mark = guarded(slots, marker.value(column.expr), marker.mark(column.expr))
        values.append(Named(column.name, value))
        if not is_false(mark):
            marks[column.name] = mark
    names = {c.expr.name: c.name for c in columns if isinstance(c.expr, exp.Column)}
    keys = tuple(frozenset(names[name] for name in key) for key in slots.keys if key <= names.keys())
    dependencies = renamed(slots.dependencies, names)
    return carry(replace(slots, marks=marks, keys=keys, dependencies=dependencies), values, fresh)


def guarded(slots: Slots, value: Expr, mark: Expr) -> tuple[Expr, Expr]:
    """A value that phantoms can't make raise; theirs is NULL, and marked."""
    if not slots.has_phantoms or not raises(value, slots.plan.schema):
        return value, mark
    doubtful = any_mark(mark, negated(slots.present))
    if raises(mark, slots.plan.schema):
        doubtful = when((slots.present, mark), otherwise=TRUE)
    return exp.Case(ifs=[exp.If(this=slots.present, true=value)]), doubtful


def raises(value: Expr, schema: Sequence[Column]) -> bool:
    """Whether some row could make this raise an error that the plain query does not raise anyway."""

    def known(node: Expr) -> Expr:
        return number(1) if isinstance(node, exp.Binary) and not names_in(node) else node

    return may_raise(value, schema) and may_raise(rewrite(value, known), schema)


def carry(slots: Slots, values: Sequence[Named], fresh: Fresh) -> Slots:
    """Project to `values`, with the marks carried along; they are conditions over the plan as it is now."""
    flags = [*slots.marks.values(), slots.doubt, slots.present, slots.open]
    hidden = {name for name in slots.plan.names if name.startswith(HIDDEN)}.difference(slots.columns)
    kept = [flag for flag in flags if names_in(flag) <= hidden and _size(flag) <= LARGEST_MARK]
    packed = list(dict.fromkeys(flag for flag in flags if flag not in kept))
    words = [(fresh(), packed[start : start + WORD]) for start in range(0, len(packed), WORD)]
    tests = {flag: bit(ref(name), index) for name, part in words for index, flag in enumerate(part)}
    if len(packed) == 1:
        tests = {packed[0]: ref(words[0][0])}
    carried = {name for flag in kept for name in names_in(flag)} - {value.name for value in values}
    columns = [*values, *(Named(name, ref(name)) for name in sorted(carried))]
    columns += [Named(name, pack(part) if len(packed) > 1 else part[0]) for name, part in words]
    order = tuple(_still_ordered(key, columns, fresh) for key in slots.order)
    return replace(
        slots,
        plan=Project(slots.plan, tuple(columns)),
        columns=tuple(value.name for value in values),
        marks={name: tests.get(mark, mark) for name, mark in slots.marks.items()},
        doubt=tests.get(slots.doubt, slots.doubt),
        present=tests.get(slots.present, slots.present),
        open=tests.get(slots.open, slots.open),
        order=order,
    )


def _still_ordered(key: exp.Ordered, columns: list[Named], fresh: Fresh) -> exp.Ordered:
    """The sort key over the projected columns, to which it is added where it is missing."""
    name = next((column.name for column in columns if column.expr == key.this), None)
    if name is None:
        name = fresh("o")
        columns.append(Named(name, key.this))
    return ordered_by(key, name)


def ordered_by(key: exp.Ordered, name: str) -> exp.Ordered:
    """The same direction for another column."""
    return exp.Ordered(this=ref(name), desc=key.args.get("desc"), nulls_first=key.args.get("nulls_first"))


def computed(slots: Slots, exprs: Sequence[Expr], fresh: Fresh) -> tuple[Slots, list[str]]:
    """The slots with these values among their columns, and the values' names."""
    names = [expr.name if isinstance(expr, exp.Column) else fresh("v") for expr in exprs]
    added = [Named(name, expr) for name, expr in zip(names, exprs, strict=True) if not isinstance(expr, exp.Column)]
    if not added:
        return slots, names
    return project(slots, [*(Named(name, ref(name)) for name in slots.columns), *added], fresh), names


def settle(slots: Slots, fresh: Fresh) -> Slots:
    """Compute marks that have grown large, once and here."""
    flags = [*slots.marks.values(), slots.doubt, slots.present, slots.open]
    if all(_size(flag) <= LARGEST_MARK for flag in flags):
        return slots
    return kept_as_bits(slots, fresh)


def kept_as_bits(slots: Slots, fresh: Fresh) -> Slots:
    """The slots with marks that rest on their data computed."""
    return carry(slots, [Named(name, ref(name)) for name in slots.columns], fresh)


def again(slots: Slots, fresh: Fresh) -> Slots:
    """The same slots for another use: its hidden columns must not meet their doubles."""
    names = {name: ref(fresh()) for name in slots.plan.names if name not in slots.columns}
    hidden = (Named(new.name, ref(old)) for old, new in names.items())
    return replace(
        slots,
        plan=Project(slots.plan, (*(Named(name, ref(name)) for name in slots.columns), *hidden)),
        marks={name: substitute(mark, names) for name, mark in slots.marks.items()},
        doubt=substitute(slots.doubt, names),
        present=substitute(slots.present, names),
        open=substitute(slots.open, names),
        order=tuple(ordered_by(key, names.get(key.this.name, key.this).name) for key in slots.order),
    )


def _size(expr: Expr) -> int:
    return sum(1 for _ in expr.walk())
