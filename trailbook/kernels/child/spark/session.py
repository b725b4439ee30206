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
from trailbook.kernels.child.errors import UnavailableValue
from trailbook.kernels.child.frames.dataset import without_masks
from trailbook.kernels.child.scope import Scope
from trailbook.kernels.child.spark.connect import accept_masters

_WORD = re.compile(r"\w+")


class CellSession(SparkSession):
    """Counts a table as read when its name occurs in a query: too often rather than too seldom.

    A dataset becomes a view when it is first counted, so that none can be read without being counted.
    """

    _scope: Scope
    _views: dict[str, str]
    """The directory that each name is a view of."""

    def sql(self, sqlQuery: str, *args: Any, **kwargs: Any) -> Any:  # noqa: N803 - may be passed by name
        mentioned = self._record({word.lower() for word in _WORD.findall(sqlQuery)})
        try:
            return super().sql(sqlQuery, *args, **kwargs)
        except AnalysisException:
            for name in mentioned:
                self._check(name)
            raise

    @property
    def read(self) -> DataFrameReader:
        return CellReader(self)

    @property
    def catalog(self) -> Catalog:
        self._record({name.lower() for name in [*self._scope, *self._scope.pending]})
        return super().catalog

    def _record(self, lower_names: set[str]) -> list[str]:
        """The datasets with such names, as they are spelt; each is read from now on."""
        for name in [name for name in self._scope.pending if name.lower() in lower_names]:
            self._scope.resolve(name)
        named = [name for name in [*self._scope, *self._scope.unavailable] if name.lower() in lower_names]
        for name in named:
            self._scope.record_read(name)
        for name in named:
            self._provide(name)
        return named

    def _provide(self, name: str) -> None:
        """Make the dataset a view, unless the cell itself made one of that name."""
        if self._ambiguity(name):
            super().catalog.dropTempView(name)
        elif name in self._scope.directories and name not in self._views:
            self._views[name] = self._scope.directories[name]
            if not self._is_view(name):
                without_masks(self.read.parquet(self._views[name])).createOrReplaceTempView(name)

    def _is_view(self, name: str) -> bool:
        try:
            return super().catalog.getTable(name).isTemporary
        except AnalysisException:
            return False

    def _check(self, name: str) -> None:
        self._scope.check_available(name)
        if reason := self._ambiguity(name):
            raise UnavailableValue(f"{reason} Read it with tb.dataset({name!r}).spark(), or rename one.")

    def _ambiguity(self, name: str) -> str | None:
        """Why SQL can't know which dataset a name means."""
        known = {*self._scope.directories, *self._scope.unavailable}
        alike = sorted(other for other in known if other.lower() == name.lower())
        if len(alike) > 1:
            return f"{' and '.join(alike)} are one name to SQL, which does not tell upper from lower case."
        if self._views.get(name) not in (None, self._scope.directories.get(name)):
            # Spark looks names up each time a frame is computed: a new view would change the frames made before.
            return f"{name} was a table before this cell saved it anew."
        return None


class CellReader(DataFrameReader):
    """Reads tables of the scope, too."""

    def table(self, tableName: str) -> Any:  # noqa: N803 - may be passed by name
        assert isinstance(self._client, CellSession)
        for name in self._client._record({tableName.strip("`").lower()}):
            self._client._check(name)
        return super().table(tableName)


def open_session(url: str, scope: Scope) -> CellSession:
    load_pyspark()
    session = CellSession(url)
    session._scope = scope
    session._views = {}
    # PySpark would go on asking a dead server for ten minutes.
    session.client.set_retry_policies([DefaultPolicy(max_retries=RETRIES)])
    SparkSession._set_default_and_active_session(session)
    # SparkSession.builder.getOrCreate() asks for it before it finds the session that is there.
    os.environ["SPARK_REMOTE"] = url
    accept_masters()
    for key, value in SESSION_SETTINGS.items():
        session.conf.set(key, value)
    return session
