from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest

from trailbook import Caveat
from trailbook.engine import Engine
from trailbook.errors import CellFailed, EngineUnavailable, Invalid, NameTaken, NotFound
from trailbook.library import Database

TABLE = pa.table({"a": [1, 2, 3], "b": ["x", "y", "y"]})


def test_a_query_can_be_named_and_queried_again(db: Database) -> None:
    db.create("r", TABLE, [Caveat("typed by hand", row=2, column="a")])
    db.create("sums", db.sql("SELECT b, sum(a) AS s FROM r GROUP BY b"))
    result = db.sql("SELECT l.s, r.s AS t FROM sums l JOIN sums r ON l.b = r.b ORDER BY l.b").fetch()
    assert result.table.to_pylist() == [{"s": 1, "t": 1}, {"s": 5, "t": 5}]
    assert result.marked.to_pylist() == [{"s": False, "t": False}, {"s": True, "t": True}]
    assert list(db.tables) == ["r", "sums"]


def test_a_named_query_takes_no_caveats_of_its_own(db: Database) -> None:
    with pytest.raises(Invalid, match=r"q is a query: .*caveat\(value, message\)"):
        db.create("q", db.sql("SELECT 1 AS a"), [Caveat("?")])


def test_a_query_of_another_database_is_refused(db: Database, engine: Engine) -> None:
    with Database(engine) as other, pytest.raises(Invalid, match=r"Give its result: query.fetch\(\).table"):
        db.create("q", other.sql("SELECT 1 AS a"))


def test_a_name_is_given_once(db: Database) -> None:
    db.create("r", TABLE)
    with pytest.raises(NameTaken, match=r"There is a table r already\. Drop it first"):
        db.create("R", TABLE)


def test_a_dropped_table_is_gone_and_its_name_free(db: Database, tmp_path: Path) -> None:
    db.create("r", TABLE)
    query = db.sql("SELECT sum(a) AS s FROM r")
    db.drop("R")
    assert not db.tables
    assert not list(tmp_path.iterdir())
    db.create("r", pa.table({"a": [10]}))
    with pytest.raises(NotFound, match="The query reads r, which was dropped since"):
        query.fetch()
    assert db.sql("SELECT sum(a) AS s FROM r").fetch().table.to_pylist() == [{"s": 10}]


def test_dropping_a_named_query_leaves_what_it_reads(db: Database) -> None:
    db.create("r", TABLE)
    db.create("q", db.sql("SELECT * FROM r"))
    db.drop("q")
    assert db.sql("SELECT * FROM r").fetch().table.num_rows == 3


def test_dropping_what_is_not_there_names_what_is(db: Database) -> None:
    db.create("r", TABLE)
    with pytest.raises(NotFound, match=r"There is no table s\. Known: r\."):
        db.drop("s")


def test_the_session_sees_the_data_without_marks(db: Database) -> None:
    db.create("r", TABLE, [Caveat("seen twice")])
    assert db.spark.table("r").toArrow().to_pylist() == TABLE.to_pylist()


@pytest.mark.parametrize(
    ("text", "line", "column", "message"),
    [
        ("SELECT a,\n  c\nFROM r", 2, 3, r"There is no column c here\. Known: a, b"),
        ("SELECT a FROM s", 1, 15, r"There is no dataset s here\. Known: r"),
        ("DROP TABLE r", None, None, "DROP can't be used here"),
        ("", None, None, "The query is empty"),
    ],
)
def test_a_mistake_is_told_at_once(text: str, line: int | None, column: int | None, message: str, db: Database) -> None:
    db.create("r", TABLE)
    with pytest.raises(CellFailed, match=message) as failed:
        db.sql(text)
    assert (failed.value.line, failed.value.column) == (line, column)


def test_a_closed_database_says_so(engine: Engine) -> None:
    db = Database(engine)
    query = db.sql("SELECT 1 AS a")
    db.close()
    db.close()
    for use in (query.fetch, lambda: db.spark, lambda: db.create("r", TABLE)):
        with pytest.raises(EngineUnavailable, match=r"The database is closed. Open another one with trailbook.connect"):
            use()


def test_two_databases_on_one_engine_do_not_see_each_other(db: Database, engine: Engine) -> None:
    db.create("r", TABLE)
    with Database(engine) as other:
        assert not other.tables
        other.create("r", pa.table({"z": [1]}))
    assert db.sql("SELECT * FROM r").fetch().table.column_names == ["a", "b"]
