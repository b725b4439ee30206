from __future__ import annotations

from collections.abc import Iterable
from random import Random
from typing import TYPE_CHECKING

import pytest
from sqlglot import exp

from tests.algebra.sampling import COLUMNS, FORMS, TABLE, described, parsed, random_expression
from trailbook.algebra.expressions import TRUE, Expr, both, call, ref, text
from trailbook.algebra.function_names import SPARK_FUNCTIONS
from trailbook.algebra.functions import FunctionKind, lookup
from trailbook.algebra.print_expression import sql_of
from trailbook.algebra.types import UNKNOWN, common_type, generated_columns, type_of
from trailbook.engine.engine import Engine
from trailbook.model.artifacts import Column

if TYPE_CHECKING:
    from pyspark.sql.connect.session import SparkSession

Schema = list[Column]

SCHEMA = [
    Column(name="i", type="int", nullable=False),
    Column(name="n", type="bigint"),
    Column(name="price", type="decimal(12,2)", nullable=False),
    Column(name="s", type="string"),
    Column(name="d", type="date", nullable=False),
    Column(name="items", type="array<struct<id:int,tags:map<string,decimal(3,1)>>>"),
]


def columns_of(spark: SparkSession, query: str) -> Schema:
    fields = spark.sql(query).schema.fields
    return [Column(name=field.name, type=field.dataType.simpleString(), nullable=field.nullable) for field in fields]


def disagreements(spark: SparkSession, exprs: Iterable[Expr]) -> tuple[list[str], float]:
    """Where a type differs from Spark's, or NOT NULL is claimed and Spark does not; and the share of known types."""
    schema = columns_of(spark, TABLE)
    printed = {sql_of(expr): expr for expr in exprs}
    spark.sql(TABLE).createOrReplaceTempView("t")
    wrong, known = [], 0
    fields = described(spark, printed, "t")
    for sql, field in fields.items():
        kind, nullable = type_of(printed[sql], schema)
        known += kind != UNKNOWN
        if kind not in (UNKNOWN, field.dataType.simpleString()) or (field.nullable and not nullable):
            wrong.append(f"{sql}: {kind}, null={nullable}; Spark: {field.dataType.simpleString()}, {field.nullable}")
    return wrong, known / len(fields)


@pytest.mark.parametrize("seed", [7, 8])
def test_types_of_random_expressions_are_those_of_spark(engine: Engine, seed: int) -> None:
    random = Random(seed)
    exprs = [parsed(random_expression(random, FORMS, random.choice([1, 1, 2]))) for _ in range(250)]
    with engine.session() as spark:
        wrong, known = disagreements(spark, exprs)
    assert wrong == [], f"seed {seed}"
    assert known > 0.9


def test_types_of_function_calls_are_those_of_spark(engine: Engine) -> None:
    random = Random(11)
    kinds = (FunctionKind.SCALAR, FunctionKind.AGGREGATE)
    names = [name for name in sorted(SPARK_FUNCTIONS) if name.isidentifier() and _kind(name) in kinds]
    columns = [ref(f"{name}{suffix}") for name in COLUMNS for suffix in ("", "_or_null")]
    calls = [
        call(name, *(random.choice(columns) for _ in range(count)))
        for name in names
        for count in random.choices((1, 1, 2, 3), k=3)
    ]
    with engine.session() as spark:
        wrong, _ = disagreements(spark, random.sample(calls, 600))
    assert wrong == []


def _kind(name: str) -> FunctionKind | None:
    function = lookup(name)
    return function.kind if function else None


@pytest.mark.parametrize(
    ("sql", "kind", "nullable"),
    [
        ("i + 1", "int", False),
        ("i + n", "bigint", True),
        ("price * 2", "decimal(14,2)", True),
        ("price * price", "decimal(25,4)", False),
        ("price / 3", "decimal(16,6)", True),
        ("i / 2", "double", True),
        ("5000000000", "bigint", False),
        ("-2147483648", "int", False),
        ("0.05", "decimal(2,2)", False),
        ("1e3", "double", False),
        ("d - INTERVAL '90' DAY", "date", False),
        ("d + INTERVAL 2 HOURS", "timestamp", False),
        ("d - d", "interval day", False),
        ("i IS NULL", "boolean", False),
        ("i = n", "boolean", True),
        ("i = 's'", "boolean", True),
        ("CASE WHEN i > 1 THEN i ELSE 0 END", "int", False),
        ("CASE WHEN i > 1 THEN i END", "int", True),
        ("coalesce(n, i)", "bigint", False),
        ("sum(price)", "decimal(22,2)", True),
        ("avg(price)", "decimal(16,6)", True),
        ("sum(i)", "bigint", True),
        ("count(*)", "bigint", False),
        ("count(DISTINCT i, n)", "bigint", False),
        ("min(d) FILTER (WHERE i > 1)", "date", True),
        ("row_number() OVER (ORDER BY i)", "int", False),
        ("lag(i) OVER (ORDER BY i)", "int", True),
        ("first(d) IGNORE NULLS", "date", True),
        ("items[0].tags['a']", "decimal(3,1)", True),
        ("(items).id", "array<int>", True),
        ("transform(items, (x, at) -> x.id + at)", "array<int>", True),
        ("aggregate(items, CAST(0 AS bigint), (total, x) -> total + x.id)", "bigint", True),
        ("somebodys_own(i)", UNKNOWN, True),
        ("somebodys_own(i) + 1", UNKNOWN, True),
    ],
)
def test_type(sql: str, kind: str, nullable: bool) -> None:
    assert type_of(parsed(sql), SCHEMA) == (kind, nullable)


def test_own_functions() -> None:
    assert type_of(call("caveat", ref("i"), text("doubt")), SCHEMA) == ("int", False)
    assert type_of(call("caveat_if", ref("s"), TRUE, text("doubt")), SCHEMA) == ("string", True)
    assert type_of(call("has_caveat", ref("s")), SCHEMA) == ("boolean", False)
    assert type_of(call("only", ref("i")), SCHEMA) == ("int", True)


def test_a_union_has_the_wider_type() -> None:
    assert common_type(["int", "decimal(4,2)", "void"]) == "decimal(12,2)"
    assert common_type(["int", "bigint", "float"]) == "double"
    assert common_type(["int", UNKNOWN]) == UNKNOWN
    assert common_type(["int", "boolean"]) == UNKNOWN


def test_the_depth_of_a_condition_does_not_matter() -> None:
    deep = both(*(exp.EQ(this=ref("i"), expression=exp.Literal.number(i)) for i in range(5000)))
    assert type_of(deep, SCHEMA) == ("boolean", False)


@pytest.mark.parametrize(
    ("generator", "count"),
    [
        ("explode(items)", 1),
        ("explode(words_or_null)", 1),
        ("explode(ages)", 2),
        ("posexplode(items)", 2),
        ("posexplode_outer(ages)", 3),
        ("inline(array(pair))", 2),
        ("inline_outer(array(pair))", 2),
        ("stack(2, whole, word, whole_or_null, word_or_null)", 2),
        ("json_tuple(word, 'a', 'b')", 2),
    ],
)
def test_generated_columns_are_those_of_spark(engine: Engine, generator: str, count: int) -> None:
    names = [f"made{position}" for position in range(count)]
    with engine.session() as spark:
        schema = columns_of(spark, TABLE)
        expected = columns_of(spark, f"SELECT g.* FROM ({TABLE}) LATERAL VIEW {generator} g AS {', '.join(names)}")
    made = generated_columns(parsed(generator), names, schema)
    assert [column.type for column in made] == [column.type for column in expected]
    assert not [mine for mine, theirs in zip(made, expected, strict=True) if theirs.nullable and not mine.nullable]
