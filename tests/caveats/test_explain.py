"""What is marked and what is listed agree: a marked value has a reason, and a reason that is listed can be found."""

from __future__ import annotations

import pytest

from tests.caveats.cases import Case, random_case
from tests.caveats.forms import FORMS
from tests.caveats.test_certain import KINDS, PARTS
from tests.caveats.worlds import Row
from trailbook.algebra.bind import bind
from trailbook.algebra.expressions import TRUE
from trailbook.algebra.interpreter import compile_plan
from trailbook.caveats.explain import Inherent, Raised, Reason, Stored, Target, explain, missing
from trailbook.caveats.instrument import trace


def tables_of(case: Case) -> dict[str, list[Row]]:
    stored: dict[str, list[Row]] = {}
    for table in case.tables:
        stored |= table.stored()
    return stored


def reasons(case: Case, target: Target) -> list[Reason]:
    """Those with members."""
    traced = trace(case.plan, {table.name: table.doubt for table in case.tables})
    tables = tables_of(case)
    found = explain(traced, target)
    return [reason for reason in found if not isinstance(reason, Raised) or compile_plan(reason.members)(tables)]


@pytest.mark.parametrize("form", FORMS)
def test_what_is_marked_has_a_reason(form: str) -> None:
    for seed in range(12):
        case = random_case(seed, form)
        slots = case.slots()
        for index, name in enumerate(case.plan.names):
            if any(slot.marks[index] for slot in slots if not slot.phantom):
                assert reasons(case, Target(frozenset({name}))), f"seed {seed}, column {name}\n{case}"
        if any(slot.row for slot in slots if not slot.phantom):
            assert reasons(case, Target(frozenset(), rows=True)), f"seed {seed}, rows\n{case}"
        if any(slot.phantom for slot in slots):
            traced = trace(case.plan, {table.name: table.doubt for table in case.tables})
            assert reasons(case, missing(traced.slots)), f"seed {seed}, missing rows\n{case}"


def about(query: str, column: str) -> list[Reason]:
    case = Case((PARTS, KINDS), bind(query, {"parts": PARTS.scan, "kinds": KINDS.scan}))
    return reasons(case, Target(frozenset({column})))


def test_the_reason_of_a_sum_is_the_column_it_sums() -> None:
    assert Stored("parts", "price", TRUE) in about("SELECT kind, sum(price) AS s FROM parts GROUP BY kind", "s")


def test_a_call_of_caveat_is_a_reason_where_it_is_reached() -> None:
    query = "SELECT CASE WHEN id = 1 THEN caveat(kind, 'guessed') ELSE kind END AS k FROM parts"
    assert [type(reason) for reason in about(query, "k")] == [Raised]
    assert about(query.replace("id = 1", "id = 99"), "k") == []


def test_an_operator_can_be_the_reason() -> None:
    case = Case((PARTS, KINDS), bind("SELECT id FROM parts LIMIT 2", {"parts": PARTS.scan, "kinds": KINDS.scan}))
    assert any(isinstance(reason, Inherent) for reason in reasons(case, Target(frozenset(), rows=True)))
