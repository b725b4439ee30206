"""Executing a cell on another machine: here is who waits for it, and records how it ended."""

from __future__ import annotations

import threading
from dataclasses import replace
from typing import TYPE_CHECKING

from trailbook.errors import BrokerUnavailable, CellCancelled, WorkerLost
from trailbook.model.base import RunId, new_id, now
from trailbook.model.runs import CellState, NoteMessage, Run
from trailbook.store import runs
from trailbook.store.store import Store
from trailbook.workflow.execution import described
from trailbook.workflow.work import Listener, Settle, Work
from trailbook.workflow.workers.attempt import Attempt, Gone

if TYPE_CHECKING:
    from trailbook.workflow.workers.crew import Crew

MOST_DEATHS = 2


class RemoteExecution:
    """One run while it lasts elsewhere. If its worker dies, another one is asked, once, and that is another run.

    Only the server writes to the table of runs: a worker that was given up, and goes on, is not heard any more.
    """

    def __init__(self, crew: Crew, store: Store, work: Work, listener: Listener) -> None:
        self._crew = crew
        self._store = store
        self._work = work
        self._listener = listener
        self._cancelled = threading.Event()
        self._attempt = Attempt(crew, work, listener)

    @property
    def run(self) -> Run:
        return self._attempt.run

    @property
    def reads(self) -> dict[str, str | None]:
        return self._attempt.reads

    @property
    def is_cancelled(self) -> bool:
        return self._cancelled.is_set()

    def cancel(self) -> None:
        self._cancelled.set()

    def execute(self, settle: Settle) -> Run:
        with self._store.writing() as tx:
            runs.insert(tx, self._work.run, self._work.branch)
        end = self._attempted()
        deaths = 0
        while isinstance(end, Gone):
            deaths += end.has_died
            if self.is_cancelled:
                end = self._attempt.ended(described(CellCancelled("The cell was cancelled.")))
            elif deaths == MOST_DEATHS:
                end = self._attempt.ended(described(_despair(end)))
            else:
                self._begin_again(end)
                end = self._attempted()
        try:
            return self._recorded(end, settle)
        except Exception as failure:
            # It could not be recorded; that it could not must be.
            return self._recorded(self._attempt.ended(described(failure)), settle)

    def _recorded(self, end: Run, settle: Settle) -> Run:
        with self._store.writing() as tx:
            runs.update(tx, end)
            settle(tx, end)
        return end

    def _attempted(self) -> Run | Gone:
        try:
            return self._attempt.follow(self._cancelled)
        except BrokerUnavailable as error:
            return self._attempt.ended(described(error))

    def _begin_again(self, gone: Gone) -> None:
        """A new run for the next worker. The lost one is recorded: it has ended, and nobody else will say so."""
        why = f"Worker {gone.worker} {'died while it ran this cell' if gone.has_died else 'had to stop'}"
        lost = self._attempt.ended(described(WorkerLost(f"{why}.")))
        note = NoteMessage(text=f"{why}, so another one is asked.")
        run = self._work.run.model_copy(update={"id": RunId(new_id()), "started": now(), "messages": (note,)})
        with self._store.writing() as tx:
            runs.update(tx, lost.model_copy(update={"state": CellState.CANCELLED}))
            runs.insert(tx, run, self._work.branch)
        self._work = replace(self._work, run=run)
        self._attempt = Attempt(self._crew, self._work, self._listener)
        self._listener.on_message(run.id, note)


def _despair(gone: Gone) -> WorkerLost:
    return WorkerLost(
        f"Worker {gone.worker} died while it ran this cell, and so did one before. The cell may need more memory "
        "than they have; their logs tell more. Run it again once that is mended."
    )
