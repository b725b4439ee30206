"""The values a forecast is made of."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, NamedTuple, Self

Names = frozenset[str]
NONE: Names = frozenset()


@dataclass(frozen=True, kw_only=True)
class Effects:
    """What some code may do with global names."""

    reads: Names = NONE
    """Looked up where the code itself has not certainly bound them; `del x` and `x += 1` look up x, too."""
    builtins_read: Names = NONE
    """The same, for names that Python itself gives a meaning (`len`) unless some cell binds them."""
    writes: Names = NONE
    deletes: Names = NONE
    mutates: Names = NONE
    """Names of objects that the code changes in place: stores into them, or methods known to do so."""
    touches: Names = NONE
    """Names of objects given to code that might change them: other methods, and calls they are an argument of."""
    reads_anything: bool = False
    writes_anything: bool = False

    def __or__(self, other: Effects) -> Self:
        both = {each.name: getattr(self, each.name) | getattr(other, each.name) for each in fields(Effects)}
        both["touches"] -= both["mutates"]
        return replace(self, **both)

    @classmethod
    def of_all(cls, parts: Iterable[Effects]) -> Effects:
        """What the parts do together; by far faster than one `|` after the other."""
        given = list(parts)
        whole: dict[str, Any] = {}
        for each in fields(Effects):
            values = [getattr(part, each.name) for part in given]
            whole[each.name] = any(values) if each.type == "bool" else NONE.union(*values)
        return Effects(**whole) | Effects()

    @property
    def looks_up(self) -> Names:
        return self.reads | self.builtins_read

    @property
    def changes(self) -> Names:
        """Names that may stand for something else afterwards."""
        return self.writes | self.deletes | self.mutates


class Source(NamedTuple):
    """The functions that a name holds; if it is `called`, what its calls hand on."""

    name: str
    called: bool


class Carry(NamedTuple):
    """`target` may hold functions of `source`."""

    target: str
    source: Source


@dataclass(frozen=True, kw_only=True)
class OnCall(Effects):
    """What a function or class does when it is called, with all it calls in turn in its own cell."""

    hands_on: bool = False
    """Whether the result of a call may be, or hold, code that does the same: instances, inner functions."""
    returns: frozenset[Source] = frozenset()
    """Where else the result of a call may come from."""


class StatementEdge(NamedTuple):
    """The statement at index `reader` may read what the one at `writer` made of `name`."""

    writer: int
    reader: int
    name: str


@dataclass(frozen=True, kw_only=True)
class Statement(Effects):
    """A statement of the cell's top level, with all that is nested in it."""

    first_line: int
    last_line: int


@dataclass(frozen=True, kw_only=True)
class Forecast(Effects):
    """What a cell may do, by its code alone."""

    surely_writes: Names = NONE
    """Those of `writes` that are bound at the end however the cell runs, unless it fails."""
    functions: Mapping[str, OnCall] = field(default_factory=dict, hash=False)
    """Names that hold functions or classes of this cell."""
    carries: frozenset[Carry] = frozenset()
    modules: Mapping[str, str] = field(default_factory=dict, hash=False)
    """Names bound by imports, and the module each needs."""
    statements: tuple[Statement, ...] = ()
    edges: frozenset[StatementEdge] = frozenset()
    bound_before: Mapping[str, Names] = field(default_factory=dict, hash=False)
    """For each name looked up, what the cell has certainly bound by itself before the first of its look-ups."""

    def reading(self, names: Iterable[str]) -> Forecast:
        """The same with other reads."""
        return replace(self, reads=frozenset(names))

    @property
    def opaque(self) -> bool:
        return self.reads_anything or self.writes_anything


OPAQUE = Forecast(reads_anything=True, writes_anything=True)
"""The forecast for code that can't be looked into."""
