"""A Spark session that sees the scope's datasets as tables, and records which of them are read."""

from __future__ import annotations

import os
import re
from typing import Any

from pyspark.errors import AnalysisException
from pyspark.sql.connect.catalog import Catalog
from pyspark.sql.connect.client.retries import DefaultPolicy
from pyspark.sql.connect.dataframe import DataFrame
from pyspark.sql.connect.readwriter import DataFrameReader
from pyspark.sql.connect.session import SparkSession

from trailbook.engine.parquet import PARQUET_WRITE_OPTIONS
from trailbook.engine.sessions import RETRIES, load_pyspark
from trailbook.kernels.child.errors import UnavailableDataset
from trailbook.kernels.child.scope import Scope

_WORD = re.compile(r"\w+")


class CellSession(SparkSession):
    """Counts a table as read when its name occurs in a query: too often rather than too seldom."""

    _scope: Scope

    def sql(self, sqlQuery: str, *args: Any, **kwargs: Any) -> Any:
        words = {word.lower() for word in _WORD.findall(sqlQuery)}
        self._record(words)
        try:
            return super().sql(sqlQuery, *args, **kwargs)
        except AnalysisException as error:
            for name, reason in self._scope.unavailable.items():
                if name.lower() in words:
                    raise UnavailableDataset(f"{name} can't be read: {reason}") from error
            raise

    @property
    def read(self) -> DataFrameReader:
        return CellReader(self)

    @property
    def catalog(self) -> Catalog:
        self._record({name.lower() for name in self._scope})
        return super().catalog

    def _record(self, names: set[str]) -> None:
        for name in [*self._scope, *self._scope.unavailable]:
            if name.lower() in names:
                self._scope.record_read(name)


class CellReader(DataFrameReader):
    """Reads tables of the scope, too."""

    def table(self, tableName: str) -> Any:
        assert isinstance(self._client, CellSession)
        self._client._record({tableName.strip("`").lower()})
        return super().table(tableName)


def open_session(url: str, scope: Scope) -> CellSession:
    load_pyspark()
    session = CellSession(url)
    session._scope = scope
    # PySpark would go on asking a dead server for ten minutes.
    session.client.set_retry_policies([DefaultPolicy(max_retries=RETRIES)])
    SparkSession._set_default_and_active_session(session)
    for name, directory in scope.directories.items():
        session.read.parquet(directory).createOrReplaceTempView(name)
    return session


def write_parquet(frame: DataFrame, directory: str) -> None:
    """Have Spark itself write the rows, so that they never pass through this process."""
    frame.write.options(**PARQUET_WRITE_OPTIONS).parquet(directory)
    for name in os.listdir(directory):
        if not name.endswith(".parquet"):
            os.remove(os.path.join(directory, name))
