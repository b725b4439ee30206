"""Why something is in doubt: the places that raise caveats which can reach it, found without reading data.

Each place is a caveat set. Its members are found by a query; a set whose query finds none vanishes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from sqlglot import exp

from trailbook.algebra.determinism import is_deterministic
from trailbook.algebra.expressions import (
    NULL,
    TRUE,
    Expr,
    both,
    call,
    conjuncts,
    either,
    is_false,
    names_in,
    negated,
    ref,
    substitute,
)
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
    Opaque,
    Plan,
    Project,
    Scan,
    SetOperation,
    Sort,
    Union,
    Window,
)
from trailbook.algebra.print_expression import sql_of
from trailbook.caveats.bits import any_mark
from trailbook.caveats.instrument import Traced
from trailbook.caveats.sites import Site, sites
from trailbook.caveats.slots import Slots


@dataclass(frozen=True)
class Stored:
    """Caveats that a table brings along: of a column, or of its rows."""

    table: str
    column: str | None
    where: Expr
    """The slots of the table that matter, as a condition over its columns."""


@dataclass(frozen=True)
class Raised:
    """Caveats that a call in the query raises; `members` are its rows of `id`, `message`."""

    place: str
    members: Plan


@dataclass(frozen=True)
class Inherent:
    """A caveat that an operator is in itself."""

    message: str


Reason = Stored | Raised | Inherent
Steps = list[tuple[Traced, "Target"]]


@dataclass(frozen=True)
class Target:
    """What is asked about: the values of these columns, and whether the presence of rows is meant, too.

    `where` says of which slots, over the result's columns.
    """

    columns: frozenset[str]
    rows: bool = False
    where: Expr = TRUE


def missing(slots: Slots) -> Target:
    """The rows that may be missing."""
    return Target(frozenset(), rows=True, where=negated(slots.present))


def explain(traced: Traced, target: Target) -> list[Reason]:
    """The caveat sets that can reach the target."""
    slicing = _Slicing()
    waiting = [(traced, target)]
    while waiting:
        node, wanted = waiting.pop()
        slicing.node, slicing.target = node, wanted
        waiting += slicing.visit()
    return list(dict.fromkeys(slicing.reasons))


@dataclass
class _Slicing:
    """One step of the way down: from an operator's result to its inputs."""

    reasons: list[Reason] = field(default_factory=list)
    node: Traced = field(init=False)
    target: Target = field(init=False)

    def visit(self) -> Steps:
        """Note the places in this operator, and say what matters of its inputs."""
        if not self.target.columns and not self.target.rows:
            return []
        step = _STEPS.get(type(self.node.operator))
        return step(self, self.node.operator) if step else [(child, self.target) for child in self.node.inputs]

    def _filter(self, operator: Filter) -> Steps:
        passes = self.node.inputs[0].slots.marker.possibly(operator.condition)
        used = [operator.condition] if self.target.rows else []
        return [self._down(self.target.columns, used, both(self.target.where, passes))]

    def _distinct(self, operator: Distinct) -> Steps:
        return self._group(operator.names, {name: ref(name) for name in operator.names})

    def _union(self, operator: Union) -> Steps:
        return [self._part(child, operator) for child in self.node.inputs]

    def _set_operation(self, operator: SetOperation) -> Steps:
        return [self._part(child, operator, everything=True) for child in self.node.inputs]

    def _generate(self, operator: Generate) -> Steps:
        made = set(operator.columns)
        used = [operator.generator] if self.target.rows or self.target.columns & made else []
        return [self._down(self.target.columns - made, used)]

    def _opaque(self, operator: Opaque) -> Steps:
        self.reasons.append(Inherent("the query can't be seen through"))
        return [(child, Target(frozenset(child.slots.columns), rows=True)) for child in self.node.inputs]

    def _scan(self, operator: Scan) -> Steps:
        where = weakened(self.target.where, operator.names)
        doubtful = [name for name in operator.names if name in self.target.columns]
        found = [Stored(operator.table, name, where) for name in doubtful if name in self.node.slots.marks]
        slots = self.node.slots
        if self.target.rows and not slots.is_certain:
            found.append(Stored(operator.table, None, where))
        self.reasons += found
        return []

    def _project(self, operator: Project) -> Steps:
        child = self.node.inputs[0]
        used = [column.expr for column in operator.columns if column.name in self.target.columns]
        values = {column.name: child.slots.marker.value(column.expr) for column in operator.columns}
        where = substitute(self.target.where, values)
        return [self._down(frozenset(), used, where)]

    def _down(
        self, columns: Iterable[str], used: Iterable[Expr], where: Expr | None = None, rows: bool = False
    ) -> tuple[Traced, Target]:
        """Down to the only input, of which these columns and the columns of these expressions matter."""
        child = self.node.inputs[0]
        used = list(used)
        where = weakened(self.target.where if where is None else where, child.slots.plan.names)
        for expr in used:
            self._note_sites(expr, child.slots, where)
        wanted = frozenset(columns).union(*(names_in(expr) for expr in used))
        return child, Target(wanted, self.target.rows or rows, where)

    def _note_sites(self, expr: Expr, slots: Slots, where: Expr) -> None:
        for site in sites(expr):
            place = sql_of(site.call)
            inside = site.call.find_ancestor(exp.Lambda) is not None
            self.reasons.append(
                Inherent(f"{place} in a lambda") if inside else Raised(place, _members(site, slots, where))
            )

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
        if matters:
            self.reasons += [Inherent(f"{sql_of(site.call)} in a join condition") for site in sites(condition)]
            ours |= names_in(condition) & set(left.slots.columns)
            theirs |= names_in(condition) & set(right.slots.columns)
        mirrored = kind in (JoinKind.RIGHT, JoinKind.FULL)
        where_left = TRUE if mirrored else weakened(target.where, left.slots.plan.names)
        where_right = weakened(target.where, right.slots.plan.names) if kind is JoinKind.INNER else TRUE
        where_right = both(where_right, _transferred(target.where, condition, left.slots, right.slots))
        return [
            (left, Target(ours, target.rows or (matters and mirrored), where_left)),
            (right, Target(theirs, matters, where_right)),
        ]

    def _aggregate(self, operator: Aggregate) -> Steps:
        used = [named.expr for named in operator.aggregates if named.name in self.target.columns]
        for expr in used:
            if not is_deterministic(expr):
                self.reasons.append(Inherent(f"{sql_of(expr)} depends on the order of rows"))
        return self._group((), {key.name: key.expr for key in operator.keys}, used)

    def _group(self, columns: Iterable[str], keys: Mapping[str, Expr], used: Iterable[Expr] = ()) -> Steps:
        """A group's row rests on its members, and on rows whose doubtful key could make them members."""
        marker = self.node.inputs[0].slots.marker
        values = {name: marker.value(key) for name, key in keys.items()}
        where = substitute(weakened(self.target.where, keys), values)
        stray = any_mark(*(marker.mark(key) for key in keys.values()))
        return [self._down(columns, [*keys.values(), *used], either(where, stray), rows=True)]

    def _part(self, child: Traced, operator: Plan, everything: bool = False) -> tuple[Traced, Target]:
        names = dict(zip(operator.names, child.slots.columns, strict=True))
        where = substitute(weakened(self.target.where, names), {a: ref(b) for a, b in names.items()})
        if everything:
            where = either(where, child.slots.any_mark(child.slots.columns))
            return child, Target(frozenset(names.values()), True, where)
        return child, Target(frozenset(names[n] for n in self.target.columns), self.target.rows, where)

    def _window(self, operator: Window) -> Steps:
        functions = {named.name: named.expr for named in operator.functions}
        used = [expr for name, expr in functions.items() if name in self.target.columns]
        others = self.target.columns - functions.keys()
        if not used:
            return [self._down(others, [])]
        ordered = [sql_of(expr) for expr in used if expr.args.get("order") is not None]
        self.reasons += [Inherent(f"{text} may order rows that tie in any way") for text in ordered]
        return [self._down(others, used, self._partition(used), rows=True)]

    def _partition(self, functions: Iterable[Expr]) -> Expr:
        """Rows of the same partition, or of a doubtful one."""
        marker = self.node.inputs[0].slots.marker
        found: list[Expr] = []
        for function in functions:
            keys = function.args.get("partition_by") or []
            names = {key.name for key in keys if isinstance(key, exp.Column)}
            found.append(either(weakened(self.target.where, names), any_mark(*(marker.mark(key) for key in keys))))
        return either(*found)

    def _limit(self, operator: Limit) -> Steps:
        if not self.target.rows:
            return [self._down(self.target.columns, [])]
        keys = operator.input.keys if isinstance(operator.input, Sort) else ()
        self.reasons.append(
            Inherent("rows that tie for the last place" if keys else "LIMIT without ORDER BY takes any rows")
        )
        return [self._down(self.target.columns, [key.this for key in keys], TRUE)]


_STEPS: dict[type[Plan], Callable[..., Steps]] = {
    Scan: _Slicing._scan,
    Project: _Slicing._project,
    Filter: _Slicing._filter,
    Join: _Slicing._pair,
    Existence: _Slicing._pair,
    Aggregate: _Slicing._aggregate,
    Distinct: _Slicing._distinct,
    Union: _Slicing._union,
    SetOperation: _Slicing._set_operation,
    Window: _Slicing._window,
    Limit: _Slicing._limit,
    Generate: _Slicing._generate,
    Opaque: _Slicing._opaque,
}


def weakened(where: Expr, names: Iterable[str]) -> Expr:
    """A condition over these columns only, that holds wherever `where` does."""
    known = frozenset(names)
    if isinstance(where, exp.And):
        return both(weakened(where.this, known), weakened(where.expression, known))
    if isinstance(where, exp.Or):
        return either(weakened(where.this, known), weakened(where.expression, known))
    return where if names_in(where) <= known else TRUE


def _members(site: Site, slots: Slots, where: Expr) -> Plan:
    """The caveats that are raised at a site, for these slots."""
    value = slots.marker.value
    raised = Filter(slots.plan, both(where, value(site.raised)))
    id = value(site.id) if site.id is not None else NULL
    return Project(raised, (Named("id", id), Named("message", value(site.message))))


def _transferred(where: Expr, condition: Expr, left: Slots, right: Slots) -> Expr:
    """What a known value on the left says of the right side, by an equality between the two."""
    known = {part.this.name: part.expression for part in conjuncts(where) if _is_known(part)}
    found: list[Expr] = []
    for part in conjuncts(condition):
        if not isinstance(part, exp.EQ):
            continue
        for ours, theirs in ((part.this, part.expression), (part.expression, part.this)):
            columns = isinstance(ours, exp.Column) and isinstance(theirs, exp.Column)
            if columns and ours.name in known and theirs.name in right.columns and is_false(left.mark(ours.name)):
                same = exp.NullSafeEQ(this=theirs, expression=known[ours.name])
                found.append(either(same, right.mark(theirs.name)))
    return both(*found)


def _is_known(part: Expr) -> bool:
    return isinstance(part, exp.NullSafeEQ) and isinstance(part.this, exp.Column) and not names_in(part.expression)


def distinct_count(members: Plan) -> Plan:
    """How many caveats a set has: those with the same id are one."""
    without = call("count_if", exp.Is(this=ref("id"), expression=exp.Null()))
    named = call("count", exp.Distinct(expressions=[ref("id")]))
    counted = Aggregate(members, (), (Named("named", named), Named("unnamed", without)))
    return Project(counted, (Named("n", exp.Add(this=ref("named"), expression=ref("unnamed"))),))
