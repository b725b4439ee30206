"""Before anything runs it is sure that runs can be shut in, and as what."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.support.containers import add_image
from tests.support.containers import image as image
from trailbook.errors import BadSetting
from trailbook.kernels.containers.command import image_id
from trailbook.kernels.isolation import enclosure_of, settled
from trailbook.settings import CONTAINER, Settings


def test_without_isolation_nothing_is_needed(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    assert settled(settings) == settings
    assert enclosure_of(settings) is None


def test_the_name_of_an_image_is_settled_once(settings: Settings, image: str) -> None:
    found = settled(replace(settings, isolation=CONTAINER, container_image=image))
    assert found.container_image == image_id(("podman",), image)


def test_an_image_without_python_is_refused(settings: Settings, image: str, tmp_path: Path) -> None:
    empty = add_image(tmp_path, f"{image}:empty", "ENV PATH=/nowhere")
    with pytest.raises(BadSetting, match=r"isolation = container can't be used here: .*python3"):
        settled(replace(settings, isolation=CONTAINER, container_image=empty))
