"""Plans kept as text beside their queries, so that a change of one shows. TRAILBOOK_WRITE_PLANS=1 writes them anew."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa

from trailbook.algebra.plan import Plan
from trailbook.algebra.show import show

if TYPE_CHECKING:
    from pyspark.sql.connect.session import SparkSession


def check_plan(query: Path, plan: Plan) -> None:
    """Compare with the plan of the last time."""
    golden, shown = query.with_suffix(".plan"), f"{show(plan)}\n"
    if os.environ.get("TRAILBOOK_WRITE_PLANS"):
        golden.write_text(shown, "utf-8")
    assert shown == golden.read_text("utf-8")


def register(spark: SparkSession, tables: Mapping[str, pa.Table]) -> None:
    for name, table in tables.items():
        spark.createDataFrame(table).createOrReplaceTempView(name)


def assert_same_result(spark: SparkSession, original: str, *others: str) -> None:
    """The texts give the same columns and, in any order, the same rows; there are some."""
    expected = spark.sql(original).toArrow()
    assert expected.num_rows
    for text in others:
        result = spark.sql(text).toArrow()
        assert result.schema.names == expected.schema.names
        assert result.schema.types == expected.schema.types
        assert rows_of(result) == rows_of(expected)


def rows_of(table: pa.Table) -> Counter[str]:
    return Counter(repr(tuple(row.values())) for row in table.to_pylist())
