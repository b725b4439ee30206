"""Flags of a group's members, ORed together over the group as bits of one number."""

from __future__ import annotations

from sqlglot import exp

from trailbook.algebra.expressions import Expr, call, number, ref, when
from trailbook.algebra.plan import Named
from trailbook.caveats.bits import WORD, bit, pack
from trailbook.caveats.slots import Fresh


class GroupFlags:
    """Conditions over members, and what they say of the group: that some member has it."""

    def __init__(self, fresh: Fresh, may_be_empty: bool) -> None:
        self._fresh = fresh
        self._may_be_empty = may_be_empty
        self._flags: dict[Expr, bool] = {}
        self.words: list[str] = []

    def some(self, flag: Expr, when_clean: bool = False) -> Expr:
        """Whether some member has this flag, as a condition over the groups; `when_clean`: if nothing is in doubt."""
        if isinstance(flag, exp.Boolean):
            return flag
        if flag not in self._flags:
            if len(self._flags) % WORD == 0:
                self.words.append(self._fresh())
            self._flags[flag] = when_clean
        index = list(self._flags).index(flag)
        word: Expr = ref(self.words[index // WORD])
        if self._may_be_empty:
            word = call("coalesce", word, number(0))
        return bit(word, index % WORD)

    def aggregates(self, clean: Expr) -> tuple[Named, ...]:
        """The numbers; members that are `clean` don't have their flags looked at one by one."""
        flags = list(self._flags)
        found = []
        for position, word in enumerate(self.words):
            part = flags[position * WORD : (position + 1) * WORD]
            constant = sum(1 << index for index, flag in enumerate(part) if self._flags[flag])
            packed = pack(part) if len(part) == 1 else when((clean, number(constant)), otherwise=pack(part))
            found.append(Named(word, call("bit_or", packed)))
        return tuple(found)
