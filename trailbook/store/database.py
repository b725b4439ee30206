"""Connections to the metadata database: SQLite in the data directory, or PostgreSQL by URL."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError

from trailbook.errors import BadSetting
from trailbook.settings import Settings
from trailbook.store.memory import IS_SNAPSHOT, MEMORY, Memory

BUSY_SECONDS = 60


@dataclass(frozen=True)
class Engines:
    """One engine for transactions that write, one for snapshots to read."""

    writer: Engine
    reader: Engine


def database_url(settings: Settings) -> URL:
    """Where the metadata is."""
    if not settings.database:
        return URL.create("sqlite", database=str(settings.data / "trailbook.db"))
    try:
        url = make_url(settings.database)
    except ArgumentError as error:
        raise BadSetting("database is not a URL; it should look like postgresql://user@host/name.") from error
    if url.drivername not in ("postgresql", "postgresql+psycopg"):
        raise BadSetting(f"database = {url} is of a kind Trailbook can't use; postgresql://… or nothing works.")
    return url.set(drivername="postgresql+psycopg")


def engines(url: URL) -> Engines:
    made = _sqlite(url) if url.get_backend_name() == "sqlite" else _postgres(url)
    memory = {MEMORY: Memory()}
    return Engines(
        made.writer.execution_options(**memory), made.reader.execution_options(**memory, **{IS_SNAPSHOT: True})
    )


def _sqlite(url: URL) -> Engines:
    # Without an isolation level the driver begins nothing by itself, so that DDL, too, is inside our transactions.
    connect: dict[str, Any] = {"isolation_level": None, "timeout": BUSY_SECONDS}
    writer = create_engine(url, connect_args=connect, pool_size=1)
    reader = create_engine(url, connect_args=connect, max_overflow=32)
    for engine, begin, is_writer in ((writer, "BEGIN IMMEDIATE", True), (reader, "BEGIN", False)):
        event.listen(engine, "connect", _prepare_writer if is_writer else _prepare_reader)
        event.listen(engine, "begin", _beginner(begin))
    return Engines(writer, reader)


def _prepare_writer(connection: Any, _record: Any) -> None:
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA foreign_keys = ON")


def _prepare_reader(connection: Any, _record: Any) -> None:
    connection.execute("PRAGMA query_only = ON")


def _beginner(statement: str) -> Any:
    def begin(connection: Connection) -> None:
        connection.exec_driver_sql(statement)

    return begin


def _postgres(url: URL) -> Engines:
    writer = create_engine(url, pool_pre_ping=True, max_overflow=32)
    reader = writer.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
    return Engines(writer, reader)
