"""How many of the marks are needed: without one that is, some world would break the guarantee.

An open phantom of which little is known covers nearly any row, and so would hide that a mark elsewhere is needed. So
a mark also counts as needed if it is in a world that is covered without the open phantoms.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from random import Random

from sqlglot import exp

from tests.caveats.cases import Case, random_table
from tests.caveats.worlds import Row, Slot, violation
from trailbook.algebra.expressions import Expr, call, ref
from trailbook.algebra.plan import (
    Aggregate,
    Distinct,
    Filter,
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
    Window,
)

Shape = Callable[[Scan, Scan, Scan], Plan]
CASES, WORLDS = 60, 60
TABLES = {"r": "abc", "s": "de", "t": "fg"}


def needed(shape: Shape) -> dict[str, float]:
    """The share of the marks of values and of rows that are needed, over many small databases."""
    made: Counter[str] = Counter()
    useful: Counter[str] = Counter()
    for seed in range(CASES):
        random = Random(seed)
        tables = [random_table(random, name, columns, (0.0, 0.1, 0.3)) for name, columns in TABLES.items()]
        case = Case(tuple(tables), shape(*(table.scan for table in tables)))
        slots, answers = case.slots(), list(case.worlds(random, WORLDS))
        for kind, fewer in _without_one(slots):
            made[kind] += 1
            useful[kind] += any(violation(fewer, rows) or _breaks(slots, fewer, rows) for rows in answers)
    return {kind: useful[kind] / made[kind] for kind in made}


def _breaks(slots: list[Slot], fewer: list[Slot], rows: list[Row]) -> bool:
    """Whether the world is covered without open phantoms, but not without this mark."""
    return not violation(_closed(slots), rows) and bool(violation(_closed(fewer), rows))


def _closed(slots: list[Slot]) -> list[Slot]:
    return [slot for slot in slots if not slot.is_open]


def _without_one(slots: list[Slot]) -> Iterator[tuple[str, list[Slot]]]:
    """The slots with one mark less, in every way."""
    for index, slot in enumerate(slots):
        if slot.phantom:
            continue
        before, after = slots[:index], slots[index + 1 :]
        if slot.row:
            yield "rows", [*before, replace(slot, row=False), *after]
        for position, marked in enumerate(slot.marks):
            if marked:
                marks = (*slot.marks[:position], False, *slot.marks[position + 1 :])
                yield "values", [*before, replace(slot, marks=marks), *after]


def _equal(one: str, other: str) -> Expr:
    return exp.EQ(this=ref(one), expression=ref(other))


def _join(kind: JoinKind) -> Shape:
    return lambda r, s, t: Join(s, t, kind, _equal("d", "f"))


def _set(kind: SetKind, all: bool = False) -> Shape:
    return lambda r, s, t: SetOperation(_only(s, "d"), _only(t, "f"), kind, all)


def _only(plan: Plan, *names: str) -> Plan:
    return Project(plan, tuple(Named(name, ref(name)) for name in names))


def _aggregate(aggregate: Expr) -> Shape:
    return lambda r, s, t: Aggregate(r, (Named("a", ref("a")),), (Named("x", aggregate),))


def _window(function: Expr, ordered: bool) -> Shape:
    order = exp.Order(expressions=[exp.Ordered(this=ref("b"))]) if ordered else None
    over = exp.Window(this=function, partition_by=[ref("a")], order=order)
    return lambda r, s, t: Window(r, (Named("x", over),))


SHAPES: dict[str, Shape] = {
    "project": lambda r, s, t: Project(r, (Named("x", exp.Add(this=ref("a"), expression=ref("b"))),)),
    "filter": lambda r, s, t: Filter(r, exp.GTE(this=ref("a"), expression=ref("b"))),
    "inner join": _join(JoinKind.INNER),
    "left join": _join(JoinKind.LEFT),
    "full join": _join(JoinKind.FULL),
    "exists": _join(JoinKind.SEMI),
    "not exists": _join(JoinKind.ANTI),
    "sum": _aggregate(call("sum", ref("b"))),
    "count": _aggregate(call("count", exp.Star())),
    "max": _aggregate(call("max", ref("b"))),
    "distinct": lambda r, s, t: Distinct(_only(r, "a")),
    "intersect": _set(SetKind.INTERSECT),
    "except": _set(SetKind.EXCEPT),
    "intersect all": _set(SetKind.INTERSECT, all=True),
    "except all": _set(SetKind.EXCEPT, all=True),
    "window sum": _window(call("sum", ref("c")), ordered=False),
    "rank": _window(call("rank"), ordered=True),
    "row_number": _window(call("row_number"), ordered=True),
    "limit": lambda r, s, t: Limit(Sort(r, (exp.Ordered(this=ref("a")),)), 2),
}
