"""Environments in a folder of the test's own."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from trailbook.kernels.environments.environments import Environments
from trailbook.kernels.zygote import Zygote
from trailbook.model.packages import Environment
from trailbook.settings import Settings


@pytest.fixture(autouse=True)
def offline(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("UV_OFFLINE", "1")


@pytest.fixture
def told() -> list[Environment]:
    return []


@pytest.fixture
def environments(settings: Settings, zygote: Zygote, told: list[Environment]) -> Iterator[Environments]:
    """Where packages may be named by path."""
    environments = Environments(replace(settings, package_urls=True), zygote, told.append)
    yield environments
    environments.close()


@pytest.fixture
def wheels(tmp_path: Path) -> Path:
    return tmp_path / "wheels"
