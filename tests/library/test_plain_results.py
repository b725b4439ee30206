"""Doubts change no data: queries give what Spark itself gives for the same text and tables."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from tests.algebra.tpch.data import TABLES
from tests.support.golden_plans import rows_of
from tests.support.made_tables import make_tables
from tests.support.spark_answers import TINY
from trailbook import Caveat
from trailbook.engine import Engine
from trailbook.library import Database

QUERIES = Path(__file__).parent.parent / "algebra" / "tpch"
QUICK = ("q03", "q04", "q06", "q11", "q12", "q13", "q14", "q16", "q18", "q22")
"""The others take Spark a while to plan."""
SHARE = 0.02


@pytest.fixture(scope="module")
def tpch(engine: Engine, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    """TPC-H's tables, with some values of every column in doubt that is no key."""
    random = Random(1)
    with Database(engine, tmp_path_factory.mktemp("tpch")) as db:
        for setting, value in TINY.items():
            db.spark.conf.set(setting, value)
        for name, table in make_tables(TABLES, seed=1).items():
            columns = [column.name for column in TABLES[name].columns if not column.key]
            cells = [(row, column) for column in columns for row in range(table.num_rows) if random.random() < SHARE]
            db.create(name, table, [Caveat("smudged", row, column) for row, column in cells])
        yield db


@pytest.mark.parametrize("query", QUICK)
def test_the_data_is_what_plain_spark_gives(query: str, tpch: Database) -> None:
    text = (QUERIES / f"{query}.sql").read_text("utf-8")
    result, plain = tpch.sql(text).fetch().table, tpch.spark.sql(text).toArrow()
    assert [(field.name, field.type) for field in result.schema] == [(field.name, field.type) for field in plain.schema]
    assert rows_of(result) == rows_of(plain)
