"""Two tables that fit on a page: t(a, b, c) and u(d, e), with NULLs and rows that occur twice."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pyarrow as pa

from trailbook.model.artifacts import Column

if TYPE_CHECKING:
    from pyspark.sql.connect.session import SparkSession

SCOPE = {
    "t": (Column(name="a", type="int"), Column(name="b", type="int"), Column(name="c", type="boolean")),
    "u": (Column(name="d", type="int"), Column(name="e", type="string")),
}

ROWS: dict[str, list[tuple[Any, ...]]] = {
    "t": [(1, 2, True), (1, 2, True), (2, None, False), (None, 3, None), (4, 5, True), (3, 0, False)],
    "u": [(1, "x"), (2, "y"), (2, None), (None, "z"), (4, "x"), (4, "x")],
}

TABLES = {
    "t": pa.table(dict(zip("abc", map(pa.array, zip(*ROWS["t"], strict=True)), strict=True))).cast(
        pa.schema([("a", pa.int32()), ("b", pa.int32()), ("c", pa.bool_())])
    ),
    "u": pa.table(dict(zip("de", map(pa.array, zip(*ROWS["u"], strict=True)), strict=True))).cast(
        pa.schema([("d", pa.int32()), ("e", pa.string())])
    ),
}


def register_small_tables(spark: SparkSession) -> None:
    for name, table in TABLES.items():
        spark.createDataFrame(table).createOrReplaceTempView(name)
