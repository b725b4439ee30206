"""Executing one cell: a run is recorded when it starts, and once more, with all it made, when it ends."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import timedelta

from sqlalchemy import Connection

from trailbook.cells.context import RunContext
from trailbook.cells.kind import parse
from trailbook.cells.scope import Scope
from trailbook.engine import Engine
from trailbook.errors import CellCancelled, CellFailed, TrailbookError
from trailbook.kernels.zygote import Zygote
from trailbook.model.artifacts import Artifact
from trailbook.model.base import ArtifactId, Digest, PersonId, RunId, new_id, now
from trailbook.model.notebook import Cell
from trailbook.model.runs import CellError, CellState, Message, Progress, Run, TextMessage
from trailbook.settings import Settings
from trailbook.store import artifacts, runs
from trailbook.store.store import Store
from trailbook.workflow.slots import Slots

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Bench:
    """What executions share."""

    settings: Settings
    store: Store
    engine: Engine
    zygote: Zygote
    environment: Digest
    slots: Slots


class Execution:
    """One run while it lasts. `run` is what can be told of it at any moment."""

    def __init__(
        self,
        bench: Bench,
        cell: Cell,
        scope: Scope,
        person: PersonId,
        *,
        twin: Run | None = None,
        may_change: frozenset[str] | None = frozenset(),
        on_message: Callable[[RunId, Message], None],
        on_progress: Callable[[RunId, Progress], None],
        await_name: Callable[[str], Scope],
    ) -> None:
        self._bench = bench
        self._cell = cell
        self._lock = threading.Lock()
        self._messages: list[Message] = []
        self._on_message = on_message
        self._run = Run(
            id=RunId(new_id()),
            cell=cell.handle,
            spec=cell.spec.hash,
            environment=bench.environment,
            person=person,
            state=CellState.RUNNING,
            started=now(),
        )
        self._context = RunContext(
            run=self._run.id,
            scope=scope,
            settings=bench.settings,
            engine=bench.engine,
            zygote=bench.zygote,
            files=bench.store.files,
            on_message=self._say,
            on_progress=lambda progress: on_progress(self._run.id, progress),
            record=self._record,
            shelf=self,
            await_name=await_name,
            acknowledged=cell.spec.acknowledged,
            twin=twin,
            may_change=may_change,
        )

    @property
    def run(self) -> Run:
        with self._lock:
            return self._run.model_copy(update={"messages": tuple(self._messages)})

    @property
    def reads(self) -> dict[str, str | None]:
        """What it has read so far."""
        return dict(self._context.reads)

    @property
    def is_cancelled(self) -> bool:
        return self._context.is_cancelled

    def cancel(self) -> None:
        self._context.cancel()

    def execute(self, settle: Callable[[Connection, Run], None]) -> Run:
        """Run the cell to its end. `settle(tx, run)` is called in the transaction that records the end."""
        with self._bench.store.writing() as tx:
            runs.insert(tx, self._run)
        error = self._attempt()
        try:
            return self._finish(error, self._context.made, settle)
        except Exception as failure:
            # The results could not be recorded; that they could not must be.
            return self._finish(_described(failure), [], settle)
        finally:
            self._context.close()

    def _attempt(self) -> CellError | None:
        try:
            parse(self._cell.spec).run(self._context)
        except Exception as error:
            return _described(error)
        return None

    def _finish(
        self,
        error: CellError | None,
        made: list[tuple[Artifact, bytes | None]],
        settle: Callable[[Connection, Run], None],
    ) -> Run:
        finished = now()
        started = self._run.started + timedelta(seconds=self._context.waited)
        seconds = (finished - started).total_seconds()
        run = self.run.model_copy(
            update={
                "state": _end_state(error),
                "started": started,
                "finished": finished,
                "reads": dict(self._context.reads),
                "writes": {} if error else dict(self._context.writes),
                "deletes": () if error else tuple(sorted(self._context.deletes)),
                "error": error or self._context.expected_error,
                "outside": self._context.outside,
            }
        )
        with self._bench.store.writing() as tx:
            for artifact, content in made:
                told = artifact.model_copy(update={"seconds": seconds})
                artifacts.register(tx, self._bench.store.files, told, content)
            runs.update(tx, run)
            settle(tx, run)
        return run

    def _record(self, artifact: Artifact) -> None:
        with self._bench.store.writing() as tx:
            artifacts.register(tx, self._bench.store.files, artifact)

    def artifacts(self, ids: Collection[ArtifactId]) -> dict[ArtifactId, Artifact]:
        with self._bench.store.reading() as tx:
            return artifacts.many(tx, ids)

    def contents(self, ids: Collection[ArtifactId]) -> dict[ArtifactId, bytes]:
        with self._bench.store.reading() as tx:
            return artifacts.contents(tx, ids)

    def _say(self, message: Message) -> None:
        with self._lock:
            self._messages[:] = _joined(self._messages, message)
        self._on_message(self._run.id, message)


def _joined(messages: list[Message], new: Message) -> list[Message]:
    """Text that goes on in the same stream is one message."""
    last = messages[-1] if messages else None
    if isinstance(last, TextMessage) and isinstance(new, TextMessage) and last.stream == new.stream:
        return [*messages[:-1], TextMessage(stream=new.stream, text=last.text + new.text)]
    return [*messages, new]


def _end_state(error: CellError | None) -> CellState:
    if error is None:
        return CellState.DONE
    return CellState.CANCELLED if error.code == CellCancelled.code else CellState.ERROR


def _described(error: Exception) -> CellError:
    if isinstance(error, CellFailed):
        return CellError(
            code=error.code, message=error.message, line=error.line, column=error.column, traceback=error.traceback
        )
    if not isinstance(error, TrailbookError):
        log.error("a cell failed in a way nobody foresaw", exc_info=error)
        return CellError(code="internal", message=f"{type(error).__name__}: {error}")
    return CellError(code=error.code, message=error.message)
