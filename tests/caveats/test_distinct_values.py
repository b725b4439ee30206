"""Aggregates of distinct values run beside others over rows that are there only in some world."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa

from trailbook import Caveat
from trailbook.engine import Engine
from trailbook.library import Database


def test_a_list_in_an_order_of_its_own_stands_beside_a_count_of_distinct_values(engine: Engine, tmp_path: Path) -> None:
    db = Database(engine, tmp_path)
    table = pa.table({"id": [1, 2, 3], "v": [2, 2, 5], "g": ["a", "b", "c"]})
    db.create("t", table, [Caveat("typed by hand", row=2, column="v")])
    query = db.sql(
        "SELECT listagg(g, ',') WITHIN GROUP (ORDER BY id DESC) AS l, count(DISTINCT v) AS n FROM t WHERE v < 9"
    )
    assert query.fetch().table.to_pylist() == [{"l": "c,b,a", "n": 2}]
    assert query.fetch().marked.to_pylist() == [{"l": True, "n": True}]
