"""What a walk through code notes down."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from trailbook.kernels.forecast.effects import NONE, Carry, Names, OnCall, Source
from trailbook.kernels.forecast.known import BUILTINS

RESULT = "return"
"""In place of a name, what a function returns."""

MANY = 500
"""Where more names than this are certainly bound, it is not noted which: that would take memory without bounds."""


@dataclass
class State:
    """What is certain at a point of the code."""

    bound: set[str] = field(default_factory=set)
    reachable: bool = True

    def copy(self) -> State:
        return State(set(self.bound), self.reachable)

    def without(self, names: set[str]) -> State:
        # The name of a class's own variable comes after its place.
        return State({key for key in self.bound if key.rpartition(".")[2] not in names}, self.reachable)


def join(states: Iterable[State]) -> State:
    """What is certain where any of the states may have led."""
    reachable = [state.bound for state in states if state.reachable]
    return State(set.intersection(*reachable)) if reachable else State(reachable=False)


@dataclass
class Record:
    """What a statement, or a function when called, does by itself."""

    reads: dict[str, Names] = field(default_factory=dict)
    """Names looked up where they were not certainly bound, with what was."""
    runs: dict[str, Names] = field(default_factory=dict)
    """Names whose functions may run, with what was certainly bound then. Any look-up of a function may run it."""
    writes: set[str] = field(default_factory=set)
    deletes: set[str] = field(default_factory=set)
    mutates: set[str] = field(default_factory=set)
    touches: set[str] = field(default_factory=set)
    reads_anything: bool = False
    writes_anything: bool = False
    hands_on: bool = False
    inner_carries: set[Carry] = field(default_factory=set)
    """What the names of a function, its own and global ones, may hold of one another."""
    inner_code: set[str] = field(default_factory=set)
    """Names that may hold functions defined inside."""
    inner_classes: set[str] = field(default_factory=set)
    outlets: set[str] = field(default_factory=lambda: {RESULT})
    """The result, and the global names that the function assigns."""

    def look_up(self, name: str, bound: set[str]) -> None:
        self.run(name, bound)
        if name not in bound:
            narrow(self.reads, name, bound)

    def run(self, name: str, bound: set[str]) -> None:
        narrow(self.runs, name, bound)

    def on_call(self) -> OnCall:
        return OnCall(
            reads=frozenset(self.reads.keys() - BUILTINS),
            builtins_read=frozenset(self.reads.keys() & BUILTINS),
            writes=frozenset(self.writes),
            deletes=frozenset(self.deletes),
            mutates=frozenset(self.mutates),
            touches=frozenset(self.touches - self.mutates),
            reads_anything=self.reads_anything,
            writes_anything=self.writes_anything,
            hands_on=self.hands_on or self._lets_out_inner_code(),
            returns=frozenset(self._let_out()),
        )

    def _let_out(self) -> set[Source]:
        """Where all that leaves the function may come from."""
        sources = defaultdict(set)
        for target, source in self.inner_carries:
            sources[target].add(source)
        found: set[Source] = set()
        left = list(self.outlets)
        while left:
            fresh = sources[left.pop()] - found
            found |= fresh
            # What calls of inner functions return is among the results already.
            left += [source.name for source in fresh if not source.called]
        return found

    def _lets_out_inner_code(self) -> bool:
        let_out = self._let_out()
        held = self.outlets | {source.name for source in let_out if not source.called}
        made = {source.name for source in let_out}
        return bool(held & self.inner_code or made & self.inner_classes)


def narrow(found: dict[str, Names], name: str, *bound: set[str] | Names) -> None:
    """Note what was certainly bound at a look-up of the name, and at those before."""
    if sum(map(len, bound)) > MANY:
        found[name] = NONE
    else:
        certain = NONE.union(*bound)
        found[name] = found[name] & certain if name in found else certain


@dataclass
class Findings:
    """What is found out about a cell as a whole."""

    functions: dict[str, Record] = field(default_factory=dict)
    carries: set[Carry] = field(default_factory=set)
    modules: dict[str, str] = field(default_factory=dict)
    whole_modules: set[str] = field(default_factory=set)
    """Those that stand for a module, not for something in it."""
    evaluates_annotations: bool = True

    def function(self, name: str) -> Record:
        return self.functions.setdefault(name, Record())

    def carry(self, targets: Iterable[str], sources: Iterable[Source]) -> None:
        self.carries |= all_carries(targets, sources)


def all_carries(targets: Iterable[str], sources: Iterable[Source]) -> set[Carry]:
    given = list(sources)
    return {Carry(target, source) for target in targets for source in given}
