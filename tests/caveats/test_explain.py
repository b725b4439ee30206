"""What is marked and what is listed agree: a marked value has a reason, and a reason that is listed can be found."""

from __future__ import annotations

import pytest

from tests.caveats.cases import Case, random_case
from tests.caveats.doubting import doubting_case
from tests.caveats.forms import FORMS
from tests.caveats.test_certain import KINDS, PARTS
from tests.caveats.worlds import Row, Table
from trailbook.algebra.bind import bind
from trailbook.algebra.expressions import TRUE, both, negated
from trailbook.algebra.interpreter import compile_plan
from trailbook.algebra.plan import Filter
from trailbook.caveats.bits import any_mark
from trailbook.caveats.explain import explain
from trailbook.caveats.instrument import Traced, instrument, trace
from trailbook.caveats.reasons import Inherent, Raised, Reason, Stored, distinct_count
from trailbook.caveats.targets import Target, is_row, missing


def traced(case: Case) -> Traced:
    return trace(case.plan, {table.name: table.doubt for table in case.tables})


def tables_of(case: Case) -> dict[str, list[Row]]:
    stored: dict[str, list[Row]] = {}
    for table in case.tables:
        stored |= table.stored()
    return stored


def reasons(case: Case, target: Target) -> list[Reason]:
    """Those with members."""
    tables = tables_of(case)
    return [reason for reason in explain(traced(case), target) if _has_members(reason, case, tables)]


def _has_members(reason: Reason, case: Case, tables: dict[str, list[Row]]) -> bool:
    match reason:
        case Inherent():
            return True
        case Raised():
            return counted(reason, tables) > 0
        case Stored():
            return _is_in_doubt(next(table for table in case.tables if table.name == reason.table), reason, tables)


def counted(reason: Raised, tables: dict[str, list[Row]]) -> int:
    ((count,),) = compile_plan(distinct_count(reason.members))(tables)
    return int(count)


def _is_in_doubt(table: Table, reason: Stored, tables: dict[str, list[Row]]) -> bool:
    slots = instrument(table.scan, {table.name: table.doubt})
    rows = [slots.doubt, negated(slots.present)] if reason.rows else []
    condition = both(reason.where, any_mark(slots.any_mark(reason.columns), *rows))
    return bool(compile_plan(Filter(slots.plan, condition))(tables))


@pytest.mark.parametrize("form", FORMS)
def test_what_is_marked_has_a_reason(form: str) -> None:
    for case, seed in ((make(seed, form), seed) for seed in range(4) for make in (random_case, doubting_case)):
        slots = case.slots()
        for slot in (slot for slot in slots if not slot.phantom):
            where = is_row(dict(zip(case.plan.names, slot.values, strict=True)))
            marked = [name for name, mark in zip(case.plan.names, slot.marks, strict=True) if mark]
            for target in (
                *(Target(frozenset({name}), where=where) for name in marked),
                *([Target(frozenset(), rows=True, where=where)] if slot.row else []),
            ):
                assert reasons(case, target), f"seed {seed}, {slot}, {target}\n{case}"
        if any(slot.phantom for slot in slots):
            assert reasons(case, missing(traced(case).slots)), f"seed {seed}, missing rows\n{case}"


def about(query: str, column: str) -> list[Reason]:
    case = Case((PARTS, KINDS), bind(query, {"parts": PARTS.scan, "kinds": KINDS.scan}))
    return reasons(case, Target(frozenset({column})))


def test_the_reason_of_a_sum_is_the_column_it_sums() -> None:
    found = about("SELECT kind, sum(price) AS s FROM parts GROUP BY kind", "s")
    assert found == [Stored("parts", frozenset({"price"}), True, TRUE)]


def test_a_call_of_caveat_is_a_reason_where_it_is_reached() -> None:
    query = "SELECT CASE WHEN id = 1 THEN caveat(kind, 'guessed') ELSE kind END AS k FROM parts"
    assert [type(reason) for reason in about(query, "k")] == [Raised]
    assert about(query.replace("id = 1", "id = 99"), "k") == []


def test_an_operator_can_be_the_reason() -> None:
    case = Case((PARTS, KINDS), bind("SELECT id FROM parts LIMIT 2", {"parts": PARTS.scan, "kinds": KINDS.scan}))
    assert any(isinstance(reason, Inherent) for reason in reasons(case, Target(frozenset(), rows=True)))


@pytest.mark.parametrize(
    ("query", "row"),
    [
        ("SELECT id, other, price FROM (SELECT id, kind FROM parts) LEFT JOIN {guessed} ON kind = other", (1, 1, 20)),
        ("SELECT id, other, price FROM (SELECT id, kind FROM parts) FULL JOIN {guessed} ON kind = other", (1, 1, 20)),
        ("SELECT size, other, price FROM kinds FULL JOIN {guessed} ON kind = other AND price > 15", (7, 1, 20)),
        ("SELECT DISTINCT other, price FROM {guessed}", (1, 20)),
        ("SELECT other, price, count(*) AS n FROM {guessed} GROUP BY other, price", (1, 20, 1)),
    ],
)
def test_a_row_is_explained_by_rows_with_its_certain_keys(query: str, row: Row) -> None:
    guessed = "(SELECT kind AS other, caveat(price, concat('kind ', kind)) AS price FROM parts WHERE id <> 3)"
    plan = bind(query.format(guessed=guessed), {"parts": PARTS.scan, "kinds": KINDS.scan})
    case = Case((PARTS, KINDS), plan)
    found = reasons(case, Target(frozenset({"price"}), where=is_row(dict(zip(plan.names, row, strict=True)))))
    raised = [compile_plan(reason.members)(tables_of(case)) for reason in found if isinstance(reason, Raised)]
    assert {message for members in raised for _, message in members} == {"kind 1"}
