"""Reading the text of a SQL cell: it must be one query, and the datasets it names are its reads."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise

from sqlglot import exp
from sqlglot.errors import SqlglotError, TokenError
from sqlglot.optimizer.scope import traverse_scope
from sqlglot.tokenizer_core import Token, TokenType

from trailbook.algebra.dialect import READER
from trailbook.errors import CellFailed

FORBIDDEN_FUNCTIONS = {
    "reflect": "calls Java code",
    "java_method": "calls Java code",
    "try_reflect": "calls Java code",
    "identifier": "makes a name out of text, so nobody could tell what the query reads",
}

# It warns of every statement that is not a query; the cell's error says that already.
logging.getLogger("sqlglot").setLevel(logging.ERROR)


@dataclass(frozen=True)
class Query:
    """A query as Spark gets it. It reads `tables`, and `mentions` where those are datasets: the parser can't tell."""

    text: str
    tables: frozenset[str]
    mentions: frozenset[str] = frozenset()
    lines: Mapping[str, int] = field(default_factory=dict)
    """Where each word of the query stands first."""


@lru_cache(maxsize=256)
def read_query(text: str) -> Query:
    """Check that `text` is one query and nothing else."""
    tokens = _tokens(text)
    _refuse_forbidden(tokens)
    text = text[: tokens[-1].end + 1]
    try:
        statements = [s for s in READER.parser().parse(tokens, text) if s is not None]
        tables, overlooked = _tables(_the_query(statements, tokens))
    except (SqlglotError, RecursionError):
        # Spark understands more SQL than the parser here. As a subquery nothing but a query can pass,
        # and Spark itself points at the line that is wrong.
        words = frozenset(token.text for token in tokens if token.text.isidentifier())
        return Query(f"SELECT * FROM ({text}\n)", frozenset(), words)
    lines = {token.text: token.line for token in reversed(tokens)}
    return Query(text, tables, overlooked, lines)


def _tokens(text: str) -> list[Token]:
    """The tokens up to the semicolon at the end."""
    try:
        tokens = READER.tokenize(text)
    except TokenError as error:
        raise CellFailed(f"The query can't be read: {error.__cause__ or error}.") from error
    while tokens and tokens[-1].token_type is TokenType.SEMICOLON:
        tokens.pop()
    if not tokens:
        raise CellFailed("The query is empty. Write a SELECT.")
    return tokens


def _refuse_forbidden(tokens: list[Token]) -> None:
    for token, following in pairwise(tokens):
        name = token.text.lower()
        if name in FORBIDDEN_FUNCTIONS and following.token_type is TokenType.L_PAREN:
            raise CellFailed(
                f"The function {name} {FORBIDDEN_FUNCTIONS[name]}; it can't be used in a SQL cell.", line=token.line
            )
        if token.token_type is TokenType.USING and following.token_type.name.endswith("STRING"):
            raise CellFailed(
                f"USING '{following.text}' runs a program; that can't be done in a SQL cell. Use a Python cell.",
                line=token.line,
            )


def _the_query(statements: list[exp.Expr], tokens: list[Token]) -> exp.Query | exp.Values:
    if len(statements) > 1:
        raise CellFailed(f"A SQL cell holds one query; this one has {len(statements)}. Split it into cells.")
    statement = statements[0]
    if not isinstance(statement, exp.Query | exp.Values):
        word = tokens[0].text.upper()
        raise CellFailed(f"A SQL cell is a query: {word} can't be used here. Its result is stored by the cell itself.")
    for into in statement.find_all(exp.Into):
        raise CellFailed(f"A SQL cell is a query: {into.sql('spark').strip()} can't be used here.")
    return statement


def _tables(statement: exp.Query | exp.Values) -> tuple[frozenset[str], frozenset[str]]:
    """The tables that are not common table expressions of this query; then those where that can't be told."""
    names, seen = set(), set()
    for scope in traverse_scope(statement):
        expressions = {name.lower() for name in scope.cte_sources}
        for table in scope.tables:
            seen.add(id(table))
            if table.name.lower() not in expressions and _is_dataset(table):
                names.add(table.name)
    others = {t.name for t in statement.find_all(exp.Table) if id(t) not in seen and _is_dataset(t)}
    return frozenset(names), frozenset(others - names)


def _is_dataset(table: exp.Table) -> bool:
    if isinstance(table.this, exp.Func):
        return False
    if table.db or table.catalog:
        raise CellFailed(
            f"{table.sql('spark')} is not the name of a dataset: names have one part. "
            "Files are brought in by a Load cell."
        )
    return True
