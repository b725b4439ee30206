"""A row that was fetched is found again by its values."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pytest

from trailbook.algebra.expressions import TRUE
from trailbook.algebra.plan import Filter, Scan
from trailbook.algebra.spark_sql import to_sql
from trailbook.caveats.targets import is_row
from trailbook.engine import Engine
from trailbook.model.artifacts import Column

if TYPE_CHECKING:
    from pyspark.sql.connect.session import SparkSession

MOMENT = datetime(2026, 3, 29, 1, 30, 0, 123456)
VALUES: dict[str, tuple[Any, Any, pa.DataType]] = {
    "boolean": (True, False, pa.bool_()),
    "bigint": (-(2**63), 7, pa.int64()),
    "string": ("it's\n\\", "", pa.string()),
    "float": (0.1, 0.2, pa.float32()),
    "double": (1e300, -0.1, pa.float64()),
    "nan": (float("nan"), float("-inf"), pa.float64()),
    "infinity": (float("inf"), float("nan"), pa.float64()),
    "decimal": (Decimal("-0.050"), Decimal("0.051"), pa.decimal128(38, 3)),
    "large": (Decimal("9" * 35 + ".001"), Decimal(0), pa.decimal128(38, 3)),
    "date": (date(1582, 10, 4), date(2026, 3, 1), pa.date32()),
    "timestamp": (MOMENT.replace(tzinfo=UTC), MOMENT.replace(hour=2, tzinfo=UTC), pa.timestamp("us", "UTC")),
    "ntz": (MOMENT, MOMENT.replace(microsecond=0), pa.timestamp("us")),
    "binary": (b"\x00\xff", b"", pa.binary()),
}


@pytest.fixture(scope="module")
def spark(engine: Engine) -> Iterator[SparkSession]:
    """A session in another zone than the data, with a table of two rows and one of NULLs."""
    with engine.session() as session:
        session.conf.set("spark.sql.session.timeZone", "America/New_York")
        arrays = {name: pa.array([one, other, None], kind) for name, (one, other, kind) in VALUES.items()}
        session.createDataFrame(pa.table(arrays)).createOrReplaceTempView("t")
        yield session


@pytest.mark.parametrize("name", VALUES)
def test_a_row_is_found_by_its_values(name: str, spark: SparkSession) -> None:
    scan = Scan("t", (Column(name=name, type="string"),))
    (fetched,) = spark.table("t").select(name).toArrow().columns
    for value in fetched.to_pylist():
        condition = is_row({name: value})
        assert condition != TRUE
        found = spark.sql(to_sql(Filter(scan, condition))).toArrow().column(name).to_pylist()
        assert len(found) == 1
        assert repr(found[0]) == repr(value)


def test_a_value_that_can_not_be_written_tells_nothing() -> None:
    assert is_row({"a": [1, 2], "b": {"x": 1}, "c": timedelta(1), "d": Decimal("NaN")}) == TRUE
