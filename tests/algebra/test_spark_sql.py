"""Plans as SQL: what the text looks like, and that Spark finds in it what the plan says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from textwrap import dedent
from typing import TYPE_CHECKING

import pytest

from tests.support.small_tables import ROWS, SCOPE, register_small_tables
from trailbook.algebra.bind import bind
from trailbook.algebra.expressions import NULL, call, number, ref, text
from trailbook.algebra.interpreter import interpret
from trailbook.algebra.plan import (
    Aggregate,
    Distinct,
    Existence,
    Filter,
    Join,
    JoinKind,
    Limit,
    Named,
    Opaque,
    Plan,
    Project,
    Scan,
    SetKind,
    SetOperation,
    Union,
    Values,
)
from trailbook.algebra.spark_frame import LONGEST, frame
from trailbook.algebra.spark_sql import to_sql
from trailbook.algebra.traversal import bottom_up
from trailbook.engine.engine import Engine
from trailbook.model.artifacts import Column

if TYPE_CHECKING:
    from pyspark.sql.connect.session import SparkSession

T, U = Scan("t", SCOPE["t"]), Scan("u", SCOPE["u"])
AB = Project(T, (Named("a", ref("a")), Named("b", ref("b"))))
SUM = Named("s", call("sum", ref("b")))

TEXTS = [
    (
        "SELECT a, sum(b) AS s FROM t WHERE a > 0 GROUP BY a HAVING sum(b) > 1 ORDER BY s DESC LIMIT 3",
        """
        SELECT a, sum(b) AS s
        FROM t
        WHERE a > 0
        GROUP BY a
        HAVING sum(t.b) > 1
        ORDER BY s DESC
        LIMIT 3
        """,
    ),
    (
        "SELECT t.a, v.e FROM t JOIN u ON a = d LEFT JOIN u v ON t.b = v.d WHERE u.e = 'x'",
        """
        SELECT t.a, u_1.e
        FROM t
        JOIN u
          ON t.a = u.d
        LEFT JOIN u AS u_1
          ON t.b = u_1.d
        WHERE u.e = 'x'
        """,
    ),
    (
        "SELECT a FROM t WHERE a NOT IN (SELECT d FROM u)",
        """
        SELECT t.a
        FROM t
        LEFT ANTI JOIN u
          ON t.a = u.d OR (t.a = u.d) IS NULL
        """,
    ),
    (
        "SELECT a FROM t WHERE EXISTS (SELECT 1 FROM u WHERE d = a)",
        """
        SELECT a
        FROM t
        WHERE t.a IN (SELECT d FROM u)
        """,
    ),
    (
        "SELECT a FROM t WHERE a IN (SELECT d FROM u LIMIT 2)",
        """
        SELECT t.a
        FROM t
        LEFT SEMI JOIN (
          SELECT d
          FROM u
          LIMIT 2
        ) AS q1
          ON t.a = q1.d
        """,
    ),
    (
        "SELECT a FROM t WHERE a IN (SELECT d + 1 FROM u WHERE e = 'x')",
        """
        WITH q1 AS (
          SELECT d + 1 AS `(d + 1)`
          FROM u
          WHERE e = 'x'
        )
        SELECT a
        FROM t
        WHERE t.a IN (SELECT `(d + 1)` FROM q1)
        """,
    ),
    (
        "SELECT x * x AS y FROM (SELECT a - (b - 1) AS x FROM t)",
        """
        SELECT x * x AS y
        FROM (
          SELECT a - (b - 1) AS x
          FROM t
        ) AS q1
        """,
    ),
    (
        "SELECT a, row_number() OVER (PARTITION BY b ORDER BY a DESC) AS n FROM t QUALIFY n = 1",
        """
        SELECT a, n
        FROM (
          SELECT a, b, c, row_number() OVER (PARTITION BY b ORDER BY a DESC) AS n
          FROM t
        ) AS q1
        WHERE n = 1
        """,
    ),
]

PLANS = {
    "no rows": Values((), (Column(name="x", type="decimal(3,1)"), Column(name="y", type="string"))),
    "rows of another type": Values(
        ((number(1), text("it's\n\\n")), (NULL, NULL)),
        (Column(name="x", type="bigint"), Column(name="y", type="string")),
    ),
    "one row of nothing": Project(Values(((),), ()), (Named("x", number(1)),)),
    "rows of nothing": Project(Values(((), (), ()), ()), (Named("x", number(1)),)),
    "odd names": Project(T, (Named("a.b `c`", ref("a")), Named("__mask", ref("b")), Named("select", ref("c")))),
    "read by odd names": Filter(
        Project(T, (Named("a.b `c`", ref("a")), Named("order by", ref("c")))), ref("order by")
    ),
    "a number as a key": Aggregate(T, (Named("k", number(2)),), (SUM,)),
    "a global aggregate that nobody reads": Project(Aggregate(T, (), (SUM,)), (Named("x", number(1)),)),
    "the same set twice": Aggregate(AB, (Named("k", ref("a")),), (SUM,), (("k",), (), ("k",))),
    "keys of sets that are equal": Aggregate(
        AB, (Named("k", ref("a")), Named("l", ref("a"))), (SUM,), (("k", "l"), ("k",), ("l",))
    ),
    "existence by inequality": Existence(AB, U, ref("a") < ref("d"), "found"),
    "existence of any row": Existence(AB, Filter(U, ref("d") > number(3)), None, "found"),
    "a left join to less": Join(AB, Filter(U, ref("d") > number(1)), JoinKind.LEFT, ref("a").eq(ref("d"))),
    "a full join of less": Join(
        Filter(AB, ref("a") > number(1)), Filter(U, ref("d") > number(2)), JoinKind.FULL, ref("a").eq(ref("d"))
    ),
    "a join within a join": Join(
        Project(T, (Named("x", ref("a")),)), Join(AB, U, JoinKind.LEFT, ref("a").eq(ref("d"))), JoinKind.INNER,
        ref("x").eq(ref("b")),
    ),
    "any right row": Join(AB, Filter(U, ref("d") > number(9)), JoinKind.ANTI),
    "unlike types in a union": Union((AB, Project(U, (Named("d", ref("d")), Named("n", NULL))))),
    "some of what is used twice": SetOperation(Union((AB, AB)), Distinct(AB), SetKind.EXCEPT, all=True),
    "skipped": Limit(Limit(Distinct(Project(T, (Named("c", ref("c")),))), 5), None, 3),
}  # fmt: skip


@pytest.fixture(scope="module")
def spark(engine: Engine) -> Iterator[SparkSession]:
    with engine.session() as session:
        register_small_tables(session)
        yield session


@pytest.mark.parametrize(("query", "written"), TEXTS, ids=[query for query, _ in TEXTS])
def test_a_query_is_written_as(query: str, written: str) -> None:
    assert to_sql(bind(query, SCOPE)) == dedent(written).strip()


@pytest.mark.parametrize("name", PLANS)
def test_spark_gives_what_the_plan_says(name: str, spark: SparkSession) -> None:
    plan = PLANS[name]
    result = spark.sql(to_sql(plan))
    assert tuple(result.columns) == plan.names
    expected = interpret(plan, ROWS)
    assert Counter(tuple(row.values()) for row in result.toArrow().to_pylist()) == Counter(expected)


def test_types_are_those_of_the_plan(spark: SparkSession) -> None:
    for name in ("no rows", "rows of another type"):
        kinds = [field.dataType.simpleString() for field in spark.sql(to_sql(PLANS[name])).schema]
        assert kinds == [column.type for column in PLANS[name].schema]


def test_not_in_becomes_a_join_that_knows_of_null(spark: SparkSession) -> None:
    plan = bind("SELECT a FROM t WHERE a NOT IN (SELECT d FROM u)", SCOPE)
    explained = spark.sql(f"EXPLAIN {to_sql(plan)}").toArrow()["plan"][0].as_py()
    assert "LeftAnti, BuildRight, true" in explained
    assert "NestedLoop" not in explained


def test_exists_as_a_value_becomes_a_hash_join(spark: SparkSession) -> None:
    plan = Existence(AB, U, ref("a").eq(ref("d")), "found")
    explained = spark.sql(f"EXPLAIN {to_sql(plan)}").toArrow()["plan"][0].as_py()
    assert "ExistenceJoin" in explained
    assert "NestedLoop" not in explained


def test_an_opaque_text_reads_its_inputs_by_the_names_it_gives_them(spark: SparkSession) -> None:
    made = Project(U, (Named("k", ref("d")),))
    swapped = Opaque("SELECT t.k, u.a -- who\nFROM t JOIN u ON t.k = u.a", (("t", made), ("u", T)), (
        Column(name="k", type="int"), Column(name="a", type="int"),
    ))  # fmt: skip
    rows = spark.sql(to_sql(Filter(swapped, ref("k") > number(1)))).collect()
    assert Counter(map(tuple, rows)) == Counter({(4, 4): 2, (2, 2): 2})


def test_a_table_is_called_what_the_caller_says(spark: SparkSession) -> None:
    assert to_sql(AB, lambda name: f"other_{name}") == "SELECT a, b\nFROM other_t AS t"


def chain(length: int) -> Plan:
    """Datasets that each add to the one before, now and then joined and grouped."""
    plan: Plan = AB
    for step in range(length):
        if step % 30 == 29:
            other = Project(U, (Named(f"d{step}", ref("d")),))
            joined = Join(plan, Distinct(other), JoinKind.LEFT, ref("a").eq(ref(f"d{step}")))
            groups = Aggregate(joined, (Named("a", ref("a")),), (Named("b", call("max", ref("b"))),))
            plan = Filter(groups, ref("b") > number(0))
        else:
            added = Named("b", call("coalesce", ref("b"), number(0)) + number(1))
            kept = Filter(Filter(plan, ref("a") > number(0)), ref("a") < number(step + 9))
            plan = Filter(Project(kept, (Named("a", ref("a")), added)), ref("b") > number(step // 2))
    return plan


def test_a_chain_of_three_hundred_datasets_runs(spark: SparkSession) -> None:
    plan = chain(300)
    assert len(bottom_up(plan)) > 1000
    assert to_sql(plan).count(" AS (\n") > LONGEST
    expected = interpret(chain(30), ROWS)
    later = [(a, b + 290 - 29) for a, b in expected]
    assert Counter(map(tuple, frame(spark, plan).collect())) == Counter(later)
