"""Tables of PostgreSQL, filled by its COPY in one transaction."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, BinaryIO, Literal, cast

import psycopg
from psycopg import Copy, sql
from pydantic import Field
from sqlalchemy import URL, Column, Connection, MetaData, NullPool, Table, create_engine, inspect, make_url, text
from sqlalchemy.exc import ArgumentError, DBAPIError

from trailbook.errors import AddressRefused, Invalid, NameTaken, NotExported, NotFound
from trailbook.sinks.formats.csv import CsvOptions, CsvSink
from trailbook.sinks.marking import Marked
from trailbook.sinks.outgoing import Outgoing
from trailbook.sinks.sink import ColumnOptions
from trailbook.sinks.targets.column_types import column_type
from trailbook.sinks.targets.hexed import hexed
from trailbook.sources.addresses import CONNECT_SECONDS, connect

LONGEST_NAME = 63
"""Bytes: PostgreSQL cuts the rest off, and says so to nobody who listens."""
PORT = 5432
HARMLESS = frozenset({"sslmode"})
"""What a URL may say beside where the database is; by other ways, files of this machine could be read."""
NULL = r"\N"
NO_PASSWORD = "none"
LOCK_SECONDS = 30


class TableOptions(ColumnOptions):
    if_exists: Literal["fail", "replace", "append"] = Field(
        default="fail",
        description="If there is such a table: fail; replace it; or append rows to it, by the names of its columns.",
    )


@dataclass(frozen=True)
class TableTarget:
    """A table of the database at a URL such as `postgresql://user:password@host/database`.

    Without `allow_private`, only databases of the world may be asked, not those of this machine and its network. With
    `anonymously`, the passwords that the server's own environment knows are not for them.
    """

    url: str = field(repr=False)
    table: str
    schema: str | None = None
    allow_private: bool = False
    anonymously: bool = False

    def write(self, data: Outgoing, options: TableOptions) -> list[str]:
        """Write all of it or nothing."""
        columns = Marked.of(data, options.marks).schema
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
            self._prepare(connection, table, options)
            _copy(connection, table, data, options)
        return []

    @contextmanager
    def _connected(self) -> Iterator[Connection]:
        """One transaction."""
        url = self._parsed()
        shown = f"{url.host or 'this machine'}/{url.database or ''}"
        engine = create_engine(url, poolclass=NullPool, connect_args=self._checked(url))
        try:
            with engine.begin() as connection:
                yield connection
        except (DBAPIError, psycopg.Error) as error:
            said = error.orig if isinstance(error, DBAPIError) else error
            raise NotExported(f"The database {shown} refused it: {_line(str(said))}") from error
        finally:
            engine.dispose()

    def _parsed(self) -> URL:
        try:
            url = make_url(self.url)
        except ArgumentError as error:
            raise Invalid("This is no URL of a database; write postgresql://user:password@host/database.") from error
        if url.drivername not in ("postgresql", "postgresql+psycopg"):
            raise Invalid(f"{url.drivername} is no database that can be written to: write postgresql://….")
        refused = sorted(set(url.query) - HARMLESS - ({"host"} if self.allow_private else set()))
        if refused:
            raise AddressRefused(f"The URL of the database may not say {', '.join(refused)}.")
        return url.set(drivername="postgresql+psycopg")

    def _checked(self, url: URL) -> dict[str, Any]:
        """How to connect: to the address that was looked at, whatever the name stands for a moment later."""
        arguments: dict[str, Any] = {"connect_timeout": int(CONNECT_SECONDS), "client_encoding": "utf8"}
        if self.anonymously:
            # An empty password would have PGPASSWORD looked up.
            arguments |= {"passfile": os.devnull, "password": url.password or NO_PASSWORD}
        if self.allow_private:
            return arguments
        if not url.host:
            raise AddressRefused("The URL of the database names no host, and those of this machine may not be asked.")
        with connect(url.host, url.port or PORT, allow_private=False) as found:
            return {**arguments, "hostaddr": found.getpeername()[0]}

    def _prepare(self, connection: Connection, table: Table, options: TableOptions) -> None:
        is_there = inspect(connection).has_table(self.table, self.schema)
        if is_there and options.if_exists == "fail":
            raise NameTaken(f"There is a table {table.fullname} already. Choose another name, or if_exists.")
        if is_there and options.if_exists == "replace":
            table.drop(connection)
            is_there = False
        if not is_there:
            table.create(connection)
        elif unknown := _unknown(connection, table):
            raise NotFound(
                f"The table {table.fullname} has no column {', '.join(unknown)}, so nothing can be appended."
            )


def _unknown(connection: Connection, table: Table) -> list[str]:
    known = {column["name"] for column in inspect(connection).get_columns(table.name, table.schema)}
    return [column.name for column in table.columns if column.name not in known]


def _copy(connection: Connection, table: Table, data: Outgoing, options: TableOptions) -> None:
    names = sql.SQL(", ").join(sql.Identifier(column.name) for column in table.columns)
    parts = [table.schema, table.name] if table.schema else [table.name]
    statement = sql.SQL("COPY {} ({}) FROM STDIN (FORMAT csv, NULL {})").format(
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


def _line(text: str) -> str:
    return " ".join(text.split()).removesuffix(".") + "."
