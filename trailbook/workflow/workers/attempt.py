"""One worker's attempt at a run, as the server follows it."""

from __future__ import annotations

import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from trailbook.errors import BrokerUnavailable, CellCancelled, TrailbookError
from trailbook.model.base import now
from trailbook.model.runs import CellError, Message, Progress, Run, heard
from trailbook.workflow.execution import described, end_state
from trailbook.workflow.work import Listener, Work
from trailbook.workflow.workers import words
from trailbook.workflow.workers.line import Line
from trailbook.workflow.workers.words import Word

if TYPE_CHECKING:
    from trailbook.workflow.workers.crew import Crew

TICK_SECONDS = 0.1
NOTICE_SECONDS = 3.0
BEATS = 10
"""How often each side says that it is alive, in the time after which it would be taken for dead."""


@dataclass(frozen=True)
class Gone:
    """The worker has left the run: it died, or was told to stop."""

    worker: str
    has_died: bool


class Pulse:
    """Says when so many seconds have passed, again and again."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._next = time.monotonic() + seconds

    def is_due(self) -> bool:
        is_due = time.monotonic() >= self._next
        if is_due:
            self._next = time.monotonic() + self._seconds
        return is_due


class Attempt:
    """From sending the work to the end of the run, or of the worker."""

    def __init__(self, crew: Crew, work: Work, listener: Listener) -> None:
        self._crew = crew
        self._work = work
        self._run = work.run
        self._listener = listener
        self._lock = threading.Lock()
        self._messages: list[Message] = list(work.run.messages)
        self._reads: dict[str, str | None] = {}
        self._worker = ""
        self._heard = time.monotonic()
        self._alive = Pulse(crew.silence / BEATS)
        self._untaken = Pulse(NOTICE_SECONDS)
        self._lost = Pulse(crew.silence)

    @property
    def run(self) -> Run:
        with self._lock:
            return self._run.model_copy(update={"messages": tuple(self._messages)})

    @property
    def reads(self) -> dict[str, str | None]:
        with self._lock:
            return dict(self._reads)

    def follow(self, cancelled: threading.Event) -> Run | Gone:
        """Send the work, and stay until the end. One that is cancelled before a worker took it ends at once."""
        line = self._crew.send(self._work)
        is_told = False
        while True:
            for word in line.hear(TICK_SECONDS):
                self._heard = time.monotonic()
                if end := self._take_in(line, word):
                    return end
            if cancelled.is_set() and not is_told:
                is_told = True
                line.say(words.Cancelled())
                if not self._worker:
                    return self.ended(described(CellCancelled("The cell was cancelled.")))
            if self._worker and time.monotonic() - self._heard > self._crew.silence:
                # In case that it is not dead.
                line.say(words.Cancelled())
                return Gone(self._worker, has_died=True)
            self._tell_if_due(line)

    def ended(self, error: CellError) -> Run:
        """The run, which ends with this."""
        end = {"state": end_state(error), "finished": now(), "reads": self.reads, "error": error}
        return self.run.model_copy(update=end)

    def _take_in(self, line: Line, word: Word) -> Run | Gone | None:
        match word:
            case words.Ended(run=run):
                return run.model_copy(update={"messages": self.run.messages})
            case words.Failed(error=error):
                return self.ended(error)
            case words.HandedBack():
                return Gone(self._worker, has_died=False)
            case words.Taken(worker=worker):
                self._worker = worker
                self._listener.on_progress(self._run.id, Progress(label=f"Running on {worker}", done=0))
            case words.Said(message=message):
                with self._lock:
                    self._messages = heard(self._messages, message)
                self._listener.on_message(self._run.id, message)
            case words.Advanced(progress=progress):
                self._listener.on_progress(self._run.id, progress)
            case words.Read(name=name, identity=identity):
                with self._lock:
                    self._reads[name] = identity
                self._listener.on_read(name, identity)
            case words.Asked(number=number, name=name):
                # Whoever waits for a name must still hear that the cell was cancelled.
                threading.Thread(target=self._answer, args=(line, number, name), daemon=True).start()
        return None

    def _answer(self, line: Line, number: int, name: str) -> None:
        try:
            scope = self._listener.await_name(name)
        except TrailbookError:
            scope = None
        with suppress(BrokerUnavailable):
            line.say(words.Answered(number=number, scope=scope))

    def _tell_if_due(self, line: Line) -> None:
        """That the server is alive, to the worker; and to people, that there is no worker yet."""
        if self._alive.is_due():
            line.say(words.Alive())
        if not self._worker and self._untaken.is_due():
            self._listener.on_progress(self._run.id, Progress(label="No worker has taken this cell yet", done=0))
        if not self._worker and self._lost.is_due():
            self._crew.send_again_if_lost(self._work)
