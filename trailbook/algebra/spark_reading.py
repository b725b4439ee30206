"""What Spark says about SQL of ours, as something about the text that somebody wrote."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from trailbook.engine.errors import spark_errors
from trailbook.errors import CellFailed

if TYPE_CHECKING:
    from pyspark.sql.connect.session import SparkSession

SYNTAX = "PARSE_SYNTAX_ERROR"
WORD = re.compile(r"\w+|[^\w\s]")


@contextmanager
def errors_about(text: str, session: SparkSession) -> Iterator[None]:
    """Raise what Spark raises inside with its place in `text`, a query."""
    try:
        with spark_errors():
            yield
    except CellFailed as error:
        told = placed(error, text, session)
        if told is error:
            raise
        raise told from error


def placed(error: CellFailed, text: str, session: SparkSession) -> CellFailed:
    """The error with line and column, if Spark finds the same wrong with the text itself, or can't even read it."""
    if "condition" not in error.details:
        return error
    error.line, error.column = _place_of_part(error.__cause__, text)
    try:
        with spark_errors():
            # As a subquery nothing but a query can pass, and it begins in a line of its own.
            session.sql(f"SELECT * FROM (\n{text}\n)")
    except CellFailed as found:
        if found.details["condition"] in (SYNTAX, error.details["condition"]):
            return _moved(found, text)
    return error


def _place_of_part(cause: BaseException | None, text: str) -> tuple[int | None, int | None]:
    """Where the part of a query that Spark could not compute stands, if the text has the same part, and once."""
    from pyspark.errors.exceptions.base import PySparkException, QueryContextType

    for context in cause.getQueryContext() if isinstance(cause, PySparkException) else ():
        if context.contextType() is not QueryContextType.SQL:
            continue
        part = r"\s*".join(map(re.escape, WORD.findall(context.fragment())))
        found = list(re.finditer(part, text, re.IGNORECASE))
        if part and len(found) == 1:
            before = text[: found[0].start()]
            return before.count("\n") + 1, len(before) - before.rfind("\n")
    return None, None


def _moved(found: CellFailed, text: str) -> CellFailed:
    lines = text.split("\n")
    if found.line is None or found.line - 2 < len(lines):
        found.line = None if found.line is None else found.line - 1
        return found
    found = CellFailed("Syntax error at the end of the query: something is missing.", **found.details)
    found.line, found.column = len(lines), len(lines[-1]) + 1
    return found
