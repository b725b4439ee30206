"""The way down from what is asked about to the places that can reach it, found without reading data."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Protocol

from sqlglot import exp

from trailbook.algebra.expressions import TRUE, Expr, both, conjuncts, either, is_false, names_in, ref, substitute
from trailbook.algebra.plan import (
    Aggregate,
    Distinct,
    Existence,
    Filter,
    Generate,
    Join,
    JoinKind,
    Limit,
    Opaque,
    Plan,
    Project,
    Scan,
    SetOperation,
    Sort,
    Union,
    Window,
    order_of,
)
from trailbook.caveats import inherent
from trailbook.caveats.acknowledging import in_condition
from trailbook.caveats.bits import any_mark
from trailbook.caveats.calls import accepted
from trailbook.caveats.instrument import Traced
from trailbook.caveats.sites import Site, sites
from trailbook.caveats.slots import Slots
from trailbook.caveats.targets import Target, agreed, transferred, weakened

Steps = list[tuple[Traced, Target]]
MOST_CONDITIONS = 12
"""Beyond so many, what else a row must pass on its way is not asked any more: queries would grow with the way."""


class Notes(Protocol):
    """What is made of the places on the way."""

    def narrowed(self, node: Traced, target: Target) -> Target:
        """What of the target has to be followed."""

    def scan(self, table: str, target: Target) -> None: ...

    def site(self, site: Site, slots: Slots, where: Expr) -> None: ...

    def inherent(self, place: str, accepted: bool) -> None: ...


def follow(traced: Traced, target: Target, notes: Notes) -> None:
    """Note the places that can reach the target."""
    waiting = [(traced, target)]
    while waiting:
        node, wanted = waiting.pop()
        wanted = notes.narrowed(node, wanted)
        if wanted.columns or wanted.rows:
            waiting += _Step(notes, node, wanted).inputs()


@dataclass(frozen=True)
class _Step:
    """From an operator's result to its inputs."""

    notes: Notes
    node: Traced
    target: Target

    def inputs(self) -> Steps:
        """Note the places in this operator, and say what matters of its inputs."""
        step = _STEPS.get(type(self.node.operator))
        return step(self, self.node.operator) if step else [(child, self.target) for child in self.node.inputs]

    def _scan(self, operator: Scan) -> Steps:
        self.notes.scan(operator.table, Target(self.target.columns, self.target.rows, self._where(operator.names)))
        return []

    def _project(self, operator: Project) -> Steps:
        child = self.node.inputs[0]
        used = [column.expr for column in operator.columns if column.name in self.target.columns]
        values = {column.name: child.slots.marker.value(column.expr) for column in operator.columns}
        return [self._down((), used, substitute(self.target.where, values))]

    def _filter(self, operator: Filter) -> Steps:
        where = self.target.where
        if len(conjuncts(where)) < MOST_CONDITIONS:
            where = both(where, self.node.inputs[0].slots.marker.possibly(operator.condition))
        used = [operator.condition] if self.target.rows else []
        return [self._down(self.target.columns, used, where)]

    def _generate(self, operator: Generate) -> Steps:
        made = set(operator.columns)
        used = [operator.generator] if self.target.rows or self.target.columns & made else []
        return [self._down(self.target.columns - made, used, self.target.where)]

    def _union(self, operator: Union) -> Steps:
        return [self._part(child, operator) for child in self.node.inputs]

    def _set_operation(self, operator: SetOperation) -> Steps:
        return [self._part(child, operator, everything=True) for child in self.node.inputs]

    def _opaque(self, operator: Opaque) -> Steps:
        self.notes.inherent(inherent.of_opaque(operator), self.node.accepted)
        return [(child, Target(frozenset(child.slots.columns), rows=True)) for child in self.node.inputs]

    def _distinct(self, operator: Distinct) -> Steps:
        return self._group(operator.names, {name: ref(name) for name in operator.names}, operator.names)

    def _aggregate(self, operator: Aggregate) -> Steps:
        used = [named.expr for named in operator.aggregates if named.name in self.target.columns]
        for expr in used:
            self._note_function(expr, inherent.of_aggregate(expr))
        # A key that a grouping set leaves out is NULL there, whatever its members have.
        known = {key.name for key in operator.keys}.intersection(*operator.sets or ())
        return self._group((), {key.name: key.expr for key in operator.keys}, known, used)

    def _window(self, operator: Window) -> Steps:
        functions = {named.name: named.expr for named in operator.functions}
        used = [expr for name, expr in functions.items() if name in self.target.columns]
        others = self.target.columns - functions.keys()
        if not used:
            return [self._down(others, [], self.target.where)]
        for expr in used:
            self._note_function(expr, inherent.of_window(expr))
        return [self._down(others, used, self._partition(used), rows=True)]

    def _limit(self, operator: Limit) -> Steps:
        if not self.target.rows:
            return [self._down(self.target.columns, [], self.target.where)]
        self.notes.inherent(inherent.of_limit(operator), self.node.accepted)
        return [self._down(self.target.columns, [], TRUE), *self._order(order_of(operator.input))]

    def _order(self, sort: Sort | None) -> Steps:
        """What the order of the rows rests on."""
        node = self.node
        while sort is not None and node.operator is not sort:
            node = node.inputs[0]
        keys = [key.this for key in sort.keys] if sort else []
        return [_Step(self.notes, node, Target(frozenset(), rows=True))._down((), keys, TRUE)] if keys else []

    def _pair(self, operator: Join | Existence) -> Steps:
        """Rows of both sides; of a side that only matches, also those that don't explain a row."""
        left, right = self.node.inputs
        target, condition = self.target, operator.condition or TRUE
        kind = operator.kind if isinstance(operator, Join) else JoinKind.SEMI
        ours = target.columns & set(left.slots.columns)
        theirs = target.columns & set(right.slots.columns)
        matters = target.rows or {
            JoinKind.LEFT: bool(theirs),
            JoinKind.RIGHT: bool(ours),
            JoinKind.FULL: True,
        }.get(kind, isinstance(operator, Existence) and operator.name in target.columns)
        mirrored = kind in (JoinKind.RIGHT, JoinKind.FULL)
        where_left = TRUE if mirrored else self._where(left.slots.plan.names)
        where_right = self._where(right.slots.plan.names) if kind is JoinKind.INNER else TRUE
        if not mirrored:
            where_right = both(where_right, transferred(target.where, condition, left.slots, right.slots))
        keys = agreed(target.where, condition, left.slots, right.slots)
        where_left = both(where_left, weakened(keys, left.slots.plan.names))
        where_right = both(where_right, weakened(keys, right.slots.plan.names))
        if matters:
            self._note_condition(condition, where_left, where_right)
            ours |= names_in(condition) & set(left.slots.columns)
            theirs |= names_in(condition) & set(right.slots.columns)
        return [
            (left, Target(ours, target.rows or (matters and mirrored), where_left)),
            (right, Target(theirs, matters, where_right)),
        ]

    def _note_condition(self, condition: Expr, where_left: Expr, where_right: Expr) -> None:
        """The places in a join condition; one that looks at both sides is not counted pair by pair."""
        left, right = (child.slots for child in self.node.inputs)
        for site in sites(condition):
            if site.columns <= set(left.columns):
                self._note_site(site, left, where_left)
            elif site.columns <= set(right.columns):
                self._note_site(site, right, where_right)
            else:
                self.notes.inherent(in_condition(site.call.place), None in accepted(site.call.node))

    def _note_site(self, site: Site, slots: Slots, where: Expr) -> None:
        if site.call.is_in_lambda:
            self.notes.inherent(site.call.place, None in accepted(site.call.node))
        else:
            self.notes.site(site, slots, where)

    def _note_function(self, expr: Expr, place: str | None) -> None:
        if place:
            self.notes.inherent(place, None in accepted(inherent.function_of(expr)))

    def _down(
        self, columns: Iterable[str], used: Iterable[Expr], where: Expr, rows: bool = False
    ) -> tuple[Traced, Target]:
        """Down to the only input, of which these columns and the columns of these expressions matter."""
        child = self.node.inputs[0]
        used = list(used)
        where = weakened(where, child.slots.plan.names)
        for site in (site for expr in used for site in sites(expr)):
            self._note_site(site, child.slots, where)
        wanted = frozenset(columns).union(*map(names_in, used))
        return child, Target(wanted, self.target.rows or rows, where)

    def _where(self, names: Iterable[str]) -> Expr:
        return weakened(self.target.where, names)

    def _group(
        self, columns: Iterable[str], keys: Mapping[str, Expr], known: Iterable[str], used: Iterable[Expr] = ()
    ) -> Steps:
        """A group's row rests on its members, and on rows whose doubtful key could make them members.

        Members have the group's values of the keys that are `known`, and so have all others of those never in doubt.
        """
        marker = self.node.inputs[0].slots.marker
        values = {name: marker.value(key) for name, key in keys.items()}
        marks = {name: marker.mark(key) for name, key in keys.items()}
        certain = {name for name in known if is_false(marks[name])}
        agrees, is_member = (substitute(self._where(names), values) for names in (certain, known))
        where = both(agrees, either(is_member, any_mark(*marks.values())))
        return [self._down(columns, [*keys.values(), *used], where, rows=True)]

    def _part(self, child: Traced, operator: Plan, everything: bool = False) -> tuple[Traced, Target]:
        names = dict(zip(operator.names, child.slots.columns, strict=True))
        where = substitute(self._where(names), {a: ref(b) for a, b in names.items()})
        if everything:
            where = either(where, child.slots.any_mark(child.slots.columns))
            return child, Target(frozenset(names.values()), True, where)
        return child, Target(frozenset(names[n] for n in self.target.columns), self.target.rows, where)

    def _partition(self, functions: Iterable[Expr]) -> Expr:
        """Rows of the same partition, or of a doubtful one."""
        marker = self.node.inputs[0].slots.marker
        found: list[Expr] = []
        for function in functions:
            keys = function.args.get("partition_by") or []
            names = {key.name for key in keys if isinstance(key, exp.Column)}
            found.append(either(self._where(names), any_mark(*(marker.mark(key) for key in keys))))
        return either(*found)


_STEPS: dict[type[Plan], Callable[..., Steps]] = {
    Scan: _Step._scan,
    Project: _Step._project,
    Filter: _Step._filter,
    Join: _Step._pair,
    Existence: _Step._pair,
    Aggregate: _Step._aggregate,
    Distinct: _Step._distinct,
    Union: _Step._union,
    SetOperation: _Step._set_operation,
    Window: _Step._window,
    Limit: _Step._limit,
    Generate: _Step._generate,
    Opaque: _Step._opaque,
}
