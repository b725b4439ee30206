"""A server in this process whose cells run on two workers in processes of their own; one for all tests."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from unittest import mock

import psycopg
import pytest
from sqlalchemy import make_url

from tests.workflow.book import Book
from tests.workflow.workers.processes import Flags, RedisServer, Staff
from trailbook.kernels.forecast import Forecast, combined
from trailbook.settings import Settings
from trailbook.workflow import resolve
from trailbook.workflow.workbench import Workbench

SILENCE = 3.0
DATABASE = "workers"
SECRET = frozenset({"secret"})
"""A name that no forecast tells is read."""


@pytest.fixture(scope="session")
def redis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisServer]:
    server = RedisServer(tmp_path_factory.mktemp("redis"))
    yield server
    server.stop()


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory, postgres: str, redis: RedisServer) -> Settings:
    """Settings of a server that has workers."""
    with psycopg.connect(postgres, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {DATABASE}")
    url = make_url(postgres).set(database=DATABASE).render_as_string(hide_password=False)
    data = tmp_path_factory.mktemp("site") / "data"
    return Settings(data=data, database=url, broker=redis.url, worker_silence=SILENCE, workers=4, java="no-such-java")


@pytest.fixture(scope="session")
def bench(site: Settings) -> Iterator[Workbench]:
    opened = Workbench(site)
    yield opened
    opened.close()


@pytest.fixture(scope="session")
def _staff(site: Settings, bench: Workbench, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Staff]:
    staff = Staff(site, tmp_path_factory.mktemp("logs"))
    yield staff
    staff.end()


@pytest.fixture
def staff(_staff: Staff) -> Staff:
    """Two workers, each with one place."""
    _staff.fill(2)
    return _staff


@pytest.fixture
def book(bench: Workbench) -> Iterator[Book]:
    book = Book(bench)
    yield book
    bench.cancel(book.branch, None)
    book.rest()


@pytest.fixture
def flags(tmp_path: Path) -> Flags:
    return Flags(tmp_path)


@pytest.fixture
def blind_forecasts() -> Iterator[None]:
    def blind(told: Sequence[Forecast]) -> list[Forecast]:
        return [replace(one, reads=one.reads - SECRET) for one in combined(told)]

    with mock.patch.object(resolve, "combined", blind):
        yield
