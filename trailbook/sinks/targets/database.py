"""Tables of PostgreSQL, filled by its COPY in one transaction."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, BinaryIO, Literal, cast

import psycopg
from psycopg import Copy, sql
from pydantic import Field
from sqlalchemy import Column, Connection, MetaData, NullPool, Table, create_engine, inspect, text
from sqlalchemy.exc import DBAPIError

from trailbook.errors import Invalid, NameTaken, NotExported, NotFound
from trailbook.sinks.formats.csv import CsvOptions, CsvSink
from trailbook.sinks.marking import MARK, Marked
from trailbook.sinks.outgoing import Outgoing
from trailbook.sinks.sink import ColumnOptions
from trailbook.sinks.targets.column_types import column_type, holds, spelt
from trailbook.sinks.targets.hexed import hexed
from trailbook.sources.databases.connections import Connection as Database
from trailbook.sources.databases.connections import System
from trailbook.sources.databases.reaching import arguments, said

LONGEST_NAME = 63
"""Bytes: PostgreSQL cuts the rest off, and says so to nobody who listens."""
NULL = r"\N"
LOCK_SECONDS = 30


class TableOptions(ColumnOptions):
    if_exists: Literal["fail", "replace", "append"] = Field(
        default="fail",
        description="If there is such a table: fail; replace it; or append rows to it, by the names of its columns.",
    )


@dataclass(frozen=True)
class TableTarget:
    """A table of a database. Without `allow_private`, one of this machine or its network may not be asked."""

    database: Database
    table: str
    schema: str | None = None
    allow_private: bool = False

    def write(self, data: Outgoing, options: TableOptions) -> list[str]:
        """Write all of it or nothing."""
        marked = Marked.of(data, options.marks)
        columns = marked.schema
        for name in (self.table, self.schema or "", *columns.names):
            _require_name(name)
        with self._connected() as connection:
            # Somebody who holds the table would keep the cell for ever.
            connection.execute(text(f"SET LOCAL lock_timeout = '{LOCK_SECONDS}s'"))
            table = Table(
                self.table,
                MetaData(),
                *(Column(one.name, column_type(one.type)) for one in columns),
                schema=self.schema,
            )
            notes = self._prepare(connection, table, options)
            _copy(connection, table, data, options)
        return [*notes, *marked.notes]

    @contextmanager
    def _connected(self) -> Iterator[Connection]:
        """One transaction."""
        if self.database.system is not System.POSTGRESQL:
            raise Invalid(f"The database {self.database.name} can't be written to: only those of PostgreSQL can.")
        reached = arguments(self.database, allow_private=self.allow_private)
        engine = create_engine("postgresql+psycopg://", poolclass=NullPool, connect_args=reached)
        try:
            with engine.begin() as connection:
                yield connection
        except (DBAPIError, psycopg.Error) as error:
            cause = error.orig if isinstance(error, DBAPIError) else error
            why = said(cause, self.database) if isinstance(cause, psycopg.Error) else f"{cause}."
            raise NotExported(f"The database {self.database.name} could not be written to: {why}") from error
        finally:
            engine.dispose()

    def _prepare(self, connection: Connection, table: Table, options: TableOptions) -> list[str]:
        """Have a table with these columns; what may become of values in one that was there."""
        is_there = inspect(connection).has_table(self.table, self.schema)
        if is_there and options.if_exists == "fail":
            raise NameTaken(f"There is a table {table.fullname} already. Choose another name, or say if_exists.")
        if is_there and options.if_exists == "append":
            return _fitted(connection, table)
        if is_there:
            table.drop(connection)
        table.create(connection)
        return []


def _fitted(connection: Connection, table: Table) -> list[str]:
    """What a reader should know of rows that are appended to a table with columns of its own."""
    known = {column["name"]: column["type"] for column in inspect(connection).get_columns(table.name, table.schema)}
    if unknown := [column.name for column in table.columns if column.name not in known]:
        raise NotFound(f"The table {table.fullname} has no column {', '.join(unknown)}, so nothing can be appended.")
    types = {column.name: (spelt(column.type), spelt(known[column.name])) for column in table.columns}
    notes = [
        f"Values of {name} are {given}, and that column of the table {there}: PostgreSQL may have rounded or cut them."
        for name, (given, there) in types.items()
        if not holds(there, given)
    ]
    unmarked = [name for name in known if name.removesuffix(MARK) in (*types, "row") and name not in types]
    if marks := [name for name in unmarked if name.endswith(MARK)]:
        notes.append(f"Nothing is said in {', '.join(marks)} of these rows. With marks = all it would be.")
    return notes


def _copy(connection: Connection, table: Table, data: Outgoing, options: TableOptions) -> None:
    names = sql.SQL(", ").join(sql.Identifier(column.name) for column in table.columns)
    parts = [table.schema, table.name] if table.schema else [table.name]
    statement = sql.SQL("COPY {} ({}) FROM STDIN (FORMAT csv, NULL {}, ENCODING 'UTF8')").format(
        sql.Identifier(*parts), names, sql.Literal(NULL)
    )
    # All in quotes: older servers take a line with nothing but \. for the end.
    form = CsvOptions(marks=options.marks, header=False, quote="all", null=NULL, guard_formulas=False)
    driver: Any = connection.connection.driver_connection
    with driver.cursor() as cursor, cursor.copy(statement) as copy:
        CsvSink().write(hexed(data), cast(BinaryIO, _Rows(copy)), form)


@dataclass(frozen=True)
class _Rows:
    """Where a file would be."""

    copy: Copy

    def write(self, content: memoryview) -> None:
        self.copy.write(bytes(content))


def _require_name(name: str) -> None:
    if len(name.encode("utf-8")) > LONGEST_NAME:
        raise Invalid(
            f"{name} is too long for PostgreSQL, which keeps {LONGEST_NAME} bytes of a name. Rename it before."
        )
    if "\0" in name:
        raise Invalid(f"{name!r} can't be a name in PostgreSQL: it has a NUL in it.")
