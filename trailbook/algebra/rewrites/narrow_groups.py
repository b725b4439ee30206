"""Groups that nobody asks for are not formed.

Where groups are joined by a key whose values are all from a filtered table, only the rows with such values are grouped.
Correlated subqueries are joins of this kind.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import count

from sqlglot import exp

from trailbook.algebra.determinism import is_repeatable
from trailbook.algebra.expressions import conjuncts, ref
from trailbook.algebra.plan import (
    Aggregate,
    Distinct,
    Existence,
    Filter,
    Generate,
    Join,
    JoinKind,
    Limit,
    Named,
    Plan,
    Project,
    Scan,
    Sort,
    Window,
)
from trailbook.algebra.traversal import transform
from trailbook.algebra.types import UNKNOWN


def narrow_groups(plan: Plan) -> Plan:
    return transform(plan, _narrowed)


def _narrowed(node: Plan) -> Plan:
    if not isinstance(node, Join) or node.kind not in (JoinKind.INNER, JoinKind.LEFT):
        return node
    for ours, theirs in _equal(node):
        asked = _values(node.left, ours)
        if asked is not None and (narrow := _only(node.right, theirs, asked)):
            return replace(node, right=narrow)
    return node


def _equal(join: Join) -> Iterable[tuple[str, str]]:
    """Columns of the left side that must be the same as one of the right side."""
    left, right = ({column.name: column.type for column in side.schema} for side in join.inputs)
    for part in conjuncts(join.condition):
        sides = (part.this, part.expression) if isinstance(part, exp.EQ) else ()
        if sides and all(isinstance(side, exp.Column) for side in sides):
            names = [side.name for side in sides]
            for one, other in (names, reversed(names)):
                if left.get(one, UNKNOWN) == right.get(other) != UNKNOWN:
                    yield one, other


def _only(plan: Plan, name: str, asked: _Column) -> Plan | None:
    """The groups with a key among the values asked for, below projections."""
    above: list[Project] = []
    while isinstance(plan, Project) and (source := _source(plan.columns, name)):
        above.append(plan)
        plan, name = plan.input, source
    key = _source(plan.keys, name) if isinstance(plan, Aggregate) and plan.sets is None else None
    if not isinstance(plan, Aggregate) or key is None:
        return None
    taken = {each.lower() for each in plan.input.names}
    new = next(each for number in count(1) if (each := f"__asked_{number}") not in taken)
    found = exp.EQ(this=ref(key), expression=ref(new))
    semi = Join(plan.input, Project(asked.plan, (Named(new, ref(asked.name)),)), JoinKind.SEMI, found)
    narrow: Plan = replace(plan, input=semi)
    for project in reversed(above):
        narrow = replace(project, input=narrow)
    return narrow


@dataclass(frozen=True)
class _Column:
    """A column of an operator, on the way down from `start`, a column of a table with no more than filters on it."""

    plan: Plan
    name: str
    start: _Column | None = None
    filtered: bool = False


def _values(plan: Plan, name: str) -> _Column | None:
    """The column of a filtered table that all values of this one are from, if there is one."""
    waiting = [_Column(plan, name)]
    while waiting:
        column = waiting.pop()
        if isinstance(column.plan, Scan) and column.start and column.filtered and is_repeatable(column.start.plan):
            return column.start
        below = _below(column.plan, column.name)
        if isinstance(column.plan, Project | Filter):
            start = column.start or column
            filtered = column.filtered or isinstance(column.plan, Filter)
            waiting += [_Column(plan, name, start, filtered) for plan, name in below]
        else:
            waiting += [_Column(plan, name) for plan, name in below]
    return None


def _below(node: Plan, name: str) -> list[tuple[Plan, str]]:
    """Inputs with columns that have all values of this one."""
    match node:
        case Project():
            source = _source(node.columns, name)
            return [(node.input, source)] if source else []
        case Aggregate() if node.sets is None:
            source = _source(node.keys, name)
            return [(node.input, source)] if source else []
        case Filter() | Sort() | Limit() | Distinct():
            return [(node.input, name)]
        case Window() | Generate() | Existence():
            (first, *_) = node.inputs
            return [(first, name)] if name in first.names else []
        case Join(kind=JoinKind.INNER | JoinKind.LEFT | JoinKind.SEMI | JoinKind.ANTI):
            return _below_join(node, name)
    return []


def _below_join(join: Join, name: str) -> list[tuple[Plan, str]]:
    # What Spark knows from a semi join, it makes use of itself.
    equal = list(_equal(join)) if join.kind is JoinKind.INNER else []
    if name in join.left.names:
        return [(join.left, name), *((join.right, theirs) for ours, theirs in equal if ours == name)]
    if join.kind is JoinKind.INNER:
        return [(join.right, name), *((join.left, ours) for ours, theirs in equal if theirs == name)]
    return []


def _source(columns: Iterable[Named], name: str) -> str | None:
    """The column below that has this name here."""
    return next((c.expr.name for c in columns if c.name == name and isinstance(c.expr, exp.Column)), None)
