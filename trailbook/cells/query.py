"""Reading the text of a SQL cell: it must be one query, and the datasets it names are its reads."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError
from sqlglot.optimizer.scope import traverse_scope

from trailbook.errors import CellFailed

# These call any static Java method by name.
FORBIDDEN_FUNCTIONS = frozenset({"reflect", "java_method", "try_reflect"})


@dataclass(frozen=True)
class Query:
    """A query as Spark gets it. `tables` is None where the names it reads can't be told."""

    text: str
    tables: frozenset[str] | None


@lru_cache(maxsize=256)
def read_query(text: str) -> Query:
    """Check that `text` is one query and nothing else."""
    try:
        statements = [s for s in sqlglot.parse(text, dialect="spark") if s is not None]
    except SqlglotError:
        # Spark understands more SQL than the parser here. As a subquery nothing but a query can pass,
        # and Spark itself points at the line that is wrong.
        return Query(f"SELECT * FROM ({text}\n)", None)
    if not statements:
        raise CellFailed("The query is empty. Write a SELECT.")
    if len(statements) > 1:
        raise CellFailed(f"A SQL cell holds one query; this one has {len(statements)}. Split it into cells.")
    statement = statements[0]
    if not isinstance(statement, exp.Query | exp.Values):
        word = text.split(None, 1)[0].upper()
        raise CellFailed(f"A SQL cell is a query: {word} can't be used here. Its result is stored by the cell itself.")
    _refuse_forbidden(statement)
    return Query(text.rstrip().rstrip(";"), frozenset(_table_names(statement)))


def _refuse_forbidden(statement: exp.Query | exp.Values) -> None:
    for into in statement.find_all(exp.Into):
        raise CellFailed(f"A SQL cell is a query: {into.sql('spark').strip()} can't be used here.")
    for call in statement.find_all(exp.Func):
        name = call.name if isinstance(call, exp.Anonymous) else call.sql_name()
        if name.lower() in FORBIDDEN_FUNCTIONS:
            raise CellFailed(f"The function {name.lower()} calls Java code and can't be used in a SQL cell.")


def _table_names(statement: exp.Query | exp.Values) -> set[str]:
    """The tables that are not common table expressions of this query."""
    names = set()
    for scope in traverse_scope(statement):
        for table in scope.tables:
            if isinstance(table.this, exp.Func) or table.name in scope.cte_sources:
                continue
            if table.db or table.catalog:
                raise CellFailed(
                    f"{table.sql('spark')} is not the name of a dataset: names have one part. "
                    "Files are brought in by a Load cell."
                )
            names.add(table.name)
    return names
