"""TPC-H's queries: the plan of each, and that it means what the query says."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.algebra.tpch.data import TABLES
from tests.support.golden_plans import assert_same_result, check_plan, register
from tests.support.made_tables import make_tables
from trailbook.algebra.bind import bind
from trailbook.algebra.plan import Opaque
from trailbook.algebra.rewrites import simplified
from trailbook.algebra.spark_sql import to_sql
from trailbook.algebra.traversal import bottom_up
from trailbook.engine.engine import Engine

if TYPE_CHECKING:
    from pyspark.sql.connect.session import SparkSession

QUERIES = sorted((Path(__file__).parent / "tpch").glob("*.sql"))
SCOPE = {name: table.schema for name, table in TABLES.items()}


@pytest.fixture(scope="module")
def spark(engine: Engine) -> Iterator[SparkSession]:
    with engine.session() as session:
        register(session, make_tables(TABLES, seed=11))
        yield session


@pytest.mark.parametrize("query", QUERIES, ids=lambda query: query.stem)
def test_the_plan_is_the_known_one_and_gives_what_the_query_gives(query: Path, spark: SparkSession) -> None:
    text = query.read_text("utf-8")
    plan = bind(text, SCOPE)
    check_plan(query, plan)
    assert not any(isinstance(operator, Opaque) for operator in bottom_up(plan))
    assert_same_result(spark, text, to_sql(plan), to_sql(simplified(plan)))
