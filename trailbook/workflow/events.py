"""What happens to a branch, as it happens: the messages that clients get over the WebSocket."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Annotated, Literal

from pydantic import Field

from trailbook.engine import EngineStatus
from trailbook.model.base import BranchId, CellHandle, RunId, Value
from trailbook.model.packages import Environment
from trailbook.model.publications import Publication
from trailbook.model.runs import LiveMessage, Progress
from trailbook.workflow.views import CellView, Notebook


class NotebookChanged(Value):
    """The branch's head moved."""

    type: Literal["notebook"] = "notebook"
    notebook: Notebook


class CellChanged(Value):
    """A cell's state or result changed."""

    type: Literal["cell"] = "cell"
    number: int
    cell: CellView


class MessageAdded(Value):
    """A running cell said something, or took something back."""

    type: Literal["message"] = "message"
    number: int
    handle: CellHandle
    run: RunId
    message: LiveMessage


class ProgressMade(Value):
    """A running cell got further."""

    type: Literal["progress"] = "progress"
    number: int
    handle: CellHandle
    run: RunId
    progress: Progress


class EngineChanged(Value):
    """Spark started, stopped or failed."""

    type: Literal["engine"] = "engine"
    engine: EngineStatus


class EnvironmentChanged(Value):
    """An environment with packages got further, was built, or could not be."""

    type: Literal["environment"] = "environment"
    environment: Environment


class DatasetPublished(Value):
    """There is a new edition of a dataset that any project may read."""

    type: Literal["published"] = "published"
    publication: Publication


Event = Annotated[
    NotebookChanged | CellChanged | MessageAdded | ProgressMade | EngineChanged | EnvironmentChanged | DatasetPublished,
    Field(discriminator="type"),
]
Listener = Callable[[Event], None]


class Hub:
    """Passes events on to whoever listens to a branch. Listeners must not block."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._listeners: dict[BranchId, list[Listener]] = {}

    @contextmanager
    def listening(self, branch: BranchId, listener: Listener) -> Iterator[None]:
        with self._lock:
            self._listeners.setdefault(branch, []).append(listener)
        try:
            yield
        finally:
            with self._lock:
                self._listeners[branch].remove(listener)
                if not self._listeners[branch]:
                    del self._listeners[branch]

    def publish(self, branch: BranchId, event: Event) -> None:
        with self._lock:
            listeners = list(self._listeners.get(branch, ()))
        for listener in listeners:
            listener(event)

    def publish_to_all(self, event: Event) -> None:
        with self._lock:
            branches = list(self._listeners)
        for branch in branches:
            self.publish(branch, event)

    def has_listeners(self, branch: BranchId) -> bool:
        with self._lock:
            return branch in self._listeners
