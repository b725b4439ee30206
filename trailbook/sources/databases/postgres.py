"""PostgreSQL: one query in a transaction that only reads, taken in row by row."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import closing, contextmanager
from itertools import islice
from typing import Any

import psycopg
import pyarrow as pa
from psycopg.types.string import TextLoader

from trailbook.errors import NotFetched
from trailbook.sources.addresses import CONNECT_SECONDS
from trailbook.sources.databases.answer import FEW, Answer, Rows
from trailbook.sources.databases.connections import Connection
from trailbook.sources.databases.reaching import arguments, said
from trailbook.sources.databases.stopping import Stopping
from trailbook.sources.formats.spark_types import MOST_DIGITS

SCALE = 18
"""Digits after the point of numbers of which the database does not say how many they have, as Spark has it."""
MOST_LISTED = 20

_LOADED: dict[str, pa.DataType] = {
    "bool": pa.bool_(),
    "int2": pa.int16(),
    "int4": pa.int32(),
    "int8": pa.int64(),
    "oid": pa.int64(),
    "float4": pa.float32(),
    "float8": pa.float64(),
    "bytea": pa.binary(),
    "text": pa.string(),
    "varchar": pa.string(),
    "bpchar": pa.string(),
    "name": pa.string(),
}
"""What comes as Python has it, and lists of it. All else comes as the database writes it."""
_READ: dict[str, pa.DataType] = {
    "date": pa.date32(),
    "timestamp": pa.timestamp("us"),
    "timestamptz": pa.timestamp("us", "UTC"),
}
"""Texts that are read as another type."""
_EXACTLY = """
    SELECT set_config('TimeZone', 'UTC', true), set_config('DateStyle', 'ISO', true),
        set_config('bytea_output', 'hex', true), set_config('extra_float_digits', '3', true)
"""
"""How the database is to write values in this transaction, whatever its owner prefers."""


@contextmanager
def asked(place: Connection, select: str, *, allow_private: bool, stopping: Stopping) -> Iterator[Answer]:
    """What the statement gives. Nothing can be changed by it."""
    try:
        with psycopg.connect(**arguments(place, allow_private=allow_private)) as connection:
            stopping.at_stop(lambda: connection.cancel_safe(timeout=CONNECT_SECONDS))
            connection.read_only = True
            connection.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
            _load_plainly(connection)
            connection.execute(_EXACTLY)
            # As bytes: it is no text of ours, and was looked at before.
            statement = select.encode()
            with closing(_rows(connection, statement)) as rows:
                yield Answer(_fields(connection, statement, place), rows)
    except psycopg.Error as error:
        # Of this process: if it were the server's, it would have a number.
        if "out of memory" in str(error) and not error.sqlstate:
            raise MemoryError from error
        raise NotFetched(said(error, place)) from error


def _fields(connection: psycopg.Connection[Any], statement: bytes, place: Connection) -> list[tuple[str, pa.DataType]]:
    """What the columns are, before there are rows."""
    try:
        # In binary, since that takes one statement and no more.
        described = connection.execute(statement + b" LIMIT 0", binary=True).description
    except psycopg.errors.UndefinedTable as error:
        raise NotFetched(f"{said(error, place)} {_known(connection)}") from error
    return [(column.name, _kind(column)) for column in described or ()]


def _rows(connection: psycopg.Connection[Any], statement: bytes) -> Generator[Rows, None, None]:
    rows = connection.cursor().stream(statement, size=FEW)
    while some := list(islice(rows, FEW)):
        yield some


def _load_plainly(connection: psycopg.Connection[Any]) -> None:
    for info in psycopg.postgres.types:
        if info.name not in _LOADED:
            connection.adapters.register_loader(info.oid, TextLoader)
            connection.adapters.register_loader(info.array_oid, TextLoader)


def _kind(column: psycopg.Column) -> pa.DataType:
    info = psycopg.postgres.types.get(column.type_code)
    if info is None:
        return pa.string()
    if info.name == "numeric" and info.oid == column.type_code:
        return _decimal(column)
    kinds = _LOADED if info.oid != column.type_code else _LOADED | _READ
    kind = kinds.get(info.name, pa.string())
    is_list = info.oid != column.type_code and info.name in _LOADED
    return pa.list_(kind) if is_list else kind


def _decimal(column: psycopg.Column) -> pa.DataType:
    if column.precision is None or column.scale is None:
        return pa.decimal128(MOST_DIGITS, SCALE)
    fits = column.precision <= MOST_DIGITS and 0 <= column.scale <= column.precision
    return pa.decimal128(column.precision, column.scale) if fits else pa.string()


def _known(connection: psycopg.Connection[Any]) -> str:
    """Tables that might have been meant."""
    connection.rollback()
    found = connection.execute(
        "SELECT table_schema, table_name FROM information_schema.tables"
        " WHERE table_schema NOT IN ('pg_catalog', 'information_schema')"
        " ORDER BY table_schema <> 'public', table_schema, table_name LIMIT %s",
        [MOST_LISTED],
    ).fetchall()
    names = (name if schema == "public" else f"{schema}.{name}" for schema, name in found)
    return f"There are: {', '.join(names) or 'none'}."
