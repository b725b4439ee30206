"""Writing a dataset to a place, with progress, until somebody stops it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from trailbook.errors import CellCancelled
from trailbook.sinks.report import CaveatReport, markdown, report_name

if TYPE_CHECKING:
    from trailbook.sinks.outgoing import Outgoing
    from trailbook.sinks.sink import Options, Sink
    from trailbook.sinks.targets.target import Place, Target

OnProgress = Callable[[int, int], None]
"""Is told how many rows are written, and of how many."""


def export(data: Outgoing, target: Target, sink: Sink[Any], options: Options) -> list[str]:
    """Write the dataset as a file, all of it or nothing; what a reader of the file should know."""
    with target.opened() as file:
        return sink.write(data, file, options)


def export_with_report(
    data: Outgoing,
    target: Place,
    sink: Sink[Any],
    options: Options,
    report: Callable[[], CaveatReport],
    *,
    beside: bool,
) -> list[str]:
    """The same with why something is in doubt: in the file, if there is a place for it, and `beside` it."""
    place = target.beside(report_name(target.name))
    told = None if data.doubt.is_none or not (beside or sink.tells_reasons) else report()
    outgoing = replace(data, reasons=told.reasons()) if told else data
    if not told or not beside:
        notes = export(outgoing, target, sink, options)
        # A report of what was there before would speak of what is there now.
        place.clear()
        return notes
    # The report is closed first, so that the file is never there without it.
    with target.opened() as file, place.opened() as page:
        notes = sink.write(outgoing, file, options)
        page.write(markdown(told.model_copy(update={"notes": tuple(notes)})).encode("utf-8"))
    return notes


def watched(data: Outgoing, on_progress: OnProgress, stopped: threading.Event | None = None) -> Outgoing:
    """The dataset, told about as its rows are written; somebody may have it stop then."""

    def look(done: int) -> None:
        if stopped and stopped.is_set():
            raise CellCancelled(f"The export of {data.name} was stopped.")
        on_progress(done, data.rows)

    return data.watched(look)
