"""The packages that a notebook names, and what building them has come to."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from trailbook.model.base import Digest, Value


class Packages(Value):
    """What a notebook needs beyond the packages that Trailbook itself runs with.

    `wanted` is what people wrote; `locked` is what that meant when they did, down to the last dependency: a version
    never changes its meaning when a package is released.
    """

    wanted: tuple[str, ...] = ()
    locked: tuple[str, ...] = ()


NO_PACKAGES = Packages()


class EnvironmentState(StrEnum):
    """How an environment stands. One that is absent is built when a cell needs it."""

    ABSENT = "absent"
    BUILDING = "building"
    READY = "ready"
    FAILED = "failed"


class Environment(Value):
    """An interpreter with packages installed.

    `step` is what is being done while it is built, `problem` why it could not be; `size` (in bytes) and `used`, the
    last time a cell ran in it, are known of one that is ready.
    """

    digest: Digest
    packages: Packages
    python: str
    state: EnvironmentState
    step: str | None = None
    problem: str | None = None
    size: int | None = None
    used: datetime | None = None
