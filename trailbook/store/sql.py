"""Statements that every table's module needs."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache
from importlib import import_module
from typing import Any, TypeVar

from sqlalchemy import Connection, Row, Select, Table

from trailbook.errors import NotFound

LARGEST_NUMBER = 2**31 - 1
"""The largest version number or limit that both databases take as an integer."""

_CHUNK = 5000

T = TypeVar("T")


def insert_or_update(tx: Connection, table: Table, row: Mapping[str, Any], news: tuple[str, ...]) -> Row[Any]:
    """Insert the row; if its key is there already, these of its columns replace what is there. Returns the row."""
    return tx.execute(_insert_or_update(tx.dialect.name, table, news), dict(row)).one()


@cache
def _insert_or_update(dialect: str, table: Table, news: tuple[str, ...]) -> Any:
    insert = _dialect(dialect).insert(table)
    replaced = {name: insert.excluded[name] for name in news}
    key = [column.name for column in table.primary_key]
    return insert.on_conflict_do_update(index_elements=key, set_=replaced).returning(table)


def insert_missing(tx: Connection, table: Table, rows: Collection[Mapping[str, Any]]) -> None:
    """Insert the rows whose key is not there yet."""
    if rows:
        tx.execute(_dialect(tx.dialect.name).insert(table).on_conflict_do_nothing(), [dict(row) for row in rows])


def the_one(tx: Connection, query: Select[Any], what: str, id: str) -> Row[Any]:
    """The row that the query finds; NotFound says what there is none of."""
    row = tx.execute(query).first()
    if row is None:
        raise NotFound(f"There is no {what} {id}.", what=what, id=id)
    return row


def chunks(values: Sequence[T], size: int = _CHUNK) -> Iterator[Sequence[T]]:
    """Pieces that fit into one IN list: both databases limit how many parameters a statement has."""
    for start in range(0, len(values), size):
        yield values[start : start + size]


def _dialect(name: str) -> Any:
    # Loaded when needed: a server that answers soon has no time for a database that it doesn't use.
    return import_module(f"sqlalchemy.dialects.{name}")
