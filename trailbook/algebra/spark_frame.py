"""Plans as frames of Spark, also those too deep for Spark to take in as one text."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING
from uuid import uuid4

from trailbook.algebra.plan import Plan, Schema
from trailbook.algebra.print_expression import quoted
from trailbook.algebra.spark_sql import Writer, to_sql
from trailbook.model.artifacts import Column
from trailbook.store.sparktypes import of_field

if TYPE_CHECKING:
    from pyspark.sql.connect.session import SparkSession
    from pyspark.sql.dataframe import DataFrame

LONGEST = 8
"""Common tables of one text. Spark resolves a level of nesting each time it goes over all of them."""


def frame(session: SparkSession, plan: Plan, tables: Callable[[str], str] = quoted) -> DataFrame:
    """The result of the plan, not yet computed. A deep plan leaves temporary views and a setting in the session."""
    writer = Writer(plan, tables, stem=f"__{uuid4().hex}_")
    if len(writer.common) <= LONGEST:
        return session.sql(to_sql(plan, tables))
    # The constraints of each operator are worked out from all of those below it: minutes, at this depth.
    session.conf.set("spark.sql.constraintPropagation.enabled", "false")
    for name, lines in writer.common:
        # What a view holds is resolved already, so each step costs the same.
        session.sql("\n".join(lines)).createOrReplaceTempView(name)
    return session.sql("\n".join(writer.body))


def columns_of(frame: DataFrame) -> Schema:
    """The columns that Spark says a frame has."""
    return tuple(
        Column(name=field.name, type=of_field(field.jsonValue()), nullable=field.nullable) for field in frame.schema
    )
