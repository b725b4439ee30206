"""Subqueries that stand for a value run over rows that are there only in some world."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pytest

from trailbook import Caveat
from trailbook.engine import Engine
from trailbook.library import Database


@pytest.fixture(scope="module")
def db(engine: Engine, tmp_path_factory: pytest.TempPathFactory) -> Database:
    db = Database(engine, tmp_path_factory.mktemp("subqueries"))
    db.create("t", pa.table({"id": [1, 2, 3], "v": [1, 2, 5]}), [Caveat("typed by hand", row=2, column="v")])
    return db


@pytest.mark.parametrize(
    ("query", "rows"),
    [
        ("SELECT id, (SELECT v FROM t WHERE v = 2) AS x FROM t ORDER BY id", [(1, 2), (2, 2), (3, 2)]),
        ("SELECT id, (SELECT v FROM t AS u WHERE u.v = t.id) AS x FROM t ORDER BY id", [(1, 1), (2, 2), (3, None)]),
        ("SELECT id, v FROM t WHERE id = (SELECT id FROM t WHERE v = 2)", [(2, 2)]),
    ],
)
def test_a_subquery_over_rows_in_doubt_gives_its_value(db: Database, query: str, rows: list[Any]) -> None:
    result = db.sql(query).fetch()
    assert [tuple(row.values()) for row in result.table.to_pylist()] == rows
    assert any(result.row_marked) or any(any(column.to_pylist()) for column in result.marked.columns)
