from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from trailbook import Caveat
from trailbook.engine import Engine
from trailbook.errors import Invalid
from trailbook.library import Database

ROWS = [{"a": 1, "b": "x"}, {"a": None, "b": "y"}, {"a": 3, "b": "z"}]
TABLE = pa.Table.from_pylist(ROWS)
DOUBTS = [Caveat("typed by hand", row=2, column="a"), Caveat("seen twice", row=1)]

KINDS: dict[str, Callable[[], Any]] = {
    "Arrow table": lambda: TABLE,
    "Arrow batch": lambda: TABLE.to_batches()[0],
    "Arrow reader": lambda: TABLE.to_reader(),
    "pandas": lambda: pd.DataFrame({"a": pd.array([1, None, 3], "Int64"), "b": ["x", "y", "z"]}),
    "Polars": lambda: pl.DataFrame(ROWS),
    "lazy Polars": lambda: pl.LazyFrame(ROWS),
    "dictionaries": lambda: ROWS,
}


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_table_is_taken_with_its_caveats(kind: str, db: Database) -> None:
    db.create("r", KINDS[kind](), DOUBTS)
    result = db.sql("SELECT * FROM r").fetch()
    assert result.table.to_pylist() == ROWS
    assert result.marked.to_pylist() == [{"a": row == 2, "b": False} for row in range(3)]
    assert result.row_marked == [False, True, False]
    assert not result.rows_may_be_missing


def test_a_frame_of_the_databases_own_session_stays_lazy(db: Database) -> None:
    broken = db.spark.sql("SELECT id AS a, raise_error('computed') AS b FROM range(3)")
    db.create("r", broken, [Caveat("all of it", column="a"), Caveat("who knows")])
    result = db.sql("SELECT a FROM r").fetch()
    assert result.table.column("a").to_pylist() == [0, 1, 2]
    assert result.marked.column("a").to_pylist() == [True] * 3
    assert result.row_marked == [True] * 3


def test_a_frame_with_caveats_of_single_rows_is_read_once(db: Database) -> None:
    db.create("r", db.spark.createDataFrame(TABLE), DOUBTS)
    result = db.sql("SELECT * FROM r").fetch()
    assert result.table.to_pylist() == ROWS
    assert result.row_marked == [False, True, False]


def test_a_frame_of_another_session_is_taken(db: Database, engine: Engine) -> None:
    with engine.session() as other:
        db.create("r", other.createDataFrame(TABLE))
    assert db.sql("SELECT * FROM r").fetch().table.to_pylist() == ROWS


def test_what_spark_can_not_store_is_told(db: Database) -> None:
    with pytest.warns(UserWarning, match=r"r: column 't' .* stored as text"):
        db.create("r", pa.table({"t": pa.array([0], pa.time64("us"))}))


def test_something_else_is_refused_with_what_would_do(db: Database) -> None:
    with pytest.raises(Invalid, match=r"The data of r is of type str\. Give a table of Arrow, pandas, Polars or Spark"):
        db.create("r", "a.csv")


@pytest.mark.parametrize("name", ["", "a b", "1st", "class", "_mine", "x.y", None])
def test_a_name_that_sql_or_python_could_not_use_is_refused(name: Any, db: Database) -> None:
    with pytest.raises(Invalid, match="can't name a table: use letters"):
        db.create(name, TABLE)


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (pa.table({}), "has no columns"),
        ([], "has no columns"),
        (pa.table({"a": [1], "A": [2]}), "'a' and 'A' have the same name"),
        (pa.table({"__mask": [1]}), "its column '__mask' needs another name"),
    ],
)
def test_columns_that_can_not_be_told_apart_are_refused(data: Any, reason: str, db: Database) -> None:
    with pytest.raises(Invalid, match=reason):
        db.create("r", data)
    assert not db.tables


@pytest.mark.parametrize(
    ("caveat", "reason"),
    [
        (Caveat("?", column="aa"), r"There is no column aa here\. Did you mean a\? Known: a, b"),
        (Caveat("?", row=3), r"The caveat '\?' is about row 3; r has rows 0 to 2"),
        (Caveat("?", row="0"), r"is about row '0'\. Give a position, counted from 0"),  # type: ignore[arg-type]
        (Caveat("?", row=-1), r"is about row -1; r has rows 0 to 2"),
        ("typed by hand", r"'typed by hand' is no caveat\. Write Caveat\(message"),
    ],
)
def test_a_caveat_about_what_is_not_there_is_refused(caveat: Any, reason: str, db: Database) -> None:
    with pytest.raises(Invalid, match=reason):
        db.create("r", TABLE, [caveat])
    assert not db.tables


def test_a_caveats_column_may_be_spelt_as_in_sql(db: Database) -> None:
    db.create("r", TABLE, [Caveat("all of it", column="B")])
    assert db.sql("SELECT b FROM r").fetch().marked.column("b").to_pylist() == [True] * 3


def test_a_frame_of_the_session_needs_no_caveats(db: Database) -> None:
    db.create("r", db.spark.range(3))
    assert db.sql("SELECT id FROM r WHERE id > 0").fetch().table.column("id").to_pylist() == [1, 2]
