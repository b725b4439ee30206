"""Random plans over given scans, and random tables for them: the same for the same seed.

`random_plan(random, scans, depth)` uses every operator and most forms of expressions. By default an answer is
determined by the tables: LIMIT takes whole rows in a total order, and so on. With `determined=False` ties, LIMIT
without an order and aggregates that depend on it occur as well.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from random import Random
from typing import Any

from sqlglot import exp

from tests.support.random_expressions import Expressions
from trailbook.algebra.expressions import Expr, call, ref
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
    Range,
    Scan,
    SetKind,
    SetOperation,
    Sort,
    Union,
    Values,
    Window,
)
from trailbook.model.artifacts import Column

Row = tuple[Any, ...]

SCANS = (
    Scan("r", tuple(Column(name=n, type=t) for n, t in (("a", "int"), ("b", "int"), ("c", "string"), ("d", "date")))),
    Scan("s", tuple(Column(name=n, type=t) for n, t in (("a", "int"), ("e", "boolean"), ("f", "double")))),
)
"""Tables with a column of each type that the generator knows."""

DOMAINS: Mapping[str, tuple[Any, ...]] = {
    "int": (None, -1, 0, 1, 2, 3),
    "bigint": (None, -1, 0, 1, 2, 3),
    "boolean": (None, True, False),
    "string": (None, "", "a", "b", "1"),
    "double": (None, -1.5, 0.0, 0.5, 2.0),
    "date": (None, date(2024, 2, 29), date(2024, 3, 1), date(1999, 12, 31)),
}


def random_tables(random: Random, scans: Sequence[Scan], most: int = 5) -> dict[str, list[Row]]:
    """Up to that many rows for each scan, out of small domains."""
    return {
        scan.table: [
            tuple(random.choice(DOMAINS[column.type]) for column in scan.columns)
            for _ in range(random.randint(0, most))
        ]
        for scan in scans
    }


def random_plan(random: Random, scans: Sequence[Scan], depth: int, *, determined: bool = True) -> Plan:
    """A plan of at most `depth` operators between its root and each scan, not counting projections and sorts."""
    return _Plans(random, scans, determined).plan(depth)


class _Plans:
    """Makes operators. Names are used once, so that a name tells its type."""

    def __init__(self, random: Random, scans: Sequence[Scan], determined: bool) -> None:
        self.random = random
        self.scans = scans
        self.determined = determined
        self.types: dict[str, str] = {}
        self.expressions = Expressions(random, self.types)

    def plan(self, depth: int) -> Plan:
        if depth <= 0:
            return self._leaf()
        makers: list[Callable[[int], Plan]] = [
            self._project,
            self._filter,
            self._join,
            self._join,
            self._existence,
            self._aggregate,
            self._aggregate,
            self._grouping_sets,
            self._distinct,
            self._union,
            self._set_operation,
            self._window,
            self._limit,
            self._generate,
        ]
        return self.random.choice(makers)(depth - 1)

    def _name(self, kind: str) -> str:
        name = f"c{len(self.types)}"
        self.types[name] = kind
        return name

    def _named(self, expr: Expr, kind: str) -> Named:
        return Named(self._name(kind), expr)

    def _leaf(self) -> Plan:
        chance = self.random.random()
        if chance < 0.1:
            return self._values()
        if chance < 0.15:
            return Project(self._range(), (self._named(ref("id"), "bigint"),))
        scan = self.random.choice(self.scans)
        return Project(scan, tuple(self._named(ref(column.name), column.type) for column in scan.columns))

    def _range(self) -> Plan:
        start, end, step = (self.random.randint(-3, 3) for _ in range(3))
        return Range(start, end, step or 2)

    def _values(self) -> Plan:
        kinds = self.random.choices(["int", "boolean", "string"], k=self.random.randint(1, 3))
        columns = tuple(Column(name=self._name(kind), type=kind) for kind in kinds)
        rows = tuple(tuple(self.expressions.literal(kind) for kind in kinds) for _ in range(self.random.randint(1, 3)))
        return Values(rows, columns)

    def _kinds(self, plan: Plan) -> list[str]:
        return [self.types[name] for name in plan.names]

    def _shaped(self, plan: Plan, kinds: Sequence[str]) -> Plan:
        """The plan with columns of these types."""
        return Project(plan, tuple(self._named(self.expressions.make(plan.names, kind, 1), kind) for kind in kinds))

    def _project(self, depth: int) -> Plan:
        kinds = ["int", "boolean", "string", "double", "date", "bigint"]
        return self._shaped(self.plan(depth), self.random.choices(kinds, k=self.random.randint(1, 4)))

    def _filter(self, depth: int) -> Plan:
        plan = self.plan(depth)
        return Filter(plan, self.expressions.make(plan.names, "boolean", 2))

    def _pair(self, depth: int) -> tuple[Plan, Plan]:
        return self.plan(depth), self.plan(self.random.randint(0, min(depth, 1)))

    def _condition(self, left: Plan, right: Plan) -> Expr | None:
        """Mostly an equality of two columns, sometimes anything."""
        pairs = [(a, b) for a in left.names for b in right.names if self.types[a] == self.types[b]]
        if pairs and self.random.random() < 0.7:
            one, other = self.random.choice(pairs)
            equality = exp.EQ(this=ref(one), expression=ref(other))
            if self.random.random() < 0.7:
                return equality
            return exp.And(this=equality, expression=self.expressions.make((*left.names, *right.names), "boolean", 1))
        return self.expressions.make((*left.names, *right.names), "boolean", 1)

    def _join(self, depth: int) -> Plan:
        left, right = self._pair(depth)
        kind = self.random.choice(list(JoinKind))
        bare = kind is JoinKind.INNER and self.random.random() < 0.2
        return Join(left, right, kind, None if bare else self._condition(left, right))

    def _existence(self, depth: int) -> Plan:
        left, right = self._pair(depth)
        return Existence(left, right, self._condition(left, right), self._name("boolean"))

    def _keys(self, plan: Plan, most: int) -> tuple[Named, ...]:
        names = self.random.sample(plan.names, min(self.random.randint(0, most), len(plan.names)))
        return tuple(self._named(ref(name), self.types[name]) for name in names)

    def _aggregates(self, plan: Plan, least: int) -> tuple[Named, ...]:
        made = (self._aggregate_call(plan) for _ in range(self.random.randint(least, 3)))
        return tuple(self._named(expr, kind) for expr, kind in made)

    def _aggregate_call(self, plan: Plan) -> tuple[Expr, str]:
        expr, kind = self.expressions.aggregate(plan.names, self.determined)
        if self.random.random() < 0.2:
            where = exp.Where(this=self.expressions.make(plan.names, "boolean", 1))
            return exp.Filter(this=expr, expression=where), kind
        return expr, kind

    def _aggregate(self, depth: int) -> Plan:
        plan = self.plan(depth)
        keys = self._keys(plan, 2)
        return Aggregate(plan, keys, self._aggregates(plan, 0 if keys else 1))

    def _grouping_sets(self, depth: int) -> Plan:
        plan = self.plan(depth)
        keys = self._keys(plan, 3)
        if not keys:
            return Distinct(plan)
        names = [key.name for key in keys]
        sets = {tuple(n for n in names if self.random.random() < 0.5) for _ in range(self.random.randint(1, 3))}
        aggregates = (*self._aggregates(plan, 0), self._named(call("grouping_id"), "bigint"))
        return Aggregate(plan, keys, aggregates, tuple(sorted(sets | {tuple(names)})))

    def _distinct(self, depth: int) -> Plan:
        return Distinct(self.plan(depth))

    def _union(self, depth: int) -> Plan:
        left, right = self._pair(depth)
        return self._renamed(Union((left, self._shaped(right, self._kinds(left)))))

    def _renamed(self, plan: Plan) -> Plan:
        """A new name for each column: those of the first input are seen above it, too."""
        return Project(plan, tuple(self._named(ref(name), self.types[name]) for name in plan.names))

    def _set_operation(self, depth: int) -> Plan:
        left, right = self._pair(depth)
        kinds = self._kinds(left)[:2]
        kind, everything = self.random.choice(list(SetKind)), self.random.random() < 0.5
        operation = SetOperation(self._shaped(left, kinds), self._shaped(right, kinds), kind, everything)
        return self._renamed(operation)

    def _window(self, depth: int) -> Plan:
        plan = self.plan(depth)
        made = (self.expressions.window(plan.names, self.determined) for _ in range(self.random.randint(1, 2)))
        return Window(plan, tuple(self._named(expr, kind) for expr, kind in made))

    def _limit(self, depth: int) -> Plan:
        plan = self.plan(depth)
        count, offset = self.random.choice([None, 0, 1, 2, 3]), self.random.choice([0, 0, 1])
        if not self.determined and self.random.random() < 0.3:
            return Limit(plan, count, offset)
        return Limit(Sort(plan, self.expressions.order(plan.names, total=self.determined)), count, offset)

    def _generate(self, depth: int) -> Plan:
        plan = self.plan(depth)
        kind = self.random.choice(["int", "string", "boolean"])
        items = [self.expressions.make(plan.names, kind, 1) for _ in range(self.random.randint(1, 3))]
        array, outer = call("array", *items), self.random.random() < 0.3
        if self.random.random() < 0.3:
            return Generate(plan, call("posexplode", array), (self._name("int"), self._name(kind)), outer)
        return Generate(plan, call("explode", array), (self._name(kind),), outer)
