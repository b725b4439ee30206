"""The members of caveat sets, as Spark finds them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

from tests.caveats.cases import Case
from tests.caveats.doubting import doubting_case
from tests.caveats.forms import FORMS
from tests.caveats.test_explain import counted, tables_of, traced
from tests.support.spark_answers import spark_answers, tiny_session
from trailbook.algebra.bind import bind
from trailbook.algebra.plan import Scan
from trailbook.algebra.spark_sql import to_sql
from trailbook.caveats.explain import explain
from trailbook.caveats.instrument import trace
from trailbook.caveats.reasons import Raised, distinct_count
from trailbook.caveats.targets import Target
from trailbook.engine import Engine
from trailbook.model.artifacts import Column

if TYPE_CHECKING:
    from pyspark.sql.connect.session import SparkSession

COLUMNS = (Column(name="id", type="int"), Column(name="amount", type="string"))
NAMED = (*COLUMNS, Column(name="__row", type="string"))
AT_ONCE = 6
SEED = 1
ROWS = [(1, "12", "p"), (2, "n/a", "q"), (2, "n/a", "r"), (3, "?", "s")]


@pytest.fixture(scope="module")
def spark(engine: Engine) -> Iterator[SparkSession]:
    with tiny_session(engine, [Scan("orders", NAMED)], {"orders": ROWS}) as session:
        yield session


def scans_of(case: Case) -> Iterator[Scan]:
    """The tables as they are stored."""
    mask = Column(name="__mask", type="bigint")
    for table in case.tables:
        for name in table.stored():
            yield Scan(name, table.columns if table.doubt.is_none else (*table.columns, mask))


def test_on_spark_sets_have_the_members_that_the_interpreter_finds(engine: Engine) -> None:
    cases = [doubting_case(SEED, form) for form in list(FORMS)[::6]]
    tables = tables_of(cases[0])
    found = [
        (case, reason)
        for case in cases
        for reason in explain(traced(case), Target(frozenset(case.plan.names), rows=True))
        if isinstance(reason, Raised)
    ]
    with tiny_session(engine, list(scans_of(cases[0])), tables) as session:
        for start in range(0, len(found), AT_ONCE):
            part = found[start : start + AT_ONCE]
            answers = spark_answers(session, [to_sql(reason.named_members) for _, reason in part])
            for (case, reason), answer in zip(part, answers, strict=True):
                assert answer.total() == counted(reason, tables), f"{reason.place}\n{case}"
                assert len({row[0] for row in answer}) == answer.total(), f"{reason.place}\n{case}"


def members(query: str, spark: SparkSession, *columns: str, stored: bool = True) -> list[dict[str, Any]]:
    plan = bind(query, {"orders": COLUMNS})
    (found,) = explain(trace(plan, {}), Target(frozenset(columns)), ["orders"] if stored else [])
    assert isinstance(found, Raised)
    return sorted(spark.sql(to_sql(found.named_members)).toArrow().to_pylist(), key=lambda row: row["row"])


def test_a_member_names_the_row_that_it_is_about(spark: SparkSession) -> None:
    query = "SELECT id, CAST(amount AS int) AS n FROM orders WHERE id < 3"
    assert members(query, spark, "n") == [
        {"row": row, "id": None, "message": "'n/a' is not an int"} for row in ("q", "r")
    ]
    assert members(query, spark, "id", "n") == members(query, spark, "n")


def test_rows_that_are_equal_have_names_of_their_own(spark: SparkSession) -> None:
    query = "SELECT sum(caveat_if(id, id = 2, 'so it seems', id)) AS s FROM orders"
    found = members(query, spark, "s", stored=False)
    assert len({member["row"] for member in found}) == 2
    assert [(member["id"], member["message"]) for member in found] == [(2, "so it seems")] * 2


def test_counting_members_names_no_rows() -> None:
    plan = bind("SELECT CAST(amount AS int) AS n FROM orders", {"orders": COLUMNS})
    (found,) = explain(trace(plan, {}), Target(frozenset({"n"})))
    assert isinstance(found, Raised)
    assert "xxhash64" in to_sql(found.named_members)
    assert "xxhash64" not in to_sql(distinct_count(found.named_members))
    assert "row_number" not in to_sql(distinct_count(found.named_members))
