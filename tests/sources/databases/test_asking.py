"""Real databases are asked in a process of its own, and can do no harm there."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import psycopg
import pyarrow.parquet as pq
import pytest
from sqlalchemy import URL, make_url

from tests.support.databases import PASSWORD, over_tcp, with_password
from trailbook.errors import AddressRefused, CellCancelled, NotFetched, TooLarge, TrailbookError
from trailbook.sources.databases.asking import Asking
from trailbook.sources.databases.connections import Connection, System, connection_to
from trailbook.sources.databases.queries import select_of
from trailbook.sources.databases.reader import Order


@pytest.fixture
def database(database: str) -> str:
    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute("CREATE TABLE t AS SELECT 1 AS a")
    return database


@pytest.fixture
def port(database: str) -> Iterator[int]:
    with over_tcp(database) as port:
        yield port


def asking(connection: Connection, target: Path, select: str, **more: Any) -> Asking:
    terms = {"allow_private": True, "most_bytes": 10**9, **more}
    raw = target / "raw"
    raw.mkdir(exist_ok=True)
    file = connection.file if connection.system is System.SQLITE else ""
    order = Order(
        url=connection.url, file=file, is_owners=connection.is_owners, select=select, folder=str(raw), **terms
    )
    return Asking(connection, order, lambda rows: None)


def ask(url: str, target: Path, table: str = "", query: str = "") -> tuple[dict[str, Any], list[dict[str, Any]]]:
    connection = Connection("db", url, is_owners=True)
    told = asking(connection, target, select_of(table, query, connection.system)).to_file()
    return told, pq.read_table(target / "raw").to_pylist()


def test_types_of_postgresql_are_kept_and_what_has_none_is_text(database: str, tmp_path: Path) -> None:
    columns = {
        "smallint": ("7", "smallint", 7),
        "boolean": ("true", "boolean", True),
        "real": ("0.5", "float", 0.5),
        "numeric(10,2)": ("1.25", "decimal(10,2)", "1.25"),
        "numeric(50,2)": ("1.25", "string", "1.25"),
        "numeric": ("1.25", "decimal(38,18)", "1.250000000000000000"),
        "timestamptz": ("'2026-05-01 10:00+02'", "timestamp", "2026-05-01 08:00:00+00:00"),
        "bytea": (r"'\x00ff'", "binary", b"\x00\xff"),
        "uuid": ("'00000000-0000-0000-0000-000000000001'", "string", "00000000-0000-0000-0000-000000000001"),
        "jsonb": ("""'{"b": 1, "a": [1.10]}'""", "string", '{"a": [1.10], "b": 1}'),
        "int4range": ("'[1,5)'", "string", "[1,5)"),
        "interval": ("'1 day 02:00'", "string", "1 day 02:00:00"),
        "text[]": ("""'{"a,b",NULL}'""", "array<string>", ["a,b", None]),
        "numeric[]": ("'{1.10,2}'", "string", "{1.10,2}"),
        "inet": ("'10.0.0.1'", "string", "10.0.0.1"),
        "char(3)": ("'a'", "string", "a  "),
    }
    select = ", ".join(f'{value}::{type} AS "{type}"' for type, (value, _, _) in columns.items())
    told, (row,) = ask(database, tmp_path, query=f"SELECT {select}")
    assert {name: type for name, type, _ in told["columns"]} == {name: type for name, (_, type, _) in columns.items()}
    for number, (_, _, value) in enumerate(columns.values()):
        found = row[f"c{number}"]
        assert (str(found) if isinstance(value, str) else found) == value


def test_the_owners_ways_of_writing_do_not_count(database: str, tmp_path: Path) -> None:
    odd = "-c DateStyle=German -c TimeZone=Asia/Tokyo -c bytea_output=escape -c extra_float_digits=-5"
    url = make_url(database).update_query_dict({"options": odd}).render_as_string(hide_password=False)
    query = (
        r"SELECT date '2026-05-01' AS d, timestamptz '2026-05-01 10:00+00' AS t, bytea '\x00' AS b, 0.1::float8 AS f"
    )
    told, (row,) = ask(url, tmp_path, query=query + ", current_setting('DateStyle') AS s")
    assert [texts for _, _, texts in told["columns"]] == [""] * 5
    assert (row["c0"], row["c2"], row["c3"]) == (date(2026, 5, 1), b"\0", 0.1)
    assert row["c1"] == datetime(2026, 5, 1, 10, tzinfo=UTC)


def test_what_fits_no_type_is_kept_as_its_text(database: str, tmp_path: Path) -> None:
    query = "SELECT 'infinity'::date AS d, 1e60::numeric AS n, '{{1,2},{3,4}}'::int[] AS a, 'x'::text AS x"
    told, (row,) = ask(database, tmp_path, query=query)
    assert [texts for _, _, texts in told["columns"]] == ["t0", "t1", "t2", ""]
    assert (row["t0"], row["t1"], row["t2"]) == ("infinity", "1" + "0" * 60, "[[1, 2], [3, 4]]")
    assert (row["c0"], row["c1"], row["c2"]) == (None, None, None)


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("SELECT 1) AS q; DROP TABLE t; --", "syntax error|multiple commands"),
        ("SELECT 1) AS q; DROP TABLE t; SELECT * FROM (SELECT 1", "multiple commands"),
        ("SELECT set_config('transaction_read_only', 'off', false), lo_create(0)", "read-write|read-only"),
        ("SELECT setval('s', 5)", "read-only"),
        ("SELEKT 1", "syntax error"),
    ],
)
def test_nothing_in_the_database_is_changed(database: str, tmp_path: Path, query: str, said: str) -> None:
    with psycopg.connect(database) as connection:
        connection.execute("CREATE SEQUENCE s")
    # As if the first look at it had missed what it is.
    order = asking(Connection("db", database, is_owners=True), tmp_path, f"SELECT * FROM (\n{query}\n) AS q")
    with pytest.raises(NotFetched, match=f"The database db could not be read: .*({said})"):
        order.to_file()
    with psycopg.connect(database) as connection:
        assert connection.execute("SELECT last_value, (SELECT count(*) FROM t) FROM s").fetchone() == (1, 1)


def test_a_table_that_is_not_there_is_told_with_those_that_are(database: str, tmp_path: Path) -> None:
    with pytest.raises(NotFetched, match=r'relation "T" does not exist\. There are: t\.'):
        ask(database, tmp_path, table="T")


def test_passwords_are_used_and_a_wrong_one_is_told(port: int, database: str, tmp_path: Path) -> None:
    with_password(database, "carol")
    good = URL.create("postgresql", "carol", PASSWORD, "127.0.0.1", port, "postgres")
    told, _ = ask(good.render_as_string(hide_password=False), tmp_path, table="t")
    assert told["rows"] == 1
    bad = good.set(password="other").render_as_string(hide_password=False)
    with pytest.raises(NotFetched) as refused:
        ask(bad, tmp_path, table="t")
    said = 'the connection failed: password authentication failed for user "carol".'
    assert refused.value.message == f"The database db could not be read: {said}"


def test_passwords_of_the_server_are_not_given_to_databases_of_cells(
    port: int, database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_password(database, "carol")
    monkeypatch.setenv("PGPASSWORD", PASSWORD)
    (tmp_path / "passes").write_text(f"*:*:*:*:{PASSWORD}\n")
    (tmp_path / "passes").chmod(0o600)
    monkeypatch.setenv("PGPASSFILE", str(tmp_path / "passes"))
    connection = connection_to(f"postgresql://carol@127.0.0.1:{port}/postgres", {})
    with pytest.raises(NotFetched, match="it asks for a password, and only databases that the setting databases names"):
        asking(connection, tmp_path, "SELECT 1").to_file()


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "[::ffff:127.0.0.1]"])
def test_databases_of_this_machine_are_refused(port: int, tmp_path: Path, host: str) -> None:
    connection = connection_to(f"postgresql://postgres@{host}:{port}/postgres", {})
    with pytest.raises(AddressRefused, match="an address of this machine or its network"):
        asking(connection, tmp_path, "SELECT 1", allow_private=False).to_file()


def test_a_database_that_does_not_answer_is_told(tmp_path: Path) -> None:
    for url, said in (
        ("postgresql://u@127.0.0.1:1/x", "127.0.0.1 does not answer: Connection refused"),
        ("postgresql://u@nowhere.invalid/x", "no machine called nowhere.invalid"),
    ):
        with pytest.raises(NotFetched, match=said):
            asking(connection_to(url, {}), tmp_path, "SELECT 1").to_file()


@pytest.mark.timeout(60)
def test_a_query_that_is_stopped_stops_in_the_database(database: str, tmp_path: Path) -> None:
    order = asking(Connection("db", database, is_owners=True), tmp_path, "SELECT pg_sleep(600)")
    running = "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'trailbook' AND wait_event = 'PgSleep'"

    def count() -> int:
        with psycopg.connect(database) as connection:
            (found,) = connection.execute(running).fetchone() or (0,)
        return int(found)

    def stop() -> None:
        while not count():
            time.sleep(0.05)
        order.stop()

    thread = threading.Thread(target=stop)
    thread.start()
    with pytest.raises(CellCancelled):
        order.to_file()
    thread.join()
    deadline = time.monotonic() + 10
    while count() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not count()


def test_one_that_was_stopped_before_is_not_asked(database: str, tmp_path: Path) -> None:
    order = asking(Connection("db", database, is_owners=True), tmp_path, "SELECT pg_sleep(600)")
    order.stop()
    with pytest.raises(CellCancelled):
        order.to_file()


def test_a_reader_that_ends_unseen_is_told(database: str, tmp_path: Path) -> None:
    order = asking(Connection("db", database, is_owners=True), tmp_path, "SELECT 1 AS a")
    (tmp_path / "raw").rmdir()
    with pytest.raises(NotFetched, match="could not be read: FileNotFoundError"):
        order.to_file()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "a b.db"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE t (n INTEGER, f, s TEXT, b BLOB, mixed)")
        connection.execute("INSERT INTO t VALUES (1, 1, 'x', x'00', 1), (NULL, 2.5, '', NULL, 'two')")
        connection.execute(f"INSERT INTO t (f, s, mixed) VALUES ({2**60 + 1}, CAST(x'ff' AS TEXT), x'ff')")
    return path


def test_columns_of_sqlite_have_the_types_of_what_they_hold(file: Path, tmp_path: Path) -> None:
    told, rows = ask(f"sqlite:///{file}", tmp_path, table="t")
    assert told["columns"] == [
        ["n", "bigint", ""],
        ["f", "double", "t1"],
        ["s", "string", "t2"],
        ["b", "binary", ""],
        ["mixed", "string", "t4"],
    ]
    assert [(row["c4"], row["t4"]) for row in rows] == [("1", None), ("two", None), (None, "x'ff'")]
    assert [(row["c1"], row["t1"]) for row in rows] == [(1.0, None), (2.5, None), (None, str(2**60 + 1))]
    assert [(row["c2"], row["t2"]) for row in rows] == [("x", None), ("", None), (None, "x'ff'")]


def test_a_file_of_sqlite_is_only_read(file: Path, tmp_path: Path) -> None:
    before = file.read_bytes()
    for select, said in (
        ("SELECT * FROM (\nSELECT 1); DROP TABLE t; --\n) AS q", "one statement|syntax error"),
        ("DELETE FROM t RETURNING *", "syntax error|readonly|read-only"),
        ('SELECT * FROM "T2"', r"No such table: T2\. There are: t\."),
    ):
        connection = Connection("db", f"sqlite:///{file}", is_owners=True)
        with pytest.raises(TrailbookError, match=said):
            asking(connection, tmp_path, select).to_file()
    assert file.read_bytes() == before
    other = tmp_path / "other.db"
    other.write_bytes(b"id,name\n" * 100)
    with pytest.raises(NotFetched, match="File is not a database"):
        ask(f"sqlite:///{other}", tmp_path, table="t")
    with pytest.raises(NotFetched, match="Unable to open"):
        ask(f"sqlite:///{tmp_path / 'none.db'}", tmp_path, table="t")
    assert not (tmp_path / "none.db").exists()


def test_more_than_may_be_kept_is_refused(file: Path, tmp_path: Path) -> None:
    connection = Connection("db", f"sqlite:///{file}", is_owners=True)
    with pytest.raises(TooLarge, match="upload_limit"):
        asking(connection, tmp_path, 'SELECT * FROM "t"', most_bytes=2).to_file()


def test_rows_that_memory_does_not_hold_are_refused(file: Path, tmp_path: Path) -> None:
    smaller = "from trailbook.sources.databases import reader; reader.MEMORY = 500_000_000; reader.main()"
    order = Order(
        url=f"sqlite:///{file}",
        file=str(file),
        is_owners=True,
        allow_private=True,
        select="SELECT zeroblob(300000000) AS a",
        folder=str(tmp_path),
        most_bytes=10**12,
    )
    # Its input stays open, else it would stop.
    with subprocess.Popen(
        [sys.executable, "-c", smaller], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin
        assert process.stdout
        process.stdin.write(order.model_dump_json() + "\n")
        process.stdin.flush()
        told = json.loads(process.stdout.readline())
    assert told["code"] == "too_large"
    assert "its rows are so long" in told["refused"]
