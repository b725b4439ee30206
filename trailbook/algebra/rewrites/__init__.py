"""Rewrites of plans: each a pass with a file and a name of its own, that changes how and never what is computed."""

from __future__ import annotations

from collections.abc import Callable

from trailbook.algebra.plan import Plan
from trailbook.algebra.rewrites.avoid_cross_joins import avoid_cross_joins
from trailbook.algebra.rewrites.factor_conditions import factor_conditions
from trailbook.algebra.rewrites.inner_joins import inner_joins
from trailbook.algebra.rewrites.merge_projects import merge_projects
from trailbook.algebra.rewrites.narrow_groups import narrow_groups
from trailbook.algebra.rewrites.prune_columns import prune_columns
from trailbook.algebra.rewrites.push_filters import push_filters

Pass = Callable[[Plan], Plan]

PIPELINE: tuple[Pass, ...] = (
    merge_projects,
    factor_conditions,
    push_filters,
    avoid_cross_joins,
    prune_columns,
    merge_projects,
)


AT_LAST: tuple[Pass, ...] = (inner_joins, narrow_groups)


def simplified(plan: Plan) -> Plan:
    """The plan after all passes, with the same columns."""
    return _after(PIPELINE, plan)


def tuned(plan: Plan) -> Plan:
    """The plan as it is to run: after passes that only make it faster."""
    return _after(AT_LAST, plan)


def _after(passes: tuple[Pass, ...], plan: Plan) -> Plan:
    for change in passes:
        plan = change(plan)
    return plan


__all__ = [
    "AT_LAST",
    "PIPELINE",
    "Pass",
    "avoid_cross_joins",
    "factor_conditions",
    "inner_joins",
    "merge_projects",
    "narrow_groups",
    "prune_columns",
    "push_filters",
    "simplified",
    "tuned",
]
