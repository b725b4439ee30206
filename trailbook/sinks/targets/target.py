"""What a target is: a place for bytes that takes all of them or none."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import BinaryIO, Protocol


class Target(Protocol):
    """A place to write to."""

    @property
    def name(self) -> str:
        """What the file is called there."""

    def opened(self) -> AbstractContextManager[BinaryIO]:
        """To write to. It is there when this ends well, and as it was before when it does not."""


class Place(Target, Protocol):
    """A place that has others next to it."""

    @property
    def shown(self) -> str:
        """Where that is, for people."""

    def beside(self, name: str) -> Place:
        """The place of what goes with the file; what went with one before is replaced."""

    def clear(self) -> None:
        """Have nothing there."""
