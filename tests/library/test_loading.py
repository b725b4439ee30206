"""Files and tables are loaded as in the app, with the same doubts."""

from __future__ import annotations

import gzip
import sqlite3
from pathlib import Path

import psycopg
import pytest

from tests.sources.web import serving
from trailbook.engine import Engine
from trailbook.errors import CellFailed, Invalid, NameTaken, NotFetched, TrailbookError
from trailbook.library import Database
from trailbook.settings import Settings

MESSY = b"id,amount\n1,10\n2,1O\n3,30\n4\n5,50\n6,60\n7,70\n8,80\n9,90\n10,11\n11,12\n12,13\n13,14\n"


@pytest.fixture
def messy(tmp_path: Path) -> Path:
    path = tmp_path / "sales.csv"
    path.write_bytes(MESSY)
    return path


def test_what_is_wrong_with_a_file_is_in_doubt_and_explained(db: Database, messy: Path) -> None:
    notes = db.load("sales", messy, header=True)
    assert any("in doubt" in note for note in notes)
    assert [column.type for column in db.tables["sales"]] == ["int", "int"]
    assert db.spark.table("sales").columns == ["id", "amount"]
    assert db.spark.table("sales").count() == 13
    query = db.sql("SELECT * FROM sales WHERE id IN (2, 3, 4) ORDER BY id")
    result = query.fetch()
    assert result.table.to_pylist() == [{"id": 2, "amount": None}, {"id": 3, "amount": 30}, {"id": 4, "amount": None}]
    assert result.marked.column("amount").to_pylist() == [True, False, True]
    assert result.row_marked == [False, False, True]
    (reason,) = query.caveats(row=0, column="amount")
    assert (reason.message, reason.cell, reason.place) == ("'1O' is not an int", "sales", "amount read as int")
    of_line = {one.place: one.message for one in query.caveats(row=2)}
    assert of_line["lines of sales.csv"] == 'line 5, byte 25: 1 value instead of 2: "4"'
    # A line that is wrong might mean any row.
    assert db.sql("SELECT sum(amount) AS total FROM sales WHERE id = 3").fetch().marked.to_pylist() == [{"total": True}]


def test_options_have_the_names_of_the_form(db: Database, tmp_path: Path) -> None:
    path = tmp_path / "odd.txt.gz"
    path.write_bytes(gzip.compress(b"a;b\n1;007\n"))
    db.load("odd", str(path), "csv", delimiter=";", header=True, types={"b": "string", "a": {"type": "bigint"}})
    query = db.table("odd")
    assert [column.type for column in query.columns] == ["bigint", "string"]
    assert query.fetch().table.to_pylist() == [{"a": 1, "b": "007"}]
    assert query.caveats() == []


def test_a_file_is_loaded_from_an_address(db: Database) -> None:
    with serving() as web:
        db.load("rates", web.url("/rates.csv"), header=True)
        assert db.table("rates").fetch().table.to_pylist() == [{"id": 1, "name": "Ann"}, {"id": 2, "name": "Bob"}]
        with pytest.raises(NotFetched, match="404"):
            db.load("nothing", web.url("/nothing.csv"))


def test_a_table_of_a_database_is_loaded(engine: Engine, tmp_path: Path, database: str) -> None:
    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute("CREATE TABLE days AS VALUES ('2026-05-01'::date), ('infinity')")
    with sqlite3.connect(tmp_path / "a.db") as lite:
        lite.execute("CREATE TABLE t AS SELECT 1 AS a")
    with Database(engine, tmp_path, settings=Settings(data=tmp_path, databases={"shop": database})) as db:
        db.load("days", "shop", table="days")
        (reason,) = db.table("days").caveats(column="column1")
        assert reason.message == "infinity does not fit date, the type of column1"
        db.load("ones", database, query="SELECT 1 AS one")
        assert db.table("ones").fetch().table.to_pylist() == [{"one": 1}]
        db.load("t", f"sqlite:///{tmp_path}/a.db", table="t")
        assert db.table("t").fetch().table.to_pylist() == [{"a": 1}]


def test_a_spark_elsewhere_is_sent_what_was_read_here(engine: Engine, messy: Path) -> None:
    with Database(engine) as db:
        db.load("sales", messy, header=True)
        assert db.sql("SELECT count(*) AS n FROM sales").fetch().table.to_pylist() == [{"n": 13}]
        (reason,) = db.table("sales").caveats(column="amount")[:1]
        assert reason.cell == "sales"


def test_a_loaded_table_is_dropped_like_any_other(db: Database, messy: Path, tmp_path: Path) -> None:
    db.load("sales", messy)
    with pytest.raises(NameTaken):
        db.load("Sales", messy)
    query = db.table("sales")
    db.drop("sales")
    with pytest.raises(TrailbookError, match="dropped since"):
        query.fetch()
    db.load("sales", messy)
    assert db.table("sales").fetch().table.num_rows == 13


def test_what_makes_no_sense_is_told(db: Database, messy: Path, tmp_path: Path) -> None:
    for source, options, error, said in (
        (tmp_path / "none.csv", {}, CellFailed, "No such file"),
        (messy, {"delimeter": ";"}, CellFailed, "csv has no option delimeter"),
        (messy, {"types": {"amount": "whole"}}, Invalid, "column amount makes no sense: .*'whole' is no type"),
        (messy, {"types": {"price": "int"}}, CellFailed, "has no column of text called price. It has: id, amount"),
        ("postgresql://u@127.0.0.1:1/x", {"table": "t"}, NotFetched, "The database at 127.0.0.1:1/x could not be read"),
        ("postgresql://u@127.0.0.1:1/x", {"table": "t", "header": True}, Invalid, "header can't be said"),
    ):
        with pytest.raises(error, match=said):
            db.load("sales", source, **options)
    assert not db.tables
