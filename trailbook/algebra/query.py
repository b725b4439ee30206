"""Reading the text of a query: it must be one and nothing else, and the datasets it names are its reads."""

from __future__ import annotations

import logging
import re
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
    """One query. It reads `tables`, and `mentions` where those are datasets: the parser can't tell."""

    text: str
    tables: frozenset[str]
    mentions: frozenset[str] = frozenset()
    places: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    """Where each word of the query stands first: line and column, from 1."""


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
        # Spark understands more SQL than the parser here, and points at what is wrong where it does not.
        words = frozenset(token.text for token in tokens if token.text.isidentifier())
        return Query(text, frozenset(), words)
    places = {token.text: _place(token) for token in reversed(tokens)}
    return Query(text, tables, overlooked, places)


def _tokens(text: str) -> list[Token]:
    """The tokens up to the semicolon at the end."""
    try:
        tokens = READER.tokenize(text)
    except TokenError as error:
        raise _unended(text, error) from error
    while tokens and tokens[-1].token_type is TokenType.SEMICOLON:
        tokens.pop()
    if not tokens:
        raise CellFailed("The query is empty. Write a SELECT.")
    if len(tokens) == 1:
        line, column = _place(tokens[0])
        raise CellFailed(f"{tokens[0].text} alone is no query. Write SELECT … FROM …", line=line, column=column)
    return tokens


def _unended(text: str, error: TokenError) -> CellFailed:
    """What the tokenizer found no end of, and where that begins."""
    missing = re.fullmatch(r"Missing (.+) from \d+:(\d+)", str(error.__cause__))
    sign, offset = (missing[1], int(missing[2])) if missing else ("*/", text.rfind("/*"))
    line, column = text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset)
    return CellFailed(f"What begins here has no end: {sign} is missing.", line=line, column=column)


def _refuse_forbidden(tokens: list[Token]) -> None:
    for token, following in pairwise(tokens):
        name = token.text.lower()
        if name in FORBIDDEN_FUNCTIONS and following.token_type is TokenType.L_PAREN:
            raise CellFailed(
                f"The function {name} {FORBIDDEN_FUNCTIONS[name]}; it can't be used in a query.", line=token.line
            )
        if token.token_type is TokenType.USING and following.token_type.name.endswith("STRING"):
            raise CellFailed(
                f"USING '{following.text}' runs a program; that can't be done in a query, but in Python.",
                line=token.line,
            )


def _the_query(statements: list[exp.Expr], tokens: list[Token]) -> exp.Query | exp.Values:
    if len(statements) > 1:
        line, column = _second(tokens)
        message = f"There can be one query here, and there are {len(statements)}. Split them up."
        raise CellFailed(message, line=line, column=column)
    statement = statements[0]
    if not isinstance(statement, exp.Query | exp.Values):
        word = tokens[0].text.upper()
        raise CellFailed(f"This is no query: {word} can't be used here. Write a SELECT; its result is kept.")
    for into in statement.find_all(exp.Into):
        raise CellFailed(f"A query can't have {into.sql('spark').strip()}. Its result is kept without that.")
    return statement


def _second(tokens: list[Token]) -> tuple[int, int]:
    """Where the second statement begins."""
    ended = False
    for token in tokens:
        if ended and token.token_type is not TokenType.SEMICOLON:
            return _place(token)
        ended = ended or token.token_type is TokenType.SEMICOLON
    return _place(tokens[-1])


def _place(token: Token) -> tuple[int, int]:
    """Line and column, from 1."""
    return token.line, token.col - (token.end - token.start)


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
            f"{table.sql('spark')} is not the name of a dataset: names have one part. Load the file first."
        )
    return True
