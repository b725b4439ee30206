"""Writing a dataset to a place, with progress, until somebody stops it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from trailbook.errors import CellCancelled

if TYPE_CHECKING:
    from trailbook.sinks.outgoing import Outgoing
    from trailbook.sinks.sink import Options, Sink
    from trailbook.sinks.targets.database import TableOptions, TableTarget
    from trailbook.sinks.targets.target import Target

OnProgress = Callable[[int, int], None]
"""Is told how many rows are written, and of how many."""


def export(
    data: Outgoing,
    target: Target,
    sink: Sink[Any],
    options: Options,
    on_progress: OnProgress = lambda done, total: None,
    stopped: threading.Event | None = None,
) -> list[str]:
    """Write the dataset as a file, all of it or nothing; what a reader of the file should know."""
    with target.opened() as file:
        return sink.write(_watched(data, on_progress, stopped), file, options)


def export_table(
    data: Outgoing,
    target: TableTarget,
    options: TableOptions,
    on_progress: OnProgress = lambda done, total: None,
    stopped: threading.Event | None = None,
) -> list[str]:
    """Write the dataset as a table of a database, all of it or nothing."""
    return target.write(_watched(data, on_progress, stopped), options)


def _watched(data: Outgoing, on_progress: OnProgress, stopped: threading.Event | None) -> Outgoing:
    def look(done: int) -> None:
        if stopped and stopped.is_set():
            raise CellCancelled(f"The export of {data.name} was stopped.")
        on_progress(done, data.rows)

    return data.watched(look)
