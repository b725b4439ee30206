"""Datasets that the host makes for a run, of data that never passes through the run's process."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

from trailbook.errors import CellFailed
from trailbook.kernels.names import Wanted
from trailbook.kernels.wire import Said

Create = Callable[[Wanted, threading.Event], Path]
"""Makes a directory of Parquet files of what is wanted, unless the event says that nobody wants it any more."""


class Created:
    """What was made so far, one after the other."""

    def __init__(self, create: Create) -> None:
        self._create = create
        self._over = threading.Event()
        self._busy = threading.Lock()
        self._made: list[Path] = []

    def add(self, said: Said) -> tuple[int, Path]:
        """Make what a run asks for; it is known by its number."""
        wanted = Wanted(said["name"], said["url"], said["format"], said["options"])
        with self._busy:
            self._made.append(self._create(wanted, self._over))
            return len(self._made) - 1, self._made[-1]

    def get(self, number: int) -> Path:
        if number not in range(len(self._made)):
            raise CellFailed(f"The cell gave dataset {number} as its result, which was not created for it.")
        return self._made[number]

    def close(self) -> None:
        """Stop what is going on, and wait until it has stopped: it writes where the host is about to tidy up."""
        self._over.set()
        with self._busy:
            pass
