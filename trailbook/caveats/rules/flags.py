"""Flags of a group's members, ORed together over the group as bits of numbers."""

from __future__ import annotations

from sqlglot import exp

from trailbook.algebra.expressions import Expr, call, number, ref
from trailbook.algebra.plan import Named
from trailbook.caveats.bits import any_mark, bit, operands, pack, test, tested
from trailbook.caveats.slots import Fresh
from trailbook.store.masks import WORD


class GroupFlags:
    """Conditions over members, and what they say of the group: that some member has it.

    A test of mask bits is a test of the OR of the masks; other conditions get bits in numbers of their own.
    """

    def __init__(self, fresh: Fresh, may_be_empty: bool) -> None:
        self._fresh = fresh
        self._may_be_empty = may_be_empty
        self._masks: dict[Expr, str] = {}
        self._flags: list[Expr] = []
        self._words: list[str] = []

    @property
    def words(self) -> list[str]:
        """The columns that hold the flags."""
        return [*self._masks.values(), *self._words]

    def some(self, flag: Expr) -> Expr:
        """Whether some member has this flag, as a condition over the groups."""
        if isinstance(flag, exp.Boolean):
            return flag
        parts = operands([flag])
        if len(parts) > 1:
            return any_mark(*(self.some(part) for part in parts))
        mask = tested(flag)
        if mask:
            name = self._masks.setdefault(mask[0], self._masks.get(mask[0]) or self._fresh())
            return test(self._word(name), mask[1])
        if flag not in self._flags:
            if len(self._flags) % WORD == 0:
                self._words.append(self._fresh())
            self._flags.append(flag)
        index = self._flags.index(flag)
        return bit(self._word(self._words[index // WORD]), index % WORD)

    def aggregates(self) -> tuple[Named, ...]:
        """The numbers."""
        packed = [pack(self._flags[start : start + WORD]) for start in range(0, len(self._flags), WORD)]
        numbers = zip(self.words, [*self._masks, *packed], strict=True)
        return tuple(Named(name, call("bit_or", value)) for name, value in numbers)

    def _word(self, name: str) -> Expr:
        return call("coalesce", ref(name), number(0)) if self._may_be_empty else ref(name)
