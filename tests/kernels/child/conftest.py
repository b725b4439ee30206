"""What the tests of the child's modules share."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.kernels.child.stored import Store


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path)
