"""A store of each kind, and a notebook in it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.store.notebook import Notebook
from trailbook.settings import Settings
from trailbook.store.store import Store


@pytest.fixture
def sqlite_settings(tmp_path: Path) -> Settings:
    return Settings(data=tmp_path / "data")


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
