"""What is acknowledged of the caveats that a plan raises, noted at the calls that raise them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping

from trailbook.algebra.determinism import is_deterministic
from trailbook.algebra.expressions import Expr, rewrite
from trailbook.algebra.mapping import map_expressions
from trailbook.algebra.plan import Aggregate, Existence, Join, Plan, Window
from trailbook.algebra.traversal import transform
from trailbook.caveats.calls import Texts, accept, caveat_call
from trailbook.caveats.inherent import function_of, of_aggregate, of_window
from trailbook.model.acknowledged import Acknowledged

ByPlace = Mapping[str, Texts]


def by_place(acknowledged: Collection[Acknowledged]) -> ByPlace:
    """What is acknowledged at each place."""
    texts: dict[str, set[str | None]] = defaultdict(set)
    for one in acknowledged:
        # What has no text of its own, but is its place, is acknowledged as a whole either way.
        texts[one.place].add(None if one.message == one.place else one.message)
    return {place: frozenset(found) for place, found in texts.items()}


def in_condition(place: str) -> str:
    """The name of a place in a join condition that looks at both sides at once."""
    return f"{place} in a join condition"


def acknowledge(plan: Plan, texts: ByPlace) -> Plan:
    """The plan with what is acknowledged noted in its expressions."""
    return transform(plan, lambda operator: _noted(operator, texts)) if texts else plan


def _noted(operator: Plan, texts: ByPlace) -> Plan:
    pairs = isinstance(operator, Join | Existence)

    def note_calls(node: Expr) -> Expr:
        found = caveat_call(node)
        if found is None:
            return node
        here = texts.get(found.place, frozenset())
        if pairs:
            here |= texts.get(in_condition(found.place), frozenset())
            # A join asks its condition more than once, and each time this could say something else.
            here = here if is_deterministic(found.value) else frozenset()
        if here:
            accept(node, here)
        return node

    def note(expr: Expr) -> Expr:
        noted = rewrite(expr, note_calls)
        place = _inherent(operator, noted)
        if place and None in texts.get(place, ()):
            accept(function_of(noted), frozenset({None}))
        return noted

    return map_expressions(operator, note)


def _inherent(operator: Plan, expr: Expr) -> str | None:
    match operator:
        case Aggregate() if expr not in [key.expr for key in operator.keys]:
            return of_aggregate(expr)
        case Window():
            return of_window(expr)
    return None
