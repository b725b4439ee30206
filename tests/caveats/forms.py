"""Random queries over every operator, all columns integers: small enough to be read, wide enough to bite."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from random import Random

from sqlglot import exp

from trailbook.algebra.expressions import NULL, Expr, both, call, either, is_null, negated, number, ref, text, when
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
    SetKind,
    SetOperation,
    Sort,
    Union,
    Values,
    Window,
)
from trailbook.model.artifacts import Column

Form = Callable[["Maker"], Plan]


class Maker:
    """Makes random plans over some tables."""

    def __init__(self, random: Random, scans: list[Scan], depth: int) -> None:
        self.random, self.scans, self.depth = random, scans, depth
        self._numbers = count(1)

    def fresh(self) -> str:
        return f"c{next(self._numbers)}"

    def plan(self, form: str | None = None) -> Plan:
        """A plan with columns of fresh names; of this form at its top, if one is given."""
        if form is None and (self.depth <= 0 or self.random.random() < 0.25):
            scan = self.random.choice(self.scans)
            return self.renamed(scan)
        self.depth -= 1
        chosen = form or self.random.choice(list(FORMS))
        made = self.renamed(FORMS[chosen](self))
        self.depth += 1
        return made

    def renamed(self, plan: Plan) -> Plan:
        return Project(plan, tuple(Named(self.fresh(), ref(name)) for name in plan.names))

    def column(self, plan: Plan) -> Expr:
        return ref(self.random.choice(plan.names))

    def value(self, names: tuple[str, ...], depth: int = 2) -> Expr:
        """A number made of these columns."""
        random = self.random
        if depth == 0 or random.random() < 0.4:
            return ref(random.choice(names)) if random.random() < 0.8 else number(random.randrange(4))
        one, other = self.value(names, depth - 1), self.value(names, depth - 1)
        match random.randrange(7):
            case 6:
                return call("caveat_if", one, self.comparison(names, depth=0), text("so it seems"))
            case 0:
                return exp.Add(this=one, expression=other)
            case 1:
                return exp.Sub(this=one, expression=other)
            case 2:
                return call("coalesce", one, other)
            case 3:
                return when((self.condition(names, depth - 1), one), otherwise=other)
            case 4:
                return call("nullif", one, other)
            case _:
                return call(random.choice(("greatest", "least")), one, other)

    def condition(self, names: tuple[str, ...], depth: int = 2) -> Expr:
        """A condition on these columns."""
        random = self.random
        if depth == 0 or random.random() < 0.5:
            return self.comparison(names)
        one, other = self.condition(names, depth - 1), self.condition(names, depth - 1)
        match random.randrange(4):
            case 0 | 1:
                return both(one, other)
            case 2:
                return either(one, other)
            case _:
                return negated(one)

    def comparison(self, names: tuple[str, ...], depth: int = 1) -> Expr:
        random = self.random
        one = ref(random.choice(names))
        match random.randrange(6):
            case 0:
                return is_null(one)
            case 1:
                return exp.In(this=one, expressions=[number(0), number(random.randrange(1, 4))])
            case 2:
                return exp.NullSafeEQ(this=one, expression=self.value(names, 0))
            case _:
                operator = random.choice((exp.EQ, exp.LT, exp.GTE, exp.NEQ))
                return operator(this=one, expression=self.value(names, depth))

    def pair(self, left: Plan, right: Plan) -> Expr:
        """A join condition: mostly an equality, at times with more."""
        equal: Expr = exp.EQ(this=self.column(left), expression=self.column(right))
        match self.random.randrange(6):
            case 0:
                return both(equal, exp.LT(this=self.column(left), expression=self.column(right)))
            case 1:
                return both(equal, self.comparison(right.names))
            case 2:
                return both(equal, self.comparison(left.names))
            case 3:
                return exp.LTE(this=self.column(left), expression=self.column(right))
            case _:
                return equal

    def aggregate(self, plan: Plan) -> Expr:
        random = self.random
        name = random.choice(("count", "sum", "min", "max", "avg", "sum", "max", "count_star"))
        if name == "count_star":
            made: Expr = call("count", exp.Star())
        elif name in ("count", "sum") and random.random() < 0.3:
            made = call(name, exp.Distinct(expressions=[self.column(plan)]))
        else:
            made = call(name, self.value(plan.names, 1))
        if random.random() < 0.25:
            made = exp.Filter(this=made, expression=exp.Where(this=self.comparison(plan.names)))
        return made

    def order(self, plan: Plan, most: int = 2) -> list[exp.Ordered]:
        names = self.random.sample(plan.names, self.random.randint(1, min(most, len(plan.names))))
        return [exp.Ordered(this=ref(n), desc=self.coin(), nulls_first=self.coin()) for n in names]

    def coin(self) -> bool:
        return self.random.random() < 0.5

    def some(self, plan: Plan) -> list[str]:
        """One or two of the columns."""
        return self.random.sample(plan.names, self.random.randint(1, min(2, len(plan.names))))


def _project(maker: Maker) -> Plan:
    plan = maker.plan()
    return Project(plan, tuple(Named(maker.fresh(), maker.value(plan.names)) for _ in range(2)))


def _filter(maker: Maker) -> Plan:
    plan = maker.plan()
    return Filter(plan, maker.condition(plan.names))


def _join(kind: JoinKind) -> Form:
    def make(maker: Maker) -> Plan:
        left, right = maker.plan(), maker.plan()
        return Join(left, right, kind, maker.pair(left, right))

    return make


def _cross(maker: Maker) -> Plan:
    return Join(maker.plan(), maker.plan(), JoinKind.INNER)


def _look_up(maker: Maker) -> Plan:
    """A left join to a unique key."""
    left, right = maker.plan(), maker.plan()
    key = maker.fresh()
    grouped = Aggregate(right, (Named(key, maker.column(right)),), (Named(maker.fresh(), maker.aggregate(right)),))
    return Join(left, grouped, JoinKind.LEFT, exp.EQ(this=maker.column(left), expression=ref(key)))


def _not_in(maker: Maker) -> Plan:
    left, right = maker.plan(), maker.plan()
    equal = exp.EQ(this=maker.column(left), expression=maker.column(right))
    return Join(left, right, JoinKind.ANTI, exp.Or(this=equal, expression=is_null(equal)))


def _existence(maker: Maker) -> Plan:
    left, right = maker.plan(), maker.plan()
    condition = maker.pair(left, right) if maker.random.random() < 0.8 else None
    name = maker.fresh()
    found = Existence(left, right, condition, name)
    number_ = when((ref(name), number(1)), otherwise=number(0))
    return Project(found, (*(Named(n, ref(n)) for n in left.names), Named(maker.fresh(), number_)))


def _exists_any(maker: Maker) -> Plan:
    return Join(maker.plan(), maker.plan(), maker.random.choice((JoinKind.SEMI, JoinKind.ANTI)))


def _aggregate(maker: Maker) -> Plan:
    plan = maker.plan()
    keys = tuple(Named(maker.fresh(), ref(n)) for n in maker.some(plan))
    return Aggregate(plan, keys, tuple(Named(maker.fresh(), maker.aggregate(plan)) for _ in range(2)))


def _by_key(maker: Maker) -> Plan:
    """GROUP BY a key, if a table has one, or what is equal to it, and what it determines."""
    other, keyed = maker.plan(), maker.renamed(max(maker.scans, key=lambda scan: len(scan.keys)))
    key, attribute = map(ref, keyed.names[:2])
    same = maker.column(other)
    plan: Plan = Join(other, keyed, JoinKind.INNER, exp.EQ(this=same, expression=key))
    if maker.coin():
        plan = Filter(plan, maker.condition(plan.names))
    keys = tuple(Named(maker.fresh(), expr) for expr in (maker.random.choice((key, same)), attribute))
    return Aggregate(plan, keys, tuple(Named(maker.fresh(), maker.aggregate(plan)) for _ in range(2)))


def _total(maker: Maker) -> Plan:
    plan = maker.plan()
    return Aggregate(plan, (), tuple(Named(maker.fresh(), maker.aggregate(plan)) for _ in range(3)))


def _rollup(maker: Maker) -> Plan:
    plan = maker.plan()
    keys = tuple(Named(maker.fresh(), ref(name)) for name in plan.names[:2])
    names = tuple(key.name for key in keys)
    sets = (names, names[:1], ()) if maker.random.random() < 0.7 else (names[:1], names[1:])
    aggregates = (Named(maker.fresh(), maker.aggregate(plan)), Named(maker.fresh(), call("grouping_id")))
    return Aggregate(plan, keys, aggregates, sets)


def _distinct(maker: Maker) -> Plan:
    plan = maker.plan()
    kept = maker.some(plan)
    return Distinct(Project(plan, tuple(Named(maker.fresh(), ref(name)) for name in kept)))


def _two(maker: Maker) -> tuple[Plan, Plan]:
    """Two plans of as many columns."""
    left, right = maker.plan(), maker.plan()
    width = maker.random.randint(1, min(2, len(left.names), len(right.names)))
    return tuple(  # type: ignore[return-value]
        Project(plan, tuple(Named(maker.fresh(), ref(name)) for name in plan.names[:width])) for plan in (left, right)
    )


def _union(maker: Maker) -> Plan:
    return Union(_two(maker))


def _set(kind: SetKind, all: bool) -> Form:
    return lambda maker: SetOperation(*_two(maker), kind, all)


def _window(maker: Maker) -> Plan:
    plan = maker.plan()
    random = maker.random
    name = random.choice(
        ("row_number", "rank", "dense_rank", "lag", "sum", "count", "max", "sum", "avg", "first_value")
    )
    arguments = [] if name in RANKING else [maker.column(plan)]
    over = exp.Window(this=call(name, *arguments), partition_by=[maker.column(plan)] if random.random() < 0.8 else [])
    if name in (*RANKING, "lag") or random.random() < 0.6:
        over.set("order", exp.Order(expressions=list(maker.order(plan))))
        if name not in (*RANKING, "lag") and random.random() < 0.5:
            over.set("spec", maker.random.choice(FRAMES).copy())
    return Window(plan, (Named(maker.fresh(), over),))


RANKING = ("row_number", "rank", "dense_rank")
ONE, UNBOUNDED, HERE = exp.Literal.number(1), "UNBOUNDED", "CURRENT ROW"
FRAMES = [
    exp.WindowSpec(kind="ROWS", start=UNBOUNDED, start_side="PRECEDING", end=HERE),
    exp.WindowSpec(kind="ROWS", start=ONE, start_side="PRECEDING", end=ONE, end_side="FOLLOWING"),
    exp.WindowSpec(kind="RANGE", start=UNBOUNDED, start_side="PRECEDING", end=UNBOUNDED, end_side="FOLLOWING"),
    exp.WindowSpec(kind="ROWS", start=HERE, end=UNBOUNDED, end_side="FOLLOWING"),
]


def _limit(maker: Maker) -> Plan:
    return _first(maker, maker.plan())


def _first_groups(maker: Maker) -> Plan:
    return _first(maker, maker.renamed(_aggregate(maker)))


def _first(maker: Maker, plan: Plan) -> Plan:
    offset = maker.random.choice((0, 0, 0, 1))
    return Limit(Sort(plan, tuple(maker.order(plan, 3))), maker.random.randint(0, 4), offset)


def _some(maker: Maker) -> Plan:
    return Limit(maker.plan(), maker.random.randint(0, 5))


def _values(maker: Maker) -> Plan:
    """Rows written out, some with caveats, beside those of a plan."""
    other = maker.plan()
    columns = tuple(Column(name=maker.fresh(), type="int") for _ in other.names)
    rows = tuple(tuple(_written(maker) for _ in columns) for _ in range(maker.random.randint(1, 3)))
    return Union((Values(rows, columns), other))


def _written(maker: Maker) -> Expr:
    value: Expr = NULL if maker.random.random() < 0.2 else number(maker.random.randrange(4))
    condition = exp.LT(this=number(maker.random.randrange(3)), expression=number(1))
    return call("caveat_if", value, condition, text("so it seems")) if maker.coin() else value


def _explode(maker: Maker) -> Plan:
    plan = maker.plan()
    array = when(
        (maker.comparison(plan.names), call("array", maker.column(plan), number(7))),
        otherwise=call("array", maker.column(plan)),
    )
    return Generate(plan, call("explode", array), (maker.fresh(),), maker.random.random() < 0.3)


FORMS: dict[str, Form] = {
    "project": _project,
    "filter": _filter,
    "inner join": _join(JoinKind.INNER),
    "cross join": _cross,
    "left join": _join(JoinKind.LEFT),
    "right join": _join(JoinKind.RIGHT),
    "full join": _join(JoinKind.FULL),
    "look up": _look_up,
    "exists": _join(JoinKind.SEMI),
    "not exists": _join(JoinKind.ANTI),
    "not in": _not_in,
    "existence": _existence,
    "exists any": _exists_any,
    "aggregate": _aggregate,
    "aggregate by key": _by_key,
    "global aggregate": _total,
    "rollup": _rollup,
    "distinct": _distinct,
    "union all": _union,
    "intersect": _set(SetKind.INTERSECT, False),
    "except": _set(SetKind.EXCEPT, False),
    "intersect all": _set(SetKind.INTERSECT, True),
    "except all": _set(SetKind.EXCEPT, True),
    "window": _window,
    "limit": _limit,
    "limit of groups": _first_groups,
    "limit without order": _some,
    "explode": _explode,
    "values": _values,
}
