"""Queries that tests of the engine share."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import DataFrame
    from pyspark.sql.connect.session import SparkSession


def endless(spark: SparkSession) -> DataFrame:
    """Work for weeks, cut into as many tasks as Spark likes."""
    return spark.sql("SELECT sum(hash(sha2(cast(id AS string), 512))) FROM range(1000000000000)")
