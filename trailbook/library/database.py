"""A database for programs: tables with caveats, and queries over them."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping
from contextlib import ExitStack
from functools import cached_property
from os import PathLike, fspath
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Self

import pyarrow.parquet as pq

from trailbook.algebra.bind import bind
from trailbook.algebra.plan import Plan, Schema
from trailbook.algebra.print_expression import quoted
from trailbook.algebra.query import read_query
from trailbook.algebra.spark_reading import errors_about
from trailbook.caveats.given import checked
from trailbook.engine import Engine
from trailbook.errors import EngineUnavailable, Invalid, NameTaken, NotFound
from trailbook.library.catalog import Catalog
from trailbook.library.given import arrow_table, check_hidden, check_name, check_names, is_spark_frame, spelt_keys
from trailbook.library.query import Query
from trailbook.library.tables import Table, adopt, check_keys, open_folder, remove, send, show_plainly
from trailbook.model.caveat import Caveat
from trailbook.settings import Settings

if TYPE_CHECKING:
    from pyspark.sql.connect.session import SparkSession

    from trailbook.cells.loaded import Loaded
    from trailbook.library.loading import GivenTypes

Keys = Iterable[str | Iterable[str]]


class Database:
    """Tables and queries by name, in one session of Spark. It ends with its `with` block, or when it is closed.

    `folder` is where data is put for Spark to read; without one, data is sent over the connection.
    """

    def __init__(
        self,
        engine: Engine,
        folder: Path | None = None,
        resources: ExitStack | None = None,
        settings: Settings | None = None,
    ) -> None:
        self._engine = engine
        self._settings = settings or Settings()
        self._folder = folder
        self._resources = resources or ExitStack()
        self._closed = False
        self._catalog = Catalog(lambda: self.spark)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Database({', '.join(self._catalog.scope)})"

    def close(self) -> None:
        """End the session, and with it Spark if `connect` started it."""
        self._closed = True
        self._resources.close()

    @property
    def spark(self) -> SparkSession:
        """The session. The tables are views in it, without their marks."""
        if self._closed:
            raise EngineUnavailable("The database is closed. Open another one with trailbook.connect().")
        return self._session

    @cached_property
    def _session(self) -> SparkSession:
        return self._resources.enter_context(self._engine.session())

    @property
    def tables(self) -> Mapping[str, Schema]:
        """The columns of each table and named query."""
        return {name: plan.schema for name, plan in self._catalog.scope.items()}

    def create(self, name: str, data: Any, caveats: Iterable[Caveat] = (), keys: Keys = ()) -> None:
        """Name a table, with what is in doubt of it; or a query of this database, which stays lazy.

        A table is one of Arrow, pandas, Polars or Spark, anything else that streams Arrow, or a list of dictionaries.
        A key is a column, or some columns, on which no two rows agree: joins by keys are marked less.
        """
        self._require_free(name)
        if isinstance(data, Query):
            self._name_query(name, data, is_annotated=bool([*caveats, *keys]))
        else:
            self._create_table(name, data, list(caveats), keys)

    def _require_free(self, name: str) -> None:
        check_name(name)
        if taken := self._catalog.spelt(name):
            raise NameTaken(f"There is a table {taken} already. Drop it first, or choose another name.")

    def load(
        self,
        name: str,
        source: str | PathLike[str],
        format: str = "auto",
        *,
        member: str = "",
        types: GivenTypes | None = None,
        table: str = "",
        query: str = "",
        **options: Any,
    ) -> list[str]:
        """Load a file as a table, whatever state it is in; what there is to know besides its caveats.

        `source` is a path, or an address (`https://…`, `s3://…`, `hdfs://…`). With a `table` or a `query`, it is a
        database: `postgresql://…`, `sqlite:///…`, or one that the settings name. What is not said by `format`, `types`
        and the options of the format is found out.
        """
        from trailbook.cells.asked import TableToRead
        from trailbook.cells.loading import notes
        from trailbook.library.loading import Loader

        self._require_free(name)
        with ExitStack() as work:
            folder = Path(work.enter_context(TemporaryDirectory(prefix="trailbook-", dir=self._folder)))
            loader = Loader(self._engine, self._settings, folder, elsewhere=self._folder is None)
            if table or query:
                if unfit := [*options, *(types or ())]:
                    raise Invalid(f"A database says itself what is in it: {', '.join(unfit)} can't be said.")
                loaded = loader.table(name, TableToRead(database=fspath(source), table=table, query=query))
            else:
                loaded = loader.file(name, fspath(source), format, member, types or {}, options)
            check_names(name, loaded.names)
            self._catalog.add_loaded(*self._opened(loader.raw, loaded))
            plainly = self.table(name).spark().select(*map(quoted, loaded.names))
            plainly.createOrReplaceTempView(quoted(name))
            # Spark reads the raw table each time.
            self._resources.push(work.pop_all())
        return list(notes(loaded))

    def _opened(self, raw: Path, loaded: Loaded) -> tuple[Table, Plan]:
        session, view = self.spark, self._catalog.new_view(loaded.name)
        if self._folder is None:
            opened = send(session, loaded.name, view, pq.read_table(raw), (), None)
        else:
            opened = open_folder(session, loaded.name, view, raw)
        return opened, loaded.over(opened.scan)

    def _name_query(self, name: str, query: Query, is_annotated: bool) -> None:
        if query.catalog is not self._catalog:
            raise Invalid(f"{name} can't be a query of another database. Give its result: query.fetch().table.")
        if is_annotated:
            raise Invalid(
                f"{name} is a query: what is in doubt of it, and its keys, follow from what it reads. "
                "Raise further caveats in its text, with caveat(value, message)."
            )
        self._catalog.add_query(name, query.plan)

    def _create_table(self, name: str, data: Any, caveats: list[Caveat], keys: Keys) -> None:
        table = self._loaded(name, data, caveats)
        try:
            table = table.with_keys(spelt_keys(keys, table.scan.names))
            check_keys(self.spark, table)
        except Exception:
            remove(self.spark, table)
            raise
        show_plainly(self.spark, table)
        self._catalog.add(table)

    def _loaded(self, name: str, data: Any, caveats: list[Caveat]) -> Table:
        session, view = self.spark, self._catalog.new_view(name)
        of_all_rows = all(isinstance(caveat, Caveat) and caveat.row is None for caveat in caveats)
        if of_all_rows and is_spark_frame(data) and data.sparkSession is session:
            check_names(name, data.columns)
            return adopt(name, view, data, checked(name, caveats, data.columns, rows=None))
        notes: list[str] = []
        table = arrow_table(name, data, notes.append)
        for note in notes:
            warnings.warn(f"{name}: {note}", stacklevel=4)
        check_names(name, table.column_names)
        known = checked(name, caveats, table.column_names, table.num_rows)
        return send(session, name, view, table, known, self._folder)

    def drop(self, name: str) -> None:
        """Forget a table or named query. Queries that read the table can't run any more."""
        spelt = self._catalog.spelt(name)
        if spelt is None:
            raise self._unknown(name)
        if table := self._catalog.remove(spelt):
            remove(self.spark, table)

    def _unknown(self, name: str) -> NotFound:
        return NotFound(f"There is no table {name}. Known: {', '.join(self._catalog.scope) or 'none'}.")

    def table(self, name: str) -> Query:
        """All of a table or named query, to fetch it, to export it, or to ask for its caveats."""
        spelt = self._catalog.spelt(name)
        if spelt is None:
            raise self._unknown(name)
        return self.sql(f"SELECT * FROM {quoted(spelt)}")

    def sql(self, text: str) -> Query:
        """A query over the tables, in Spark's SQL. Nothing is computed yet; a mistake in it is told at once."""
        text = read_query(text).text
        with errors_about(text, self.spark):
            plan = bind(text, self._catalog.scope, self._catalog.describe)
        check_hidden(plan.names)
        return Query(self._catalog, plan, text)
