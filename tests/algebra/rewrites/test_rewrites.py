"""Each pass, by what it makes of queries; and that all of them change nothing but the plan."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import pytest

from tests.support.golden_plans import assert_same_result
from tests.support.random_plans import SCANS, random_plan, random_tables
from tests.support.small_tables import SCOPE, register_small_tables
from trailbook.algebra import rewrites
from trailbook.algebra.bind import bind
from trailbook.algebra.expressions import ref
from trailbook.algebra.interpreter import interpret
from trailbook.algebra.plan import Filter, Named, Plan, Project, Scan
from trailbook.algebra.rewrites import AT_LAST, PIPELINE, simplified, tuned
from trailbook.algebra.show import show
from trailbook.algebra.spark_sql import to_sql
from trailbook.engine.engine import Engine
from trailbook.model.artifacts import Column

if TYPE_CHECKING:
    from pyspark.sql.connect.session import SparkSession


@dataclass(frozen=True)
class Case:
    title: str
    passes: tuple[str, ...]
    query: str
    after: str

    @property
    def runs(self) -> bool:
        """Whether Spark knows all functions, and gives the same each time."""
        return "has_caveat" not in self.query and "rand()" not in self.query


def read_cases() -> list[Case]:
    cases = []
    for block in (Path(__file__).parent / "cases.txt").read_text("utf-8").strip().split("\n\n"):
        before, after = block.split("\n---\n")
        title, passes, query = before.split("\n", 2)
        cases.append(Case(title.removeprefix("# "), tuple(passes.split()), query, after))
    return cases


@pytest.fixture(scope="module")
def spark(engine: Engine) -> Iterator[SparkSession]:
    with engine.session() as session:
        register_small_tables(session)
        yield session


@pytest.mark.parametrize("case", read_cases(), ids=lambda case: case.title)
def test_a_pass_makes_of_a_query(case: Case, spark: SparkSession) -> None:
    plan = before = bind(case.query, SCOPE)
    for name in case.passes:
        plan = getattr(rewrites, name)(plan)
    assert show(plan) == case.after
    assert plan.names == before.names
    if case.runs:
        assert_same_result(spark, case.query, to_sql(plan))


def test_every_pass_has_cases() -> None:
    assert {change.__name__ for change in PIPELINE + AT_LAST} == {name for case in read_cases() for name in case.passes}


def test_plans_of_any_depth_can_be_simplified() -> None:
    plan: Plan = Scan("t", SCOPE["t"])
    for _ in range(1500):
        plan = Filter(Project(plan, tuple(Named(name, ref(name)) for name in plan.names)), ref("c"))
    assert show(simplified(plan)) == "Filter c\n  Scan t(a, b, c)"


def test_random_plans_give_the_same_rows_when_simplified() -> None:
    for seed in range(300):
        random = Random(seed)
        plan, tables = random_plan(random, SCANS, 4), random_tables(random, SCANS)
        expected = Counter(map(repr, interpret(plan, tables)))
        assert Counter(map(repr, interpret(simplified(plan), tables))) == expected
        assert Counter(map(repr, interpret(tuned(simplified(plan)), tables))) == expected


def test_a_name_that_is_taken_in_other_letters_is_not_taken_again() -> None:
    scope = {**SCOPE, "v": (Column(name="d", type="int"), Column(name="__ASKED_1", type="int"))}
    plan = simplified(bind("SELECT a, (SELECT sum(__ASKED_1) FROM v WHERE d = a) AS n FROM t WHERE b > 1", scope))
    assert "Join semi on d = __asked_2" in show(tuned(plan))


def test_columns_of_types_that_only_spark_knows_ask_for_no_groups() -> None:
    scope = {**SCOPE, "v": (Column(name="d", type="unknown"), Column(name="e", type="unknown"))}
    groups = "SELECT d, max(e) AS x FROM v GROUP BY d"
    plan = simplified(bind(f"SELECT a, c, x FROM t LEFT JOIN ({groups}) ON x = d AND d = a WHERE b > 1", scope))
    assert show(tuned(plan)) == show(plan)
