"""What a terminal shows of a notebook that runs: a line for each cell that ended, and one for those that run."""

from __future__ import annotations

import sys
from typing import TextIO

from trailbook.cli.running import ENDED, Views
from trailbook.model.base import CellHandle
from trailbook.model.runs import CellError, CellState, Progress
from trailbook.workflow.views import CellView

CLEAR_LINE = "\r\x1b[K"
LABEL = 48
"""Characters of a cell's text that tell people which one it is."""


class ProgressLines:
    """The line of running cells is only written where it can be overwritten."""

    def __init__(self, stream: TextIO = sys.stdout) -> None:
        self._stream = stream
        self._is_live = stream.isatty()
        self._told: set[CellHandle] = set()
        self._views: Views = {}
        self._progress: dict[CellHandle, Progress] = {}

    def show(self, views: Views) -> None:
        self._views = views
        for number, (handle, view) in enumerate(views.items(), 1):
            if handle not in self._told and view.state in ENDED:
                self._told.add(handle)
                self._write_ended(number, view)
        self._write_running()

    def finish(self) -> None:
        """Tell of those that did not run."""
        for number, (handle, view) in enumerate(self._views.items(), 1):
            if handle not in self._told:
                self._write_ended(number, view)

    def show_progress(self, cell: CellHandle, progress: Progress) -> None:
        self._progress[cell] = progress
        self._write_running()

    def close(self) -> None:
        if self._is_live:
            self._write(CLEAR_LINE)

    def _write_ended(self, number: int, view: CellView) -> None:
        width = len(str(len(self._views)))
        state = str(view.state) if view.state in ENDED else "not run"
        line = f"[{number:{width}}/{len(self._views)}] {view.kind:8} {state:9} {_seconds(view):>9}  {_label(view)}"
        self._write(f"{CLEAR_LINE if self._is_live else ''}{line.rstrip()}\n")
        if view.state in ENDED and view.run and view.run.error:
            self._write("".join(f"    {line}\n" for line in _told(view.run.error).split("\n")))

    def _write_running(self) -> None:
        running = [(n, view) for n, view in enumerate(self._views.values(), 1) if view.state is CellState.RUNNING]
        if self._is_live:
            cells = ", ".join(f"cell {number}{self._how_far(view)}" for number, view in running)
            self._write(
                f"{CLEAR_LINE}{len(self._told)} of {len(self._views)} done{f'; running {cells}' if cells else ''}"
            )

    def _how_far(self, view: CellView) -> str:
        progress = self._progress.get(view.handle)
        if progress is None:
            return ""
        count = f" {progress.done}/{progress.total}" if progress.total else ""
        return f" ({progress.label}{count})" if progress.label or count else ""

    def _write(self, text: str) -> None:
        self._stream.write(text)
        self._stream.flush()


def _told(error: CellError) -> str:
    """The traceback, and the message if that says more."""
    traceback = (error.traceback or "").rstrip()
    return traceback if error.message in traceback else f"{traceback}\n{error.message}".strip()


def _seconds(view: CellView) -> str:
    if view.state not in ENDED or view.run is None or view.run.finished is None:
        return ""
    return f"{(view.run.finished - view.run.started).total_seconds():.3f} s"


def _label(view: CellView) -> str:
    """The first line of the cell that says something."""
    texts = (value for value in view.parameters.values() if isinstance(value, str) and value.strip())
    text = next(texts, "").strip().split("\n")[0]
    return text if len(text) <= LABEL else f"{text[: LABEL - 1]}…"
