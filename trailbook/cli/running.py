"""Runs a branch and stays with it until there is nothing left to run."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import Protocol

from trailbook.model.base import BranchId, CellHandle
from trailbook.model.runs import CellState, Progress
from trailbook.workflow.events import CellChanged, Event, NotebookChanged, ProgressMade
from trailbook.workflow.views import CellView, Notebook
from trailbook.workflow.workbench import Workbench

QUIET_SECONDS = 0.5
"""Without news for so long, ask how things stand."""
ENDED = (CellState.DONE, CellState.ERROR, CellState.CANCELLED)

Views = Mapping[CellHandle, CellView]


class Spectator(Protocol):
    """Somebody who is told how the cells stand, and how far running ones are; `finish` is told if all went its way."""

    def show(self, views: Views) -> None: ...

    def finish(self) -> None: ...

    def show_progress(self, cell: CellHandle, progress: Progress) -> None: ...

    def close(self) -> None: ...


def run_to_end(bench: Workbench, branch: BranchId, spectator: Spectator) -> Notebook:
    """Run what is not up to date, and answer how the notebook stands then."""
    events: SimpleQueue[Event] = SimpleQueue()
    try:
        with bench.hub.listening(branch, events.put):
            notebook = bench.run(branch, None, False, bench.person.id)
            while not _is_settled(views := _by_handle(notebook)):
                spectator.show(views)
                _follow(events, views, spectator)
                # Asked anew: events tell of one cell at a time, and what they leave out may have changed since.
                notebook = bench.head(branch)
            spectator.show(views)
            spectator.finish()
    finally:
        spectator.close()
    return notebook


def _follow(events: SimpleQueue[Event], views: Views, spectator: Spectator) -> None:
    """Tell what happens until nothing seems to run any more, or nothing happens."""
    with suppress(Empty):
        while True:
            views = _after(events.get(timeout=QUIET_SECONDS), views, spectator)
            spectator.show(views)
            if all(view.state is not CellState.RUNNING for view in views.values()):
                return


def _is_settled(views: Views) -> bool:
    """Whether nothing will happen any more. What is stale while nothing runs will not run."""
    return all(
        view.state in ENDED or view.state is CellState.STALE or _is_blocked(view, views) for view in views.values()
    )


def _is_blocked(view: CellView, views: Views) -> bool:
    """Whether it waits for what never comes, if nothing runs."""
    other = views.get(view.waits_for) if view.waits_for else None
    if view.state is not CellState.WAITING or other is None:
        return False
    return other.state in ENDED or _is_blocked(other, views)


def _after(event: Event, views: Views, spectator: Spectator) -> Views:
    match event:
        case NotebookChanged():
            return _by_handle(event.notebook)
        case CellChanged():
            return {**views, event.cell.handle: event.cell}
        case ProgressMade():
            spectator.show_progress(event.handle, event.progress)
    return views


def _by_handle(notebook: Notebook) -> Views:
    return {cell.handle: cell for cell in notebook.cells}
