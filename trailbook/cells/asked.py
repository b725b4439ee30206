"""Tables and queries of databases as raw tables."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from trailbook.cells.capturing import MAY_CHANGE, terms_of
from trailbook.cells.context import RunContext
from trailbook.cells.raw import RawColumn, RawTable
from trailbook.model.base import Value
from trailbook.model.runs import Progress
from trailbook.sources.local import allowed_path

if TYPE_CHECKING:
    # As for files, what talks to other machines is imported when it is needed.
    from trailbook.sources.databases.connections import Connection
    from trailbook.sources.databases.reader import Order


class TableToRead(Value):
    """What is to be read of a database: a table, or what a query gives."""

    database: str
    table: str = ""
    query: str = ""

    @property
    def name(self) -> str:
        return f"{self.table or 'a query'} of {self.database}"


def ask(context: RunContext, wanted: TableToRead, target: Path) -> RawTable:
    """Write the raw table into the folder `target`, as it is now; what it is."""
    from trailbook.sources.databases.connections import System, connection_to

    connection = connection_to(wanted.database, context.settings.databases)
    context.hosts_asked.add(connection.host)
    time = datetime.now(UTC)
    read = _by_spark if connection.system is System.JDBC else _by_reader
    table = raw_table(connection, read(context, connection, wanted, target))
    rows = "1 row" if table.rows == 1 else f"{table.rows:,} rows"
    context.note(f"{wanted.name} was read at {time:%Y-%m-%d %H:%M:%S} UTC: {rows}. {MAY_CHANGE}")
    return table


def _by_reader(context: RunContext, connection: Connection, wanted: TableToRead, target: Path) -> Mapping[str, Any]:
    from trailbook.sources.databases.asking import Asking
    from trailbook.sources.databases.connections import System

    settings = context.settings
    is_file = connection.system is System.SQLITE
    file = None
    if is_file and not connection.is_owners:
        file = allowed_path(connection.file, settings.readable_folders, settings.data)
    may_ask_any = is_file or connection.is_owners or terms_of(settings).allow_private
    order = order_for(connection, wanted, target, settings.upload_limit, allow_private=may_ask_any, file=file)
    asking = Asking(connection, order, lambda rows: context.progress(Progress(label="Rows read", done=rows)))
    with context.stopped_by(asking.stop):
        return asking.to_file()


def _by_spark(context: RunContext, connection: Connection, wanted: TableToRead, target: Path) -> Mapping[str, Any]:
    from trailbook.cells.jdbc import read_jdbc

    with context.session() as session:
        return read_jdbc(session, connection, wanted.table, wanted.query, target, context.settings.upload_limit)


def order_for(
    connection: Connection,
    wanted: TableToRead,
    target: Path,
    most_bytes: int,
    *,
    allow_private: bool,
    file: Path | None = None,
) -> Order:
    """The `file` is one of SQLite's, if it has been looked at; else it is where the connection says."""
    from trailbook.sources.databases.connections import System
    from trailbook.sources.databases.queries import select_of
    from trailbook.sources.databases.reader import Order

    return Order(
        url=connection.url,
        file=str(file or Path(connection.file).resolve()) if connection.system is System.SQLITE else "",
        is_owners=connection.is_owners,
        allow_private=allow_private,
        select=select_of(wanted.table, wanted.query, connection.system),
        folder=str(target),
        most_bytes=most_bytes,
    )


def raw_table(connection: Connection, told: Mapping[str, Any]) -> RawTable:
    """By what the reader of the database told. Nothing of it is wrong, and its types are known."""
    columns = (RawColumn(name=name, type=type, is_text=False, texts=texts) for name, type, texts in told["columns"])
    return RawTable(
        format=connection.system,
        options={},
        guessed=tuple(told["changed_names"]),
        columns=tuple(columns),
        rows=told["rows"],
        problems=0,
        left_out=0,
        blanks_are_null=False,
        cut_off=None,
    )
