"""What is acknowledged marks nothing, and stays listed."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from tests.caveats.cases import Case
from tests.caveats.doubting import doubting_case, without_marks
from tests.caveats.forms import FORMS
from tests.caveats.test_explain import counted, tables_of, traced
from tests.caveats.worlds import Row, Slot, Table, read_slots, violation
from trailbook.algebra.bind import bind
from trailbook.algebra.expressions import Expr, ref, rewrite
from trailbook.algebra.interpreter import compile_plan
from trailbook.algebra.mapping import map_expressions
from trailbook.algebra.plan import Named, Plan, Project
from trailbook.algebra.rewrites import prune_columns
from trailbook.algebra.traversal import transform
from trailbook.caveats.calls import UNSAID, caveat_call
from trailbook.caveats.explain import explain, explain_acknowledged
from trailbook.caveats.instrument import Traced, instrument, trace
from trailbook.caveats.reasons import Inherent, Raised, Stored
from trailbook.caveats.tables import data, phantoms
from trailbook.caveats.targets import Target
from trailbook.model.acknowledged import Acknowledged
from trailbook.model.artifacts import Column

ORDERS = (
    Column(name="id", type="int", nullable=False),
    Column(name="amount", type="string"),
    Column(name="city", type="string"),
)
ROWS = {"orders": [(1, "12", "Bern"), (2, "n/a", "Bern"), (3, "?", "Zug"), (4, None, "Zug")]}
CAST = "SELECT id, CAST(amount AS int) AS n FROM orders"


def everything(plan: Plan) -> Target:
    return Target(frozenset(plan.names), rows=True)


def listed(traced: Traced, plan: Plan) -> list[Acknowledged]:
    """The places of what marks the result."""
    reasons = explain(traced, everything(plan))
    return [Acknowledged(place=reason.place) for reason in reasons if not isinstance(reason, Stored)]


def rows(query: str, *acknowledged: Acknowledged) -> list[Any]:
    return compile_plan(data(instrument(bind(query, {"orders": ORDERS}), {}, acknowledged)))(ROWS)


def places(query: str, *acknowledged: Acknowledged) -> list[Acknowledged]:
    plan = bind(query, {"orders": ORDERS})
    return listed(trace(plan, {}, acknowledged), plan)


def test_a_set_that_is_acknowledged_marks_nothing() -> None:
    assert [row[-1] for row in rows(CAST)] == [0, 4, 4, 0]
    (place,) = places(CAST)
    assert rows(CAST, place) == [(1, 12), (2, None), (3, None), (4, None)]
    assert places(CAST, place) == []


def test_one_caveat_is_acknowledged_by_its_text() -> None:
    (place,) = places(CAST)
    one = Acknowledged(place=place.place, message="'n/a' is not an int")
    assert [row[-1] for row in rows(CAST, one)] == [0, 0, 4, 0]
    other = Acknowledged(place=place.place, message="'?' is not an int")
    assert [row[-1] for row in rows(CAST, one, other)] == [0, 0, 0, 0]
    assert [row[-1] for row in rows(CAST, Acknowledged(place="elsewhere", message=one.message))] == [0, 4, 4, 0]


def test_a_message_may_be_null_and_a_condition_too() -> None:
    query = "SELECT id, caveat_if(id, nullif(id, 1) > 2, nullif(amount, '?')) AS x FROM orders"
    (place,) = places(query)
    assert [row[-1] for row in rows(query)] == [4, 0, 4, 4]
    assert [row[-1] for row in rows(query, Acknowledged(place=place.place, message=UNSAID))] == [4, 0, 0, 0]
    assert [row[-1] for row in rows(query, Acknowledged(place=place.place, message="12"))] == [0, 0, 4, 4]


def test_what_is_acknowledged_inside_leaves_what_is_raised_around_it() -> None:
    query = "SELECT caveat_if(CAST(amount AS int), id = 2, 'odd') AS x FROM orders"
    inner, outer = sorted(places(query), key=lambda one: len(one.place))
    assert [row[-1] for row in rows(query, inner)] == [0, 2, 0, 0]
    assert [row[-1] for row in rows(query, outer)] == [0, 2, 2, 0]
    assert places(query, inner) == [outer]
    assert places(query, outer) == [inner]


def test_what_is_acknowledged_has_no_caveat() -> None:
    query = "SELECT count_if(has_caveat(CAST(amount AS int))) AS n FROM orders"
    (place,) = places(CAST)
    assert rows(query) == [(2,)]
    assert rows(query, place) == [(0,)]


def test_nobody_can_acknowledge_in_the_query() -> None:
    assert places("SELECT acknowledged_if(CAST(amount AS int), TRUE, 'fine') AS x FROM orders")


@pytest.mark.parametrize(
    "query",
    [
        "SELECT id, own_function(amount) AS x FROM orders",
        "SELECT id, rand() AS x FROM orders",
        "SELECT id FROM orders WHERE rand() < 0.5",
        "SELECT id, CASE WHEN rand() < 0.5 THEN 1 ELSE id END AS x FROM orders",
        "SELECT id FROM orders LIMIT 2",
        "SELECT id, amount FROM orders ORDER BY city LIMIT 3",
        "SELECT id, CAST(amount AS int) AS n FROM orders ORDER BY city LIMIT 3 OFFSET 1",
        "SELECT city, collect_list(id) AS ids, first(CAST(amount AS int)) AS n FROM orders GROUP BY city",
        "SELECT id, row_number() OVER (PARTITION BY city ORDER BY city) AS n FROM orders",
        "SELECT id, first_value(id) OVER (PARTITION BY city) AS n FROM orders",
        "SELECT id, sum(id) OVER (ORDER BY city ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) AS n FROM orders",
        "SELECT transform(split(amount, ','), x -> CAST(x AS int)) AS n FROM orders",
        "SELECT o.id FROM orders AS o LEFT JOIN orders AS p ON CAST(o.amount AS int) = p.id",
        "SELECT o.id, p.id AS other FROM orders AS o LEFT JOIN orders AS p ON o.id / p.id > 1",
        "SELECT * FROM orders TABLESAMPLE (50 PERCENT)",
    ],
)
def test_whatever_raises_a_caveat_can_be_acknowledged(query: str) -> None:
    plan = bind(query, {"orders": ORDERS}, lambda opaque: ORDERS)
    plain = trace(plan, {})
    assert not plain.slots.is_clean
    acknowledged = listed(plain, plan)
    assert acknowledged
    traced = trace(plan, {}, acknowledged)
    assert traced.slots.is_clean
    assert listed(traced, plan) == []
    found = explain_acknowledged(plain, acknowledged, everything(plan))
    assert {one.place for one in acknowledged} == {one.place for one in found if not isinstance(one, Stored)}
    assert all(one.acknowledged for one in found if not isinstance(one, Stored))


def test_a_limit_that_doubtful_rows_decide_stays_a_reason() -> None:
    query = "SELECT id FROM orders WHERE CAST(amount AS int) > 1 LIMIT 2"
    (limit,) = [one for one in places(query) if one.place.startswith("LIMIT 2")]
    assert limit in places(query, limit)
    assert limit not in places(query, *places(query))


@pytest.mark.parametrize("function", ["first(a)", "any_value(a)", "last_value(a)"])
def test_a_null_that_may_be_absent_is_no_part_of_what_was_acknowledged(function: str) -> None:
    table = Table("t", (Column(name="a", type="int"),), (Slot((None,), (False,), row=True), Slot((5,), (False,))))
    plan = bind(f"SELECT {function} OVER () AS x FROM t", {"t": table.scan})
    case = Case((table,), plan)
    acknowledged = fixpoint(case)
    assert acknowledged
    assert all(slot.marks == (True,) for slot in read(case, acknowledged))


def test_a_query_has_the_same_places_each_time() -> None:
    query = "SELECT city, first(CAST(amount AS int) / id) AS x FROM orders GROUP BY city LIMIT 3"
    assert places(query) == places(query)
    assert not any("__" in one.place for one in places(query))


def fixpoint(case: Case) -> list[Acknowledged]:
    """What is listed, acknowledged until nothing more is."""
    doubts = {table.name: table.doubt for table in case.tables}
    found: list[Acknowledged] = []
    while new := [one for one in listed(trace(case.plan, doubts, found), case.plan) if one not in found]:
        found += new
    return found


def read(case: Case, acknowledged: list[Acknowledged]) -> list[Slot]:
    slots = instrument(case.plan, {table.name: table.doubt for table in case.tables}, acknowledged)
    late, width, stored = phantoms(slots), len(case.plan.names), tables_of(case)
    there = read_slots(compile_plan(data(slots))(stored), width, phantom=False)
    return there + (read_slots(compile_plan(late)(stored), width, phantom=True) if late else [])


def without_calls(plan: Plan) -> Plan:
    """The plan with values that nobody doubts any more."""

    def plain(node: Expr) -> Expr:
        found = caveat_call(node)
        return found.value if found else node

    return transform(plan, lambda operator: map_expressions(operator, lambda expr: rewrite(expr, plain)))


@pytest.mark.parametrize("form", FORMS)
def test_over_tables_without_doubt_nothing_is_marked_once_all_is_acknowledged(form: str) -> None:
    for seed in range(3):
        case = without_marks(doubting_case(seed, form))
        slots = read(case, fixpoint(case))
        assert all(slot.is_sure and not any(slot.marks) for slot in slots), f"seed {seed}\n{case}"


@pytest.mark.parametrize("form", FORMS)
def test_what_is_acknowledged_leaves_the_doubts_about_tables(form: str) -> None:
    for seed in range(3):
        case = doubting_case(seed, form)
        acknowledged = [one for one in fixpoint(case) if one.place.startswith("caveat_if")]
        slots = read(case, acknowledged)
        for world in Case(case.tables, without_calls(case.plan)).worlds(Random(seed), 20):
            assert violation(slots, world) is None, f"seed {seed}\n{case}\n{slots}\n{world}"


@pytest.mark.parametrize("form", FORMS)
def test_what_is_acknowledged_stays_listed(form: str) -> None:
    for seed in range(3):
        case = doubting_case(seed, form)
        stored, plain = tables_of(case), traced(case)
        after = explain_acknowledged(plain, fixpoint(case), everything(case.plan))
        for one in explain(plain, everything(case.plan)):
            if isinstance(one, Raised):
                same = [found for found in after if isinstance(found, Raised) and found.place == one.place]
                assert counted(one, stored) in [counted(found, stored) for found in same], f"seed {seed}\n{case}"
            elif isinstance(one, Inherent):
                assert Inherent(one.place, acknowledged=True) in after


@pytest.mark.parametrize("form", FORMS)
def test_a_set_is_acknowledged_with_the_last_of_its_texts(form: str) -> None:
    for seed in range(2):
        case = doubting_case(seed, form)
        stored, doubts = tables_of(case), {table.name: table.doubt for table in case.tables}
        found = [one for one in explain(traced(case), everything(case.plan)) if isinstance(one, Raised)]
        texts = [Acknowledged(place=one.place, message=text) for one in found for text in messages(one, stored)]
        left = explain(trace(case.plan, doubts, texts), everything(case.plan))
        assert not any(counted(one, stored) for one in left if isinstance(one, Raised)), f"seed {seed}\n{case}"


def messages(reason: Raised, stored: dict[str, list[Row]]) -> set[str]:
    shown = prune_columns(Project(reason.members, (Named("message", ref("message")),)))
    return {message for (message,) in compile_plan(shown)(stored)}
