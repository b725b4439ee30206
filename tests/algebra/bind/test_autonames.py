"""Columns without an alias are called what Spark calls them."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.support.spark_answers import tiny_session
from trailbook.algebra.bind import bind
from trailbook.algebra.plan import Scan
from trailbook.engine.engine import Engine
from trailbook.model.artifacts import Column

if TYPE_CHECKING:
    from pyspark.sql.connect.session import SparkSession

NAMES = Path(__file__).parent / "names"

COLUMNS = {
    "a": "int",
    "b": "string",
    "c": "decimal(10,2)",
    "d": "date",
    "e": "double",
    "m": "map<string,int>",
    "o": "boolean",
    "s": "struct<f:int,g:string>",
    "ts": "timestamp",
    "xs": "array<int>",
}
T = Scan("t", tuple(Column(name=name, type=kind) for name, kind in COLUMNS.items()))
U = Scan("u", (Column(name="a", type="int"), Column(name="z", type="int")))
ROW = (1, "x", Decimal("1.50"), date(2020, 1, 1), 1.5, {"k": 1}, True, (1, "q"), datetime(2020, 1, 1), [1, 2])


@pytest.fixture(scope="module")
def spark(engine: Engine) -> Iterator[SparkSession]:
    with tiny_session(engine, [T, U], {"t": [ROW], "u": [(1, 10)]}) as session:
        yield session


def bound_names(expression: str) -> list[str]:
    return list(bind(f"SELECT {expression} FROM t", {"t": T, "u": U}).names)


@pytest.mark.parametrize("kind", ["scalars", "aggregates", "windows"])
def test_an_expression_is_called_as_in_spark(kind: str, spark: SparkSession) -> None:
    expressions = (NAMES / f"{kind}.txt").read_text("utf-8").splitlines()
    known = spark.sql(f"SELECT {', '.join(expressions)} FROM t").columns
    names = [name for expression in expressions for name in bound_names(expression)]
    assert list(zip(expressions, names, strict=True)) == list(zip(expressions, known, strict=True))


@pytest.mark.parametrize("expression", (NAMES / "generators.txt").read_text("utf-8").splitlines())
def test_the_columns_of_a_generator_are_called_as_in_spark(expression: str, spark: SparkSession) -> None:
    assert bound_names(expression) == spark.sql(f"SELECT {expression} FROM t").columns
