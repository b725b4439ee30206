"""Databases are asked through drivers of Java as well, and nothing is lost on the way."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path

import psycopg
import pytest

from tests.cells.conftest import Desk
from tests.support.databases import over_tcp, with_password
from trailbook.engine import Engine
from trailbook.errors import NotFetched, TooLarge, TrailbookError
from trailbook.kernels.zygote import Zygote
from trailbook.settings import GIB, Settings
from trailbook.store.parquet import describe

DRIVER = Path("/usr/share/java/postgresql.jar")
ROWS = """
    (1, 12.50, date '2026-05-01', timestamp '2026-05-01 10:00', timestamptz '2026-05-01 10:00+02', jsonb '{"a": 1}'),
    (2, 1e60, 'infinity', '-infinity', '0044-03-15 10:00+00 BC', NULL),
    (3, 0.1234567890123456789, '0044-03-15 BC', '10000-01-01 00:00', 'infinity', NULL)
"""


@pytest.fixture(scope="module")
def driven(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    """A Spark with a driver."""
    engine = Engine(Settings(data=tmp_path_factory.mktemp("driven"), engine_memory=GIB, drivers=(DRIVER,)))
    engine.start()
    yield engine
    engine.stop()


@pytest.fixture
def driven_desk(tmp_path: Path, driven: Engine, zygote: Zygote, database: str) -> Iterator[Desk]:
    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute(f"CREATE TABLE sales (id, price, day, local, moment, note) AS VALUES {ROWS}".encode())
    with_password(database, "carol")
    with over_tcp(database) as port:
        desk = Desk(tmp_path, driven, zygote)
        url = f"jdbc:postgresql://127.0.0.1:{port}/postgres?user=postgres"
        databases = {
            "old": url,
            "gone": url.replace(f":{port}/", ":1/"),
            "wrong": url.replace("user=postgres", "user=carol&password=other"),
            "odd": "jdbc:odd:x",
        }
        desk.settings = replace(desk.settings, databases=databases)
        yield desk


def test_a_table_is_loaded_and_what_does_not_fit_is_in_doubt(driven_desk: Desk) -> None:
    context = driven_desk.context()
    driven_desk.run(context, "load", name="sales", database="old", table="public.sales")
    first, *others = driven_desk.rows(context, "sales")
    assert first == {
        "id": 1,
        "price": Decimal("12.5"),
        "day": date(2026, 5, 1),
        "local": datetime(2026, 5, 1, 10),
        "moment": datetime(2026, 5, 1, 8, tzinfo=UTC),
        "note": '{"a": 1}',
    }
    assert [{*row.values()} for row in others] == [{2, None}, {3, None}]
    described = describe(context.files.path(context.writes["sales"]))
    assert dict(described.doubt.values) == {"price": 2, "day": 2, "local": 2, "moment": 2}
    assert [column.type for column in described.columns][:2] == ["int", "decimal(38,18)"]


def test_a_query_is_loaded_and_changes_nothing(driven_desk: Desk, postgres: str) -> None:
    context = driven_desk.context()
    driven_desk.run(context, "load", name="ids", database="old", query="SELECT id FROM sales ORDER BY id DESC -- all")
    assert driven_desk.rows(context, "ids") == [{"id": 3}, {"id": 2}, {"id": 1}]
    with psycopg.connect(postgres) as connection:
        connection.execute("CREATE SEQUENCE s")
    for query, said in (
        ("SELECT 1) t; DROP TABLE sales; --", "semicolon"),
        ("DELETE FROM sales", "DELETE is not allowed"),
        ("SELECT nextval('s') AS n", "read-only"),
        ("SELECT * FROM nothing", 'relation "nothing" does not exist'),
    ):
        with pytest.raises(TrailbookError, match=said):
            driven_desk.run(driven_desk.context(), "load", name="a", database="old", query=query)


def test_what_can_not_be_reached_is_told(driven_desk: Desk) -> None:
    for database, said in (
        ("gone", "The database gone could not be read: Connection to .* refused"),
        ("wrong", 'password authentication failed for user "carol"'),
        ("odd", "No suitable driver; the setting drivers names"),
    ):
        with pytest.raises(NotFetched, match=said):
            driven_desk.run(driven_desk.context(), "load", name="a", database=database, table="t")


@pytest.mark.parametrize(("rows", "limit"), [(1, 1000), (100_000_000, 1_000_000)], ids=["at the end", "on the way"])
@pytest.mark.timeout(120)
def test_more_than_may_be_kept_is_refused(driven_desk: Desk, rows: int, limit: int) -> None:
    driven_desk.settings = replace(driven_desk.settings, upload_limit=limit)
    query = f"SELECT i, md5(i::text) AS text FROM generate_series(1, {rows}) i"
    with pytest.raises(TooLarge, match=f"The database old could not be read: it has more than {limit:,} bytes"):
        driven_desk.run(driven_desk.context(), "load", name="a", database="old", query=query)
