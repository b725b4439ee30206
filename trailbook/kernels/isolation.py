"""What shuts in the runs of Python cells, by the settings."""

from __future__ import annotations

import shlex
from dataclasses import replace
from pathlib import Path

from trailbook.kernels.containers.command import found_command, image_id
from trailbook.kernels.containers.container import Container
from trailbook.kernels.enclosure import Enclosure
from trailbook.kernels.sandbox import Sandbox
from trailbook.settings import CONTAINER, SANDBOX, Settings


def settled(settings: Settings) -> Settings:
    """The same, once it is sure that there can be what shuts runs in. Raises BadSetting.

    An image is named by its id from now on: its name may mean another one tomorrow.
    """
    if settings.isolation == CONTAINER:
        command = found_command(settings.container_command)
        image = image_id(command, settings.container_image)
        settings = replace(settings, container_command=shlex.join(command), container_image=image)
    if enclosure := enclosure_of(settings):
        enclosure.check()
    return settings


def enclosure_of(settings: Settings, environment: Path | None = None) -> Enclosure | None:
    """By settled settings; None if nothing shuts runs in. `environment` is the folder of the notebook's packages."""
    if settings.isolation == SANDBOX:
        return Sandbox((settings.data,), environment, settings.home_folder)
    if settings.isolation == CONTAINER:
        command = tuple(shlex.split(settings.container_command))
        return Container(command, settings.container_image, (settings.data,), settings.home_folder)
    return None
