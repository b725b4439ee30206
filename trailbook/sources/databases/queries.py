"""What a database is asked: all of one table, or one query that changes nothing."""

from __future__ import annotations

import re

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from trailbook.errors import CellFailed
from trailbook.sources.databases.connections import System

_NAMES = re.compile(r'(?:"(?:[^"]|"")+"|[^".]+)(?:\.(?:"(?:[^"]|"")+"|[^".]+))*')
_NAME = re.compile(r'"((?:[^"]|"")+)"|([^".]+)')
_DIALECTS = {System.POSTGRESQL: "postgres", System.SQLITE: "sqlite", System.JDBC: ""}
_WRITES = (exp.Insert, exp.Update, exp.Delete, exp.Merge, exp.Into)


def select_of(table: str, query: str, system: System, quote: str = '"') -> str:
    """The one statement that gives all rows."""
    if bool(table) == bool(query):
        raise CellFailed("A database needs either a table or a query: say which rows are to be read.")
    # On a line of its own: the query may end in a comment. Some databases have no AS before q.
    return f"SELECT * FROM (\n{one_query(query, system)}\n) q" if query else f"SELECT * FROM {named(table, quote)}"


def named(table: str, quote: str = '"') -> str:
    """A name as SQL writes it, whatever is in it.

    >>> named("public.sales"), named('"a.b"'), named("x; DROP TABLE y")
    ('"public"."sales"', '"a.b"', '"x; DROP TABLE y"')
    """
    return ".".join(f"{quote}{part.replace(quote, quote * 2)}{quote}" for part in parts_of(table))


def parts_of(table: str) -> list[str]:
    """A name as people write it, taken apart. Dots part schema and table; quotes keep them in a name."""
    if "\0" in table or not _NAMES.fullmatch(table):
        raise CellFailed(f'{table!r} is no name of a table. Write schema.table, and quotes around "a name. with dots".')
    return [quoted.replace('""', '"') or plain for quoted, plain in _NAME.findall(table)]


def schema_and_table(name: str) -> tuple[str | None, str]:
    """What a name means that a table is to have."""
    *schema, table = parts_of(name)
    if len(schema) > 1:
        raise CellFailed(f"{name} has too many parts for the name of a table: write schema.table.")
    return (schema[0] if schema else None), table


def one_query(text: str, system: System) -> str:
    """The text without a semicolon at its end, if it is a query.

    What can't be read here is left to the database, which takes one statement only, and changes nothing for it.
    """
    text = text.strip().rstrip(";").rstrip()
    if system is System.JDBC and ";" in text:
        # Drivers may take several statements at once, and each database has its own rules for quotes.
        raise CellFailed("A query through JDBC can't have a semicolon in it, not even in a text.")
    try:
        statements = [found for found in sqlglot.parse(text, dialect=_DIALECTS[system]) if found is not None]
    except (SqlglotError, RecursionError):
        return text
    if len(statements) != 1:
        raise CellFailed(f"The query has {len(statements)} statements; a database is asked one SELECT.")
    if not isinstance(statements[0], exp.Query) or statements[0].find(*_WRITES):
        word = next((type(part).__name__ for part in statements[0].find_all(*_WRITES)), text.split()[0])
        raise CellFailed(f"The query is no SELECT that only reads: {word.upper()} is not allowed when data is loaded.")
    return text
