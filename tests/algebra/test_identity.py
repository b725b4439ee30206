"""Who rows are: each result's rows have names of their own, and keep them when other rows come."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pyarrow as pa
import pytest

from tests.support.small_tables import SCOPE, TABLES, register_small_tables
from trailbook.algebra.bind import bind
from trailbook.algebra.identity import ROW, with_identity
from trailbook.algebra.plan import Scan
from trailbook.algebra.show import show
from trailbook.algebra.spark_sql import to_sql
from trailbook.engine.engine import Engine

if TYPE_CHECKING:
    from pyspark.sql.connect.session import SparkSession

MORE = {
    "t": pa.table({"a": [1, 7, None], "b": [2, 7, 3], "c": [True, None, None]}, TABLES["t"].schema),
    "u": pa.table({"d": [1, 9], "e": ["x", None]}, TABLES["u"].schema),
}
"""Further rows: equals of some that are there, and others."""

GROWING = [
    "SELECT * FROM t",
    "SELECT b + 1 AS x FROM t WHERE a > 0 OR c",
    "SELECT a, e FROM t JOIN u ON a = d",
    "SELECT a FROM t LEFT SEMI JOIN u ON a = d",
    "SELECT a FROM t UNION ALL SELECT d FROM u UNION ALL SELECT a FROM t",
    "SELECT DISTINCT b, c FROM t",
    "SELECT a FROM t INTERSECT SELECT d FROM u",
    "SELECT a FROM t INTERSECT ALL SELECT d FROM u",
    "SELECT x, a FROM t LATERAL VIEW explode(array(a, b, a)) AS x",
    "SELECT x, p FROM t LATERAL VIEW OUTER posexplode(CASE WHEN c THEN array(a, a) END) AS p, x",
    "SELECT x, y FROM t LATERAL VIEW inline(array(struct(a, b), struct(a, b))) AS x, y",
    "SELECT x FROM (VALUES (1), (1), (NULL)) AS v(x)",
    "SELECT named_struct('x', array(a, NULL)) AS s FROM t GROUP BY a",
]
"""Queries whose results keep all rows when their tables get more."""

CHANGING = [
    "SELECT t.a, e FROM t FULL JOIN u ON a = d AND e <> 'x'",
    "SELECT a FROM t LEFT ANTI JOIN u ON a = d",
    "SELECT a, b, sum(b) AS s FROM t GROUP BY CUBE (a, b)",
    "SELECT a, sum(b) AS s FROM t GROUP BY GROUPING SETS ((a), (a), ())",
    "SELECT count(*) AS n FROM t",
    "SELECT a FROM t EXCEPT ALL SELECT d FROM u",
    "SELECT a, rank() OVER (ORDER BY b) AS r, EXISTS (SELECT 1 FROM u WHERE d = a) AS e FROM t",
    "SELECT a, b FROM t ORDER BY b DESC, a LIMIT 3",
]


@pytest.fixture(scope="module")
def spark(engine: Engine) -> Iterator[SparkSession]:
    with engine.session() as session:
        register_small_tables(session)
        for name, table in MORE.items():
            grown = pa.concat_tables([table, TABLES[name]])
            session.createDataFrame(grown).createOrReplaceTempView(f"more_{name}")
        yield session


def rows(spark: SparkSession, query: str, prefix: str = "") -> dict[str, tuple[object, ...]]:
    """The rows of a query by their names."""
    plan = with_identity(bind(query, SCOPE))
    assert plan.names == (*bind(query, SCOPE).names, ROW)
    found = spark.sql(to_sql(plan, lambda name: prefix + name)).toArrow().to_pylist()
    by_name = {row.pop(ROW): tuple(row.values()) for row in found}
    assert len(by_name) == len(found)
    assert None not in by_name
    return by_name


@pytest.mark.parametrize("query", GROWING)
def test_rows_keep_their_names_when_others_are_added(query: str, spark: SparkSession) -> None:
    before, after = rows(spark, query), rows(spark, query, "more_")
    assert before.items() <= after.items() if "struct" not in query else before.keys() <= after.keys()


@pytest.mark.parametrize("query", CHANGING)
def test_no_two_rows_have_the_same_name(query: str, spark: SparkSession) -> None:
    expected = sorted(map(repr, (tuple(row.values()) for row in spark.sql(query).toArrow().to_pylist())))
    assert sorted(map(repr, rows(spark, query).values())) == expected


def test_groups_keep_their_names_when_their_values_change(spark: SparkSession) -> None:
    query = "SELECT b, count(*) AS n FROM t GROUP BY b"
    assert rows(spark, query).keys() <= rows(spark, query, "more_").keys()


def test_names_are_128_bits(spark: SparkSession) -> None:
    for name in rows(spark, "SELECT * FROM t JOIN u ON a = d"):
        assert all(0 <= int(half, 16) < 2**64 for half in name.split("-"))
        assert len(name.split("-")) == 2


def test_a_table_that_names_its_rows_is_asked() -> None:
    plan = with_identity(Scan("t", SCOPE["t"]), stored={"t"})
    assert show(plan) == "Project a, b, c, __row\n  Scan t(a, b, c, __row)"


def test_names_of_rows_that_do_not_matter_are_not_computed() -> None:
    plan = with_identity(bind("SELECT a, count(*) AS n FROM t JOIN u ON a = d GROUP BY a", SCOPE))
    assert show(plan).count("xxhash64") == 2
