"""Why something is in doubt, or would be: the caveat sets that can reach it, found without reading data."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field

from trailbook.algebra.expressions import Expr, both, is_false
from trailbook.caveats.acknowledging import ByPlace, by_place
from trailbook.caveats.calls import accepted
from trailbook.caveats.instrument import Traced
from trailbook.caveats.reasons import Inherent, Reason, Stored, raised_at
from trailbook.caveats.sites import Site
from trailbook.caveats.slicing import follow
from trailbook.caveats.slots import Slots
from trailbook.caveats.targets import Target
from trailbook.model.acknowledged import Acknowledged


def explain(traced: Traced, target: Target, stored: Collection[str] = ()) -> list[Reason]:
    """The caveat sets that mark the target. The tables `stored` have a column that names their rows."""
    notes = _Marking(stored)
    follow(traced, target, notes)
    return list(dict.fromkeys(notes.reasons))


def explain_acknowledged(
    traced: Traced, acknowledged: Collection[Acknowledged], target: Target, stored: Collection[str] = ()
) -> list[Reason]:
    """The caveat sets that would mark the target if they were not acknowledged.

    To be asked of a plan that was traced as if nothing were. Tables may be clean because of what is acknowledged
    where they come from: each that the target rests on is among the reasons, with all columns that could matter.
    """
    notes = _Acknowledged(stored, by_place(acknowledged))
    follow(traced, target, notes)
    return list(dict.fromkeys(notes.reasons))


@dataclass
class _Marking:
    """Notes what marks."""

    stored: Collection[str]
    reasons: list[Reason] = field(default_factory=list)

    def narrowed(self, node: Traced, target: Target) -> Target:
        """Without what has no mark by the look of the plan."""
        slots = node.slots
        columns = frozenset(name for name in target.columns if not is_false(slots.mark(name)))
        return Target(columns, target.rows and not slots.is_certain, target.where)

    def scan(self, table: str, target: Target) -> None:
        self.reasons.append(Stored(table, target.columns, target.rows, target.where))

    def site(self, site: Site, slots: Slots, where: Expr) -> None:
        raised = both(where, site.unaccepted(accepted(site.call.node)))
        if not is_false(raised):
            self.reasons.append(raised_at(site, raised, slots, self.stored))

    def inherent(self, place: str, accepted: bool) -> None:
        if not accepted:
            self.reasons.append(Inherent(place))


@dataclass
class _Acknowledged:
    """Notes what is acknowledged."""

    stored: Collection[str]
    texts: ByPlace
    reasons: list[Reason] = field(default_factory=list)

    def narrowed(self, node: Traced, target: Target) -> Target:
        return target

    def scan(self, table: str, target: Target) -> None:
        self.reasons.append(Stored(table, target.columns, target.rows, target.where))

    def site(self, site: Site, slots: Slots, where: Expr) -> None:
        raised = both(where, site.accepted(self.texts.get(site.call.place, frozenset())))
        if not is_false(raised):
            self.reasons.append(raised_at(site, raised, slots, self.stored, acknowledged=True))

    def inherent(self, place: str, accepted: bool) -> None:
        if None in self.texts.get(place, ()):
            self.reasons.append(Inherent(place, acknowledged=True))
