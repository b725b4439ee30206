"""`tb`: what Trailbook offers to a cell's code."""

from __future__ import annotations

import time
from typing import Any

from trailbook.kernels.child.channel import Channel
from trailbook.kernels.child.frames.dataset import Dataset
from trailbook.kernels.child.results import Results
from trailbook.kernels.child.scope import Scope
from trailbook.kernels.child.shown.display import Display

PROGRESS_SECONDS = 0.1


class Library:
    """Datasets by name, results, progress.

    >>> tb.dataset("sales").polars()        # also .pandas() .arrow() .spark() .batches() .columns .rows
    >>> tb.save("totals", frame)
    >>> tb.progress(3, 10, "reading files")
    """

    def __init__(self, scope: Scope, results: Results, display: Display, channel: Channel) -> None:
        self._scope = scope
        self._results = results
        self._display = display
        self._channel = channel
        self._progress_sent = 0.0

    def dataset(self, name: str) -> Dataset:
        """The dataset `name` of the cells above, or what this cell saved under that name."""
        return self._scope.dataset(name)

    def datasets(self) -> list[str]:
        """The names of the datasets that can be read."""
        self._scope.every_name()
        return list(self._scope)

    def save(self, name: str, data: Any) -> None:
        """Store a pandas, Polars, Arrow or Spark frame as the dataset `name`."""
        self._results.save(name, data)

    def show(self, value: Any) -> None:
        """Show a value under the cell, as its last expression would be."""
        self._display(value)

    def progress(self, done: int, total: int | None = None, label: str = "") -> None:
        """Say how far the cell is. Cheap enough for every turn of a loop."""
        now = time.monotonic()
        if done == total or now - self._progress_sent >= PROGRESS_SECONDS:
            self._progress_sent = now
            self._channel.send(
                "progress", done=int(done), total=None if total is None else int(total), label=str(label)
            )
