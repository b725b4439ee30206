"""Executing one cell: a run is recorded when it starts, and once more, with all it made, when it ends."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Collection
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from sqlalchemy import Connection

from trailbook.cells.context import RunContext
from trailbook.cells.kind import parse
from trailbook.engine import Engine
from trailbook.errors import CellCancelled, CellFailed, TrailbookError
from trailbook.kernels.environments.environments import Environments
from trailbook.kernels.zygote import Zygote
from trailbook.model.artifacts import Artifact
from trailbook.model.base import ArtifactId
from trailbook.model.publications import Publication
from trailbook.model.runs import CellError, CellState, LiveMessage, Run, heard
from trailbook.settings import Settings
from trailbook.sinks.report import CaveatReport
from trailbook.store import artifacts, publications, runs
from trailbook.store.store import Store
from trailbook.workflow.caveat_report import report_above
from trailbook.workflow.environment import RunEnvironment
from trailbook.workflow.slots import Slots
from trailbook.workflow.work import Listener, Settle, Work

if TYPE_CHECKING:
    from trailbook.workflow.workers.crew import Crew

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Bench:
    """What executions share."""

    settings: Settings
    store: Store
    engine: Engine
    zygote: Zygote
    environment: RunEnvironment
    environments: Environments
    slots: Slots
    crew: Crew | None = None
    """Those who execute cells elsewhere; None if they are executed here."""


class Execution:
    """One run while it lasts, on this machine."""

    def __init__(self, bench: Bench, work: Work, listener: Listener) -> None:
        self._bench = bench
        self._cell = work.cell
        self._run = work.run
        self._branch = work.branch
        self._begun = time.monotonic()
        self._lock = threading.Lock()
        self._messages = list(work.run.messages)
        self._on_message = listener.on_message
        self._context = RunContext(
            run=work.run.id,
            scope=work.scope,
            settings=bench.settings,
            engine=bench.engine,
            environments=bench.environments,
            packages=work.packages,
            files=bench.store.files,
            on_message=self._say,
            on_progress=lambda progress: listener.on_progress(work.run.id, progress),
            on_read=listener.on_read,
            record=self._record,
            shelf=self,
            await_name=listener.await_name,
            acknowledged=work.cell.spec.acknowledged,
            twin=work.twin,
            may_change=work.may_change,
        )

    @property
    def run(self) -> Run:
        with self._lock:
            return self._run.model_copy(update={"messages": tuple(self._messages)})

    @property
    def reads(self) -> dict[str, str | None]:
        return dict(self._context.reads)

    @property
    def is_cancelled(self) -> bool:
        return self._context.is_cancelled

    def cancel(self) -> None:
        self._context.cancel()

    def execute(self, settle: Settle) -> Run:
        def record(tx: Connection, run: Run) -> None:
            runs.update(tx, run)
            settle(tx, run)

        with self._bench.store.writing() as tx:
            runs.insert(tx, self._run, self._branch)
        return self.perform(record)

    def perform(self, record: Settle) -> Run:
        """Run the cell to its end. `record(tx, run)` is called in the transaction that records what it made."""
        error = self._attempt()
        try:
            return self._finish(error, self._context.made, record)
        except Exception as failure:
            # The results could not be recorded; that they could not must be.
            return self._finish(described(failure), [], record)
        finally:
            self._context.close()

    def _attempt(self) -> CellError | None:
        try:
            parse(self._cell.spec).run(self._context)
        except Exception as error:
            return described(error)
        return None

    def _finish(self, error: CellError | None, made: list[tuple[Artifact, bytes | None]], record: Settle) -> Run:
        started = self._run.started + timedelta(seconds=self._context.waited)
        seconds = time.monotonic() - self._begun - self._context.waited
        run = self.run.model_copy(
            update={
                "state": end_state(error),
                "started": started,
                "finished": started + timedelta(seconds=seconds),
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
            record(tx, run)
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

    def publication(self, name: str, edition: int) -> Publication:
        with self._bench.store.reading() as tx:
            return publications.get(tx, name, edition)

    def caveat_report(self, name: str, id: ArtifactId) -> CaveatReport:
        return report_above(self._bench.store, self._bench.engine, self._branch, self._cell.handle, name, id)

    def _say(self, message: LiveMessage) -> None:
        with self._lock:
            self._messages[:] = heard(self._messages, message)
        self._on_message(self._run.id, message)


def end_state(error: CellError | None) -> CellState:
    """How a run has ended that failed so, or not at all."""
    if error is None:
        return CellState.DONE
    return CellState.CANCELLED if error.code == CellCancelled.code else CellState.ERROR


def described(error: Exception) -> CellError:
    """An error as it is shown at a cell."""
    if isinstance(error, CellFailed):
        return CellError(
            code=error.code,
            message=error.message,
            line=error.line,
            column=error.column,
            traceback=error.traceback,
            missing_module=error.details.get("missing_module"),
            offer=error.details.get("offer"),
        )
    if not isinstance(error, TrailbookError):
        log.error("a cell failed in a way nobody foresaw", exc_info=error)
        return CellError(code="internal", message=f"{type(error).__name__}: {error}")
    return CellError(code=error.code, message=error.message)
