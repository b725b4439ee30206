"""A reader for each test."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.sources.formats.reading import Reader


@pytest.fixture
def read(tmp_path: Path) -> Reader:
    return Reader(tmp_path)
