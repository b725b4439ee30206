"""Results of queries go out to files and databases, with what is in doubt of them."""

from __future__ import annotations

from pathlib import Path

import psycopg
import pyarrow as pa
import pytest
from openpyxl import load_workbook

from trailbook.errors import Invalid, NameTaken, NotFound
from trailbook.library import Database, Query
from trailbook.model.caveat import Caveat


@pytest.fixture
def query(db: Database) -> Query:
    sales = pa.table({"shop": ["Bern", "Zug", "=Chur"], "price": [120, 4500, 60]})
    db.create("sales", sales, [Caveat("typed by hand", row=1, column="price"), Caveat("a duplicate?", row=2)])
    return db.sql("SELECT * FROM sales ORDER BY shop")


def test_a_result_is_written_with_its_marks_and_a_report_beside_it(query: Query, tmp_path: Path) -> None:
    notes = query.export(tmp_path / "out.csv", delimiter=";")
    assert (tmp_path / "out.csv").read_text("utf-8") == (
        "shop;price;price_in_doubt;row_in_doubt\n"
        "'=Chur;60;false;true\n"
        "Bern;120;false;false\n"
        "Zug;4500;true;false\n"
    )  # fmt: skip
    (note,) = notes
    report = (tmp_path / "out.csv.caveats.md").read_text("utf-8")
    assert "- price: 1 of 3 values\n" in report
    assert "- 1 × from cell sales, typed by hand (in price)\n" in report
    assert "a duplicate?" in report
    assert note in report
    with pytest.raises(NameTaken):
        query.export(tmp_path / "out.csv")
    query.export(str(tmp_path / "out.csv"), marks="none", replace=True, report=False)
    assert (tmp_path / "out.csv").read_text("utf-8").startswith("shop,price\n")


def test_comments_of_a_workbook_say_why(query: Query, tmp_path: Path) -> None:
    query.export(tmp_path / "out.xlsx", report=False)
    assert load_workbook(tmp_path / "out.xlsx").worksheets[0]["B4"].comment.text == "typed by hand (1)"
    assert [path.name for path in tmp_path.glob("out*")] == ["out.xlsx"]


def test_certain_data_has_no_report(db: Database, tmp_path: Path) -> None:
    assert db.sql("SELECT 1 AS a").export(tmp_path / "out.jsonl") == []
    assert (tmp_path / "out.jsonl").read_text() == '{"a":1}\n'
    assert [path.name for path in tmp_path.glob("out*")] == ["out.jsonl"]


def test_a_result_becomes_a_table(query: Query, postgres: str) -> None:
    query.export(postgres, table="exported", if_exists="replace")
    with psycopg.connect(postgres) as connection:
        found = connection.execute("SELECT * FROM exported").fetchall()
    assert found == [("=Chur", 60, False, True), ("Bern", 120, False, False), ("Zug", 4500, True, False)]


def test_what_makes_no_sense_is_told(query: Query, tmp_path: Path, postgres: str) -> None:
    with pytest.raises(Invalid, match=r"The format of out\.txt can't be told"):
        query.export(tmp_path / "out.txt")
    with pytest.raises(Invalid, match=r"CSV can't be written with colour: .*Known: marks, header"):
        query.export(tmp_path / "out.csv", colour="red")
    with pytest.raises(Invalid, match="say which, as table='sales'"):
        query.export(postgres)
    with pytest.raises(Invalid, match=r"https://example\.org/a\.csv can't be written to"):
        query.export("https://example.org/a.csv")


def test_a_table_is_exported_as_a_whole(query: Query, db: Database, tmp_path: Path) -> None:
    db.table("Sales").export(tmp_path / "all.csv", marks="none", report=False)
    assert (tmp_path / "all.csv").read_text() == "shop,price\nBern,120\nZug,4500\n'=Chur,60\n"
    with pytest.raises(NotFound, match=r"There is no table sold\. Known: sales\."):
        db.table("sold")


def test_an_export_tells_how_far_it_is_and_leaves_nothing_if_it_is_stopped(query: Query, tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    query.export(tmp_path / "out.csv", report=False, on_progress=lambda done, total: told.append((done, total)))
    assert told == [(0, 3), (3, 3)]

    def stop(done: int, total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        query.export(tmp_path / "other.csv", on_progress=stop)
    assert [path.name for path in tmp_path.glob("o*")] == ["out.csv"]
