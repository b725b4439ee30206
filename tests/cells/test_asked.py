"""Tables and queries of databases become datasets, and nothing is lost on the way."""

from __future__ import annotations

import sqlite3
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import psycopg
import pytest

from tests.cells.conftest import Desk
from trailbook.cells.context import RunContext
from trailbook.errors import AddressRefused, BadParameters, CellCancelled, CellFailed, NotFetched, PathRefused
from trailbook.model.runs import NoteMessage
from trailbook.store.parquet import describe


@pytest.fixture
def asking_desk(desk: Desk, database: str) -> Desk:
    """A desk with a database that is called shop."""
    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute("CREATE TABLE sales (id int, price numeric, day date, note json)")
        connection.execute(
            "INSERT INTO sales VALUES (1, 12.50, '2026-05-01', '{\"a\":  1}'), (2, 1e60, 'infinity', NULL)"
        )
    desk.settings = replace(desk.settings, databases={"shop": database})
    return desk


def load(desk: Desk, **parameters: Any) -> RunContext:
    context = desk.context()
    desk.run(context, "load", name="sales", **parameters)
    return context


def test_a_table_is_loaded_with_its_types_and_what_does_not_fit_is_in_doubt(asking_desk: Desk) -> None:
    context = load(asking_desk, database="shop", table="sales")
    first, second = asking_desk.rows(context, "sales")
    assert first["price"] == Decimal("12.5")
    assert (str(first["day"]), first["note"]) == ("2026-05-01", '{"a":  1}')
    assert second == {"id": 2, "price": None, "day": None, "note": None}
    doubt = describe(context.files.path(context.writes["sales"])).doubt
    assert (dict(doubt.values), doubt.rows, doubt.phantoms) == ({"price": 1, "day": 1}, 0, 0)
    (note,) = (message.text for message in asking_desk.said if isinstance(message, NoteMessage))
    assert note.startswith("sales of shop was read at ")
    assert note.endswith("UTC: 2 rows. What is there may change.")
    assert context.outside.network == ("shop",)
    assert list(context.reads) == ["captured:sales of shop"]


def test_a_query_is_loaded_in_its_order(asking_desk: Desk) -> None:
    query = "SELECT id, id AS ID, now() - now() AS span FROM sales ORDER BY id DESC -- newest first"
    context = load(asking_desk, database="shop", query=query)
    assert asking_desk.rows(context, "sales") == [{"id": n, "id_2": n, "span": "00:00:00"} for n in (2, 1)]


def test_a_table_without_rows_is_a_dataset_without_rows(asking_desk: Desk) -> None:
    context = load(asking_desk, database="shop", query="SELECT * FROM sales WHERE false")
    assert asking_desk.rows(context, "sales") == []
    columns = describe(context.files.path(context.writes["sales"])).columns
    assert [column.type for column in columns] == ["int", "decimal(38,18)", "date", "string"]


@pytest.mark.parametrize(
    ("parameters", "error", "said"),
    [
        ({"database": "shop"}, CellFailed, "either a table or a query"),
        ({"database": "shop", "table": "sails"}, NotFetched, r'"sails" does not exist\. There are: sales'),
        ({"database": "shop", "table": 'sales"; DROP TABLE sales; --'}, CellFailed, "is no name of a table"),
        ({"database": "shop", "table": "sales; DROP TABLE sales"}, NotFetched, "does not exist"),
        ({"database": "shop", "query": "SELECT 1; DROP TABLE sales"}, CellFailed, "2 statements"),
        ({"database": "shop", "query": "DELETE FROM sales"}, CellFailed, "DELETE is not allowed"),
        ({"database": "other", "table": "t"}, CellFailed, "no database called other.*names: shop"),
        ({"database": "postgresql://u:secret@10.0.0.1/x", "table": "t"}, BadParameters, "cells are recorded"),
        ({"database": "postgresql://u@10.0.0.1/x", "table": "t"}, AddressRefused, "this machine or its network"),
        ({"database": "sqlite:////etc/hosts", "table": "t"}, PathRefused, "outside the folders"),
    ],
)
def test_what_can_not_be_asked_is_refused(
    asking_desk: Desk, postgres: str, parameters: dict[str, str], error: type[Exception], said: str
) -> None:
    with pytest.raises(error, match=said):
        load(asking_desk, **parameters)
    with psycopg.connect(postgres) as connection:
        assert connection.execute("SELECT count(*) FROM sales").fetchone() == (2,)


def test_nothing_but_named_databases_is_asked_where_nothing_may_be_fetched(asking_desk: Desk, tmp_path: Path) -> None:
    asking_desk.settings = replace(asking_desk.settings, fetch="none")
    with pytest.raises(AddressRefused, match="Nothing may be fetched"):
        load(asking_desk, database="postgresql://u@db.example.org/x", table="t")
    assert load(asking_desk, database="shop", table="sales").writes


def test_a_file_of_sqlite_inside_the_folders_is_a_database(desk: Desk, tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "shop.db") as connection:
        connection.execute("CREATE TABLE sales (id INTEGER, note)")
        connection.execute("INSERT INTO sales VALUES (1, 'a'), (2, 3)")
    desk.settings = replace(desk.settings, fetch="none")
    context = load(desk, database=f"sqlite:///{tmp_path}/shop.db", table="sales")
    assert desk.rows(context, "sales") == [{"id": 1, "note": "a"}, {"id": 2, "note": "3"}]


@pytest.mark.timeout(60)
def test_cancelling_ends_the_query(asking_desk: Desk) -> None:
    context = asking_desk.context()
    context.cancel()
    with pytest.raises(CellCancelled):
        asking_desk.run(context, "load", name="sales", database="shop", query="SELECT pg_sleep(600)")
