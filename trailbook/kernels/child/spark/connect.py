"""What notebooks do that were written for Spark without Connect: made to work where it can, else told what to use."""

from __future__ import annotations

import re
from typing import Any

CONTEXTS = frozenset({"HiveContext", "hiveContext", "sc", "sqlContext", "sqlCtx"})
_LACKING = re.compile(r"\b(sparkContext|SparkContext|rdd|toJSON|_sc|_jvm|_jsc|_jdf|_jsparkSession)\b")
_MISSING = re.compile(r"NOT_IMPLEMENTED|NOT_SUPPORTED|UNAVAILABLE_FOR_REMOTE")
ADVICE = (
    "Spark is used through Spark Connect here, which has data frames, but neither RDDs nor a SparkContext. "
    "Use `spark`: spark.createDataFrame(rows) for sc.parallelize, spark.read.text(path) for sc.textFile, "
    "spark.sql(query) for sqlContext.sql, and select, groupBy, mapInPandas or a UDF for what RDDs do."
)


def advice(error: BaseException) -> str | None:
    """A message that says what to use instead, if the error is about what Spark Connect lacks."""
    if isinstance(error, NameError):
        return f"NameError: {error}. {ADVICE}" if error.name in CONTEXTS else None
    if not type(error).__module__.startswith("pyspark.") or not _MISSING.search(str(error)):
        return None
    lacking = _LACKING.search(str(error))
    return f"{lacking[1]} can't be used. {ADVICE}" if lacking else None


def accept_masters() -> None:
    """Let `SparkSession.builder.master("local[*]")` be: which Spark it is has been decided."""
    from pyspark.sql import SparkSession

    check = SparkSession.Builder._validate_startup_urls

    def check_without_master(builder: Any) -> None:
        builder._options.pop("spark.master", None)
        check(builder)

    SparkSession.Builder._validate_startup_urls = check_without_master  # type: ignore[assignment,method-assign]
