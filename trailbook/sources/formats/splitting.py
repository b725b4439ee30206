"""Formats whose files can be cut into pieces that are read side by side."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar

import pyarrow as pa

from trailbook.model.base import Json
from trailbook.sources.formats.format import Format, Layout, Options

O = TypeVar("O", bound=Options)  # noqa: E741


class SplittableFormat(Format[O]):
    """Where a file can be cut is found by looking at stretches of it, each by itself, then putting that together."""

    @abstractmethod
    def readable(self, path: Path, layout: Layout[O], folder: Path) -> Path:
        """The file, or a copy of it in the folder that can be read from the middle."""

    @abstractmethod
    def stretches(self, path: Path, layout: Layout[O]) -> list[Json]:
        """What is to be scanned."""

    @abstractmethod
    def scan(self, path: Path, layout: Layout[O], stretch: Json) -> Json:
        """What is to be known of a stretch."""

    @abstractmethod
    def cut(self, columns: int, scans: Sequence[Json]) -> list[Json]:
        """The pieces, in the order of the file."""

    @abstractmethod
    def read(self, path: Path, layout: Layout[O], piece: Json) -> pa.Table:
        """The records of a piece."""
