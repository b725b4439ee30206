"""Spark's answers to many queries at once, in a form that can be compared with rows made by plain Python."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from trailbook.algebra.plan import Scan
from trailbook.engine.engine import Engine

if TYPE_CHECKING:
    from pyspark.sql.connect.session import SparkSession

Row = tuple[Any, ...]


# Over a handful of rows, compiling Java code for each of a hundred operators is nearly all of the time.
TINY = {
    "spark.sql.adaptive.enabled": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.shuffle.partitions": "1",
}


@contextmanager
def tiny_session(engine: Engine, scans: Sequence[Scan], tables: Mapping[str, list[Row]]) -> Iterator[SparkSession]:
    """A session with these tables that is quick with few rows."""
    with engine.session() as session:
        for key, value in TINY.items():
            session.conf.set(key, value)
        for scan in scans:
            schema = ", ".join(f"`{column.name}` {column.type}" for column in scan.columns)
            session.createDataFrame(tables[scan.table], schema).createOrReplaceTempView(scan.table)
        yield session


def spark_answers(session: SparkSession, queries: Sequence[str]) -> list[Counter[Any]]:
    """The rows of each query, as `comparable` makes them. All run as one job: each has its own costs."""
    parts = [
        f"SELECT {number} AS query, to_json(struct(*), map('ignoreNullFields', 'false')) AS row FROM (\n{query}\n)"
        for number, query in enumerate(queries)
    ]
    answers: list[Counter[Any]] = [Counter() for _ in queries]
    for row in session.sql("\nUNION ALL\n".join(parts)).toArrow().to_pylist():
        answers[row["query"]].update([_comparable(tuple(json.loads(row["row"]).values()))])
    return answers


def comparable(rows: Iterable[Row]) -> Counter[Any]:
    """Rows without order, with values as JSON knows them."""
    return Counter(map(_comparable, rows))


def _comparable(value: Any) -> Any:
    if isinstance(value, float | Decimal):
        return _rounded(float(value))
    if value is None or isinstance(value, bool | str):
        return value
    if isinstance(value, int):
        return _rounded(float(value)) if abs(value) < 1 << 53 else value
    if isinstance(value, datetime):
        return value.isoformat(timespec="milliseconds") + "Z"
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, timedelta):
        return str(value)
    if isinstance(value, dict):
        return tuple(map(_comparable, value.values()))
    return tuple(map(_comparable, value))


def _rounded(value: float) -> Any:
    """Sums of doubles depend on the order: the last digits don't count."""
    if math.isfinite(value):
        return float(f"{value:.9g}") + 0.0
    return "NaN" if value != value else "Infinity" if value > 0 else "-Infinity"
