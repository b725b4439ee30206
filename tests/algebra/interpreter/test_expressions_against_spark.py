"""Expressions over rows with NULL and odd values: Spark says what is right."""

from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from tests.support.spark_answers import comparable, spark_answers, tiny_session
from trailbook.algebra.bind import bind
from trailbook.algebra.interpreter import interpret
from trailbook.algebra.plan import Scan
from trailbook.engine.engine import Engine
from trailbook.errors import CellFailed, InterpreterError
from trailbook.model.artifacts import Column

TYPES = {
    "id": "int", "i": "int", "j": "int", "l": "bigint", "x": "double", "y": "double", "m": "decimal(6,2)",
    "n": "decimal(10,3)", "s": "string", "u": "string", "p": "boolean", "q": "boolean", "d": "date", "e": "date",
    "t": "timestamp", "a": "array<int>",
}  # fmt: skip
TABLE = Scan("t", tuple(Column(name=name, type=kind) for name, kind in TYPES.items()))
DAY, LEAP = date(2023, 12, 31), date(2024, 2, 29)
ROWS: list[tuple[Any, ...]] = [
    (1, 7, -2, 5_000_000_000, 2.5, -0.5, Decimal("1.25"), Decimal("-3.125"), "abc", "b", True, None, DAY, LEAP,
     datetime(2024, 2, 29, 13, 5, 7), [1, None, 3]),
    (2, -7, 2, -1, -1.5, 4.0, Decimal("-10.00"), Decimal("2.500"), " Ab%_ ", "", False, True, LEAP, DAY,
     datetime(1999, 1, 1), []),
    (3, None, None, None, None, None, None, None, None, None, None, None, None, None, None, None),
    (4, 0, 1, 0, 0.0, 1e10, Decimal("0.05"), Decimal("99.999"), "12", "1.50", None, False, date(1970, 1, 1),
     date(2000, 3, 31), datetime(1970, 1, 1, 0, 0, 1), [5]),
]  # fmt: skip


def expressions(name: str) -> list[str]:
    """Those in a file, one a line."""
    return (Path(__file__).parent / "expressions" / f"{name}.sql").read_text().splitlines()


@pytest.mark.parametrize("name", ["logic", "numbers", "texts", "casts", "dates", "nested"])
def test_expressions_are_what_they_are_in_spark(engine: Engine, name: str) -> None:
    queries = [f"SELECT id, {expr} AS v FROM t" for expr in expressions(name)]
    with tiny_session(engine, [TABLE], {"t": ROWS}) as session:
        answers = spark_answers(session, queries)
    ours = [comparable(interpret(bind(query, {"t": TABLE}), {"t": ROWS})) for query in queries]
    assert dict(zip(queries, ours, strict=True)) == dict(zip(queries, answers, strict=True))


def test_what_raises_in_spark_raises_here(engine: Engine) -> None:
    queries = [f"SELECT {expr} AS v FROM t WHERE id = 1" for expr in expressions("raising")]
    for query in queries:
        with pytest.raises(CellFailed):
            spark_answer(engine, query)
        with pytest.raises(InterpreterError):
            interpret(bind(query, {"t": TABLE}), {"t": ROWS})


def spark_answer(engine: Engine, query: str) -> None:
    with tiny_session(engine, [TABLE], {"t": ROWS}) as session:
        session.sql(query).toArrow()
