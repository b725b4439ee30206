"""A Spark session that sees the scope's datasets as tables, and records which of them are read."""

from __future__ import annotations

import os
import re
from typing import Any

from pyspark.errors import AnalysisException
from pyspark.sql.connect.catalog import Catalog
from pyspark.sql.connect.client.retries import DefaultPolicy
from pyspark.sql.connect.readwriter import DataFrameReader
from pyspark.sql.connect.session import SparkSession

from trailbook.engine.config import SESSION_SETTINGS
from trailbook.engine.sessions import RETRIES, load_pyspark
from trailbook.kernels.child.scope import Scope

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
    for key, value in SESSION_SETTINGS.items():
        session.conf.set(key, value)
    for name, directory in scope.directories.items():
        session.read.parquet(directory).createOrReplaceTempView(name)
    return session
