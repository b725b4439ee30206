"""A SQL cell's text is one query, and the datasets it reads are known before it runs."""

from __future__ import annotations

import pytest

from trailbook.algebra.query import Query, read_query
from trailbook.errors import CellFailed


@pytest.mark.parametrize(
    ("text", "tables"),
    [
        ("SELECT 1", set()),
        ("SELECT * FROM sales", {"sales"}),
        ("select a.x from A as a join `B` using (x)", {"A", "B"}),
        ("WITH t AS (SELECT * FROM sales) SELECT * FROM t", {"sales"}),
        ("WITH sales AS (SELECT * FROM sales) SELECT * FROM sales", {"sales"}),
        ("WITH RECURSIVE t(n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM t WHERE n < 9) SELECT * FROM t", set()),
        ("SELECT (SELECT max(x) FROM b) FROM a WHERE y IN (SELECT y FROM c)", {"a", "b", "c"}),
        ("SELECT * FROM a UNION ALL SELECT * FROM b;", {"a", "b"}),
        ("SELECT * FROM range(10)", set()),
        ("SELECT e FROM a LATERAL VIEW explode(xs) AS e", {"a"}),
        ("SELECT * FROM a LATERAL VIEW explode((SELECT collect_list(x) FROM b)) AS e", {"a", "b"}),
        ("SELECT x FROM a UNION TABLE b", {"a", "b"}),
        ("TABLE a", {"a"}),
        ("VALUES (1, 2)", set()),
        ("FROM a SELECT x", {"a"}),
        ("SELECT '-- DROP TABLE x' FROM a -- ; DROP TABLE b", {"a"}),
        ("SELECT 1 FROM a; -- the end", {"a"}),
        ("WITH T AS (SELECT 1) SELECT * FROM t", set()),
        ("SELECT identifier, transform(xs, x -> x) FROM a JOIN b USING (identifier)", {"a", "b"}),
    ],
)
def test_the_tables_of_a_query_are_its_reads(text: str, tables: set[str]) -> None:
    assert read_query(text).tables == frozenset(tables)


@pytest.mark.parametrize(
    "text",
    [
        "DROP TABLE sales",
        "CREATE TABLE t AS SELECT 1",
        "INSERT INTO t SELECT 1",
        "SET spark.sql.ansi.enabled = false",
        "CACHE TABLE sales",
        "ADD JAR '/tmp/x.jar'",
        "SELECT 1; DROP TABLE sales",
        "",
        "-- nothing but a comment",
        "SELECT * FROM parquet.`/etc/passwd`",
        "SELECT * FROM other.schema.sales",
        "SELECT reflect('java.lang.System', 'exit', 1)",
        "SELECT java_method('java.lang.System', 'getenv', 'HOME')",
        "SELECT x FROM (SELECT try_reflect('a', 'b') AS x)",
        "SELECT `reflect`/**/('a', 'b') FROM a UNION TABLE b",
        "SELECT * FROM IDENTIFIER('sales')",
        "SELECT TRANSFORM(a) USING 'id' FROM sales",
        "FROM sales MAP a USING 'id'",
        "SELECT 'no end",
        "SELECT",
        "SELECT;",
    ],
)
def test_what_is_not_one_harmless_query_is_refused(text: str) -> None:
    with pytest.raises(CellFailed):
        read_query(text)


def test_text_that_only_spark_may_understand_passes() -> None:
    query = read_query("SELECT FROM WHERE (( sales;")
    assert query.text == "SELECT FROM WHERE (( sales"
    assert query.tables == frozenset()
    assert "sales" in query.mentions


def test_nesting_beyond_the_parser_is_left_to_spark() -> None:
    deep = "SELECT " + "(" * 5000 + "1" + ")" * 5000
    assert read_query(deep) == Query(deep, frozenset(), frozenset({"SELECT"}))


@pytest.mark.parametrize(
    "text",
    [
        "SELECT a,, b FROM t",
        "SELECT , a FROM t",
        "SELECT f(a,) FROM t",
        "SELECT f(, a) FROM t",
        "SELECT a FROM t,",
        "SELECT a FROM t ORDER BY a,",
        "SELECT FROM t",
        "SELECT DISTINCT FROM t",
    ],
)
def test_what_lacks_a_part_is_left_to_spark_to_refuse(text: str) -> None:
    assert not read_query(text).tables
