"""Tables of a real PostgreSQL."""

from __future__ import annotations

import threading
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any

import psycopg
import pyarrow as pa
import pytest
from sqlalchemy import make_url

from tests.sinks.made import dataset
from trailbook.errors import AddressRefused, CellCancelled, Invalid, NameTaken, NotExported, NotFound
from trailbook.sinks.export import watched
from trailbook.sinks.outgoing import Outgoing
from trailbook.sinks.targets import database as targets
from trailbook.sinks.targets.database import TableOptions, TableTarget
from trailbook.sources.databases.connections import Connection


def put(database: str, data: Outgoing, table: str = "sales", **options: Any) -> list[str]:
    target = TableTarget(Connection("shop", database, is_owners=True), table, allow_private=True)
    return target.write(data, TableOptions.model_validate(options))


def rows(database: str, query: str = "SELECT * FROM sales") -> list[tuple[Any, ...]]:
    with psycopg.connect(database) as connection:
        return connection.execute(query.encode()).fetchall()


def test_values_and_types_come_through(database: str) -> None:
    columns = {
        "n": pa.array([2**62, None], pa.int64()),
        "small": pa.array([-7, None], pa.int8()),
        "large": pa.array([2**64 - 1, None], pa.uint64()),
        "f": pa.array([0.1, float("nan")], pa.float64()),
        "d": pa.array([Decimal("12345678901234567890.10"), None], pa.decimal128(30, 2)),
        "day": pa.array([date(2026, 5, 1), None], pa.date32()),
        "moment": pa.array([datetime(2026, 5, 1, 12, tzinfo=UTC), None], pa.timestamp("us", "Asia/Tokyo")),
        "local": pa.array([datetime(2026, 5, 1, 12, 0, 0, 1), None], pa.timestamp("us")),
        "yes": [True, None],
        "bytes": [b"\x00\\\xff", None],
        "nested": [{"a": [1, None]}, None],
        "text": ['a,"b"\n\\.', ""],
    }
    put(database, dataset(columns))
    first, second = rows(database)
    expected = [column[0].as_py() for column in pa.table(columns).columns]
    assert list(first) == expected
    assert (str(second[3]), second[-1], set(second[:3] + second[4:-1])) == ("nan", "", {None})
    types = "SELECT column_name, data_type FROM information_schema.columns WHERE table_name = 'sales'"
    assert dict(rows(database, types)) == {
        "n": "bigint",
        "small": "smallint",
        "large": "numeric",
        "f": "double precision",
        "d": "numeric",
        "day": "date",
        "moment": "timestamp with time zone",
        "local": "timestamp without time zone",
        "yes": "boolean",
        "bytes": "bytea",
        "nested": "jsonb",
        "text": "text",
    }


@pytest.mark.parametrize("text", ["\\.", "\\N", "", "=1", "NULL", "'; --"])
def test_no_text_means_anything_to_the_database(database: str, text: str) -> None:
    put(database, dataset({"a": [text, None, "last"]}))
    assert rows(database) == [(text,), (None,), ("last",)]


@pytest.mark.parametrize("name", ['a"; DROP TABLE sales; --', "SELECT", "é b", "a.b", "%s", "{}", "Upper"])
def test_names_are_names_whatever_is_in_them(database: str, name: str) -> None:
    put(database, dataset({name: [1]}, marks=[0b10]), table=name)
    with psycopg.connect(database) as connection:
        query = psycopg.sql.SQL("SELECT * FROM {}").format(psycopg.sql.Identifier(name))
        found = connection.execute(query)
        assert [column.name for column in found.description or ()] == [name, f"{name}_in_doubt"]
        assert found.fetchall() == [(1, True)]


def test_a_table_that_is_there_is_kept_replaced_or_goes_on(database: str) -> None:
    put(database, dataset({"a": [1], "b": ["x"]}))
    with pytest.raises(NameTaken, match="a table sales already"):
        put(database, dataset({"a": [2]}))
    put(database, dataset({"b": ["y"], "a": [2]}), if_exists="append")
    assert rows(database) == [(1, "x"), (2, "y")]
    with pytest.raises(NotFound, match="The table sales has no column c"):
        put(database, dataset({"c": [3]}), if_exists="append")
    put(database, dataset({"c": [3]}), if_exists="replace")
    assert rows(database) == [(3,)]


def test_a_failure_leaves_the_table_as_it_was(database: str) -> None:
    put(database, dataset({"a": ["old"]}))
    with pytest.raises(NotExported, match=r"shop could not be written to: .*0x00"):
        put(database, dataset({"a": ["new", "N\0L"]}), if_exists="replace")
    stopped = threading.Event()
    target = TableTarget(Connection("shop", database, is_owners=True), "sales", allow_private=True)
    options = TableOptions(if_exists="replace")
    with pytest.raises(CellCancelled):
        target.write(watched(dataset({"a": ["new"]}), lambda done, total: stopped.set(), stopped), options)
    assert rows(database) == [("old",)]


def test_an_empty_dataset_is_an_empty_table(database: str) -> None:
    put(database, dataset({"a": pa.array([], pa.int64())}))
    assert rows(database) == []


def test_a_name_that_would_be_cut_is_refused(database: str) -> None:
    with pytest.raises(Invalid, match="keeps 63 bytes of a name"):
        put(database, dataset({"é" * 32: [1]}))
    with pytest.raises(Invalid, match="x_in_doubt is too long"):
        put(database, dataset({"x" * 60: [1]}, marks=[0b10]))


@pytest.mark.parametrize(
    ("url", "error"),
    [
        ("postgresql://127.0.0.1/db", AddressRefused),
        ("postgresql://localhost:1/db", AddressRefused),
        ("sqlite:////tmp/a.db", Invalid),
        ("jdbc:postgresql://example.org/db", Invalid),
        ("mysql://example.org/db", AddressRefused),
    ],
)
def test_databases_that_may_not_be_asked_are_refused(url: str, error: type[Exception]) -> None:
    with pytest.raises(error):
        TableTarget(Connection(url, url), "sales").write(dataset({"a": [1]}), TableOptions())


def test_a_database_that_does_not_answer_is_told_without_the_password(database: str) -> None:
    shop = Connection("shop", "postgresql://ann:secret@127.0.0.1:1/db", is_owners=True)
    target = TableTarget(shop, "sales", allow_private=True)
    with pytest.raises(NotExported) as found:
        target.write(dataset({"a": [1]}), TableOptions())
    said = "the connection failed: Connection refused."
    assert found.value.message == f"The database shop could not be written to: {said}"
    assert "secret" not in repr(target)


def test_what_the_database_says_comes_without_the_statement(database: str) -> None:
    target = TableTarget(Connection("shop", database, is_owners=True), "sales", "nowhere", allow_private=True)
    with pytest.raises(NotExported, match=r'could not be written to: schema "nowhere" does not exist\.$'):
        target.write(dataset({"a": [1]}), TableOptions())


def test_a_table_that_somebody_holds_is_not_waited_for_for_ever(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    put(database, dataset({"a": ["old"]}))
    monkeypatch.setattr(targets, "LOCK_SECONDS", 1)
    with psycopg.connect(database) as holder:
        holder.execute("LOCK TABLE sales")
        with pytest.raises(NotExported, match="lock timeout"):
            put(database, dataset({"a": ["new"]}), if_exists="replace")
    assert rows(database) == [("old",)]


def test_what_a_table_with_types_of_its_own_may_change_is_told(database: str) -> None:
    with psycopg.connect(database) as connection:
        connection.execute(
            "CREATE TABLE sales (n bigint, price numeric(6, 2), note text, day date, price_in_doubt boolean)"
        )
    columns = {
        "n": pa.array([1], pa.int32()),
        "price": [Decimal("1.239")],
        "note": [True],
        "day": [datetime(2026, 5, 1, 12)],
    }
    notes = put(database, dataset(columns), if_exists="append")
    assert rows(database) == [(1, Decimal("1.24"), "true", date(2026, 5, 1), None)]
    changed = "PostgreSQL may have rounded or cut them."
    assert notes == [
        f"Values of price are NUMERIC(4, 3), and that column of the table NUMERIC(6, 2): {changed}",
        f"Values of day are TIMESTAMP WITHOUT TIME ZONE, and that column of the table DATE: {changed}",
        "Nothing is said in price_in_doubt of these rows. With marks = all it would be.",
    ]


def test_texts_reach_a_database_of_another_encoding_as_they_are(database: str) -> None:
    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute("CREATE DATABASE latin ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0")
    latin = make_url(database).set(database="latin").render_as_string(hide_password=False)
    try:
        put(latin, dataset({"a": ["é"]}))
        assert rows(latin) == [("é",)]
        with pytest.raises(NotExported, match="LATIN1"):
            put(latin, dataset({"a": ["日"]}), if_exists="append")
    finally:
        with psycopg.connect(database, autocommit=True) as connection:
            connection.execute("DROP DATABASE latin WITH (FORCE)")
