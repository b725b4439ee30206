"""Two stores: one with a project, and one that knows nothing of it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.formats.archive.rivers import Rivers, exported
from tests.store.notebook import Notebook
from trailbook.settings import Settings
from trailbook.store.store import Store


@pytest.fixture(scope="module")
def rivers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Rivers]:
    store = Store.open(Settings(data=tmp_path_factory.mktemp("rivers")))
    yield Rivers(store)
    store.close()


@pytest.fixture(scope="module")
def archive(rivers: Rivers) -> bytes:
    return exported(rivers.store, rivers.project)


@pytest.fixture
def fresh(settings: Settings) -> Iterator[Notebook]:
    """A store for a test that leaves things behind."""
    store = Store.open(settings)
    yield Notebook(store)
    store.close()


@pytest.fixture(scope="module")
def elsewhere(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Notebook]:
    store = Store.open(Settings(data=tmp_path_factory.mktemp("elsewhere")))
    yield Notebook(store)
    store.close()
