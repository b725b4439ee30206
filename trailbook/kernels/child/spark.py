"""A Spark session that sees the scope's datasets as tables, and records which of them are read."""

from __future__ import annotations

import os
import re
from typing import Any

from pyspark.errors import AnalysisException
from pyspark.sql import DataFrame
from pyspark.sql.connect.catalog import Catalog
from pyspark.sql.connect.client.retries import DefaultPolicy
from pyspark.sql.connect.functions import col
from pyspark.sql.connect.readwriter import DataFrameReader
from pyspark.sql.connect.session import SparkSession
from pyspark.sql.types import (
    CalendarIntervalType,
    DayTimeIntervalType,
    NullType,
    TimeType,
    VariantType,
    YearMonthIntervalType,
)

from trailbook.engine.parquet import PARQUET_WRITE_OPTIONS
from trailbook.engine.sessions import RETRIES, load_pyspark
from trailbook.kernels.child.arrow_types import Note
from trailbook.kernels.child.scope import Scope

SPARK_ONLY = (NullType, DayTimeIntervalType, YearMonthIntervalType, CalendarIntervalType, TimeType, VariantType)

_WORD = re.compile(r"\w+")


class CellSession(SparkSession):
    """Counts a table as read when its name occurs in a query: too often rather than too seldom."""

    _scope: Scope

    def sql(self, sqlQuery: str, *args: Any, **kwargs: Any) -> Any:  # noqa: N803 - may be passed by name
        mentioned = self._record({word.lower() for word in _WORD.findall(sqlQuery)})
        try:
            return super().sql(sqlQuery, *args, **kwargs)
        except AnalysisException:
            for name in mentioned:
                self._scope.check_available(name)
            raise

    @property
    def read(self) -> DataFrameReader:
        return CellReader(self)

    @property
    def catalog(self) -> Catalog:
        self._record({name.lower() for name in self._scope})
        return super().catalog

    def _record(self, lower_names: set[str]) -> list[str]:
        """The datasets with such names, as they are spelt; each is read from now on."""
        named = [name for name in [*self._scope, *self._scope.unavailable] if name.lower() in lower_names]
        for name in named:
            self._scope.record_read(name)
        return named


class CellReader(DataFrameReader):
    """Reads tables of the scope, too."""

    def table(self, tableName: str) -> Any:  # noqa: N803 - may be passed by name
        assert isinstance(self._client, CellSession)
        for name in self._client._record({tableName.strip("`").lower()}):
            self._client._scope.check_available(name)
        return super().table(tableName)


def open_session(url: str, scope: Scope) -> CellSession:
    load_pyspark()
    session = CellSession(url)
    session._scope = scope
    # PySpark would go on asking a dead server for ten minutes.
    session.client.set_retry_policies([DefaultPolicy(max_retries=RETRIES)])
    SparkSession._set_default_and_active_session(session)
    # SparkSession.builder.getOrCreate() asks for it before it finds the session that is there.
    os.environ["SPARK_REMOTE"] = url
    # Spark's default, 96 bits wide, is read back as nanoseconds without a time zone.
    session.conf.set("spark.sql.parquet.outputTimestampType", "TIMESTAMP_MICROS")
    for name, directory in scope.directories.items():
        session.read.parquet(directory).createOrReplaceTempView(name)
    return session


def write_parquet(frame: DataFrame, directory: str, note: Note) -> None:
    """Have Spark itself write the rows, so that they never pass through this process."""
    _with_plain_types(frame, note).write.options(**PARQUET_WRITE_OPTIONS).parquet(directory)
    for name in os.listdir(directory):
        if not name.endswith(".parquet"):
            os.remove(os.path.join(directory, name))


def _with_plain_types(frame: DataFrame, note: Note) -> DataFrame:
    as_text = [field.name for field in frame.schema if isinstance(field.dataType, SPARK_ONLY)]
    if not as_text:
        return frame
    note(f"columns of types that only Spark knows are stored as text: {', '.join(as_text)}.")
    quoted = {name: "`" + name.replace("`", "``") + "`" for name in as_text}
    return frame.withColumns({name: col(reference).cast("string") for name, reference in quoted.items()})
