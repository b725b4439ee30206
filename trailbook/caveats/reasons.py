"""Reasons for doubt. Each is a caveat set, whose members a query finds; a set without members is no reason."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from sqlglot import exp

from trailbook.algebra.expressions import NULL, Expr, call, ref
from trailbook.algebra.identity import ROW, with_identity
from trailbook.algebra.plan import Aggregate, Filter, Named, Plan, Project
from trailbook.algebra.rewrites import prune_columns
from trailbook.caveats.sites import Site
from trailbook.caveats.slots import Slots


@dataclass(frozen=True)
class Stored:
    """Caveats that a table brings along: of these columns, and of its rows if that is meant."""

    table: str
    columns: frozenset[str]
    rows: bool
    where: Expr
    """The slots of the table that matter, as a condition over its columns."""


@dataclass(frozen=True)
class Raised:
    """Caveats that a call in the query raises, for each slot in `found`. The tables `stored` name their rows."""

    place: str
    found: Plan
    id: Expr
    message: Expr
    stored: frozenset[str] = frozenset()
    acknowledged: bool = False
    origin: str | None = None
    """The named query whose text the call is in."""

    @property
    def members(self) -> Plan:
        """The caveats: an `id` and a `message` of each."""
        return Project(self.found, self._said)

    @property
    def named_members(self) -> Plan:
        """The same with a `row`, the name of the slot that the call was made for, as `with_identity` gives it."""
        return Project(with_identity(self.found, self.stored), (Named("row", ref(ROW)), *self._said))

    @property
    def _said(self) -> tuple[Named, ...]:
        return Named("id", self.id), Named("message", self.message)


@dataclass(frozen=True)
class Inherent:
    """A caveat that an operator is in itself; its place says all there is to say."""

    place: str
    acknowledged: bool = False


Reason = Stored | Raised | Inherent


def raised_at(site: Site, raised: Expr, slots: Slots, stored: Collection[str], acknowledged: bool = False) -> Raised:
    """The caveats that a site raises where `raised` is true of these slots."""
    value = slots.marker.value
    made = site.call
    id = NULL if made.id is None else value(made.id)
    found = Filter(slots.plan, value(raised))
    return Raised(made.place, found, id, value(made.shown), frozenset(stored), acknowledged, made.origin)


def distinct(members: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """One of those with the same id: they are one caveat."""
    first = {member["id"]: member for member in reversed(members)}
    return [member for member in members if member["id"] is None or first[member["id"]] is member]


def distinct_count(members: Plan) -> Plan:
    """How many caveats a set has: those with the same id are one."""
    without = call("count_if", exp.Is(this=ref("id"), expression=exp.Null()))
    named = call("count", exp.Distinct(expressions=[ref("id")]))
    counted = Aggregate(members, (), (Named("named", named), Named("unnamed", without)))
    return prune_columns(Project(counted, (Named("n", exp.Add(this=ref("named"), expression=ref("unnamed"))),)))
