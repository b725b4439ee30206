"""What the rules of joins share: a condition between two sides, and slots that could match anything."""

from __future__ import annotations

from dataclasses import dataclass

from sqlglot import exp

from trailbook.algebra.expressions import (
    Expr,
    call,
    conjuncts,
    is_false,
    names_in,
    negated,
    number,
    ref,
    when,
)
from trailbook.algebra.plan import Generate, Named, Plan, Project
from trailbook.algebra.types import keeps_apart, type_of
from trailbook.caveats.rules.match import left_and_right
from trailbook.caveats.rules.rows import anything, stack
from trailbook.caveats.slots import Fresh, Slots


@dataclass(frozen=True)
class Pairing:
    """A join condition between two sides."""

    left: Slots
    right: Slots
    condition: Expr

    @property
    def names(self) -> tuple[str, ...]:
        return (*self.left.columns, *self.right.columns)

    @property
    def doubtful_left(self) -> Expr:
        """Whether the left slot could match other rows than it does."""
        return self.left.any_mark(names_in(self.condition))

    @property
    def doubtful_right(self) -> Expr:
        return self.right.any_mark(names_in(self.condition))

    @property
    def value(self) -> Expr:
        """The condition as it runs."""
        return left_and_right(self.left, self.right).value(self.condition)

    @property
    def uncertain(self) -> Expr:
        """Whether a pair that matches may not do so."""
        return negated(left_and_right(self.left, self.right).certainly(self.condition))

    def tells_apart(self, ours: Expr, theirs: Expr) -> bool:
        """Whether values of `ours` that differ are never equal to the same value of `theirs`."""
        schema = (*self.left.plan.schema, *self.right.plan.schema)
        return keeps_apart(type_of(ours, schema)[0], type_of(theirs, schema)[0])

    def at_most_one(self, side: Slots) -> bool:
        """Whether no two slots of this side match the same slot of the other, by keys without marks."""
        return any(key <= self._equated(side) for key in side.keys)

    def _equated(self, side: Slots) -> set[str]:
        """The columns of this side that the condition sets equal to something on the other."""
        columns = set(side.columns)
        return {
            ours.name
            for part in conjuncts(self.condition)
            if isinstance(part, exp.EQ)
            for ours, theirs in ((part.this, part.expression), (part.expression, part.this))
            if isinstance(ours, exp.Column) and ours.name in columns and not names_in(theirs) & columns
            if self.tells_apart(ours, theirs)
        }


def with_copies(slots: Slots, doubtful: Expr, fresh: Fresh) -> tuple[Plan, Expr]:
    """A second copy of each doubtful slot, and the column that numbers the copies."""
    name = fresh("i")
    if is_false(doubtful):
        columns = tuple(Named(column, ref(column)) for column in slots.plan.names)
        return Project(slots.plan, (*columns, Named(name, number(0)))), ref(name)
    copies = when((doubtful, call("array", number(0), number(1))), otherwise=call("array", number(0)))
    return Generate(slots.plan, call("explode", copies), (name,)), ref(name)


def with_strays(pairs: Slots, pairing: Pairing, fresh: Fresh) -> Slots:
    """One open phantom for each slot whose key is in doubt."""
    pieces = [pairs]
    for side, doubtful in ((pairing.left, pairing.doubtful_left), (pairing.right, pairing.doubtful_right)):
        if not is_false(doubtful):
            strays = side.where(doubtful)
            pieces.append(anything(strays.plan, strays, pairing.names))
    return stack(pieces, fresh)
