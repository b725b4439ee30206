from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from trailbook.engine import Engine
from trailbook.library import Database


@pytest.fixture
def db(engine: Engine, tmp_path: Path) -> Iterator[Database]:
    """An empty database on the engine that all tests share."""
    with Database(engine, tmp_path) as database:
        yield database
