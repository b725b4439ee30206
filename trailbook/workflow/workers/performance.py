"""A run on a worker: executed as on a server, with the one who asked for it at the other end of the line."""

from __future__ import annotations

import itertools
import logging
import threading
import time
from dataclasses import replace

from trailbook.cells.scope import Scope
from trailbook.errors import BrokerUnavailable, CellCancelled
from trailbook.model.base import now
from trailbook.model.runs import CellState
from trailbook.workflow.execution import Bench, Execution, described
from trailbook.workflow.work import Listener, Work
from trailbook.workflow.workers import words
from trailbook.workflow.workers.attempt import BEATS
from trailbook.workflow.workers.line import Line
from trailbook.workflow.workers.places import Place
from trailbook.workflow.workers.words import Errand, Word

log = logging.getLogger(__name__)


class Performance:
    """One run, in a thread of its own: while it waits for a name, others may have its place."""

    def __init__(self, bench: Bench, errand: Errand, line: Line, place: Place) -> None:
        """The place is taken; it is left at the end, and for as long as the run waits."""
        self._line = line
        self._silence = errand.silence
        self._place = place
        self._numbers = itertools.count()
        self._changed = threading.Condition()
        self._answers: dict[int, Scope | None] = {}
        self._has_ended = False
        self._is_handed_back = False
        listener = Listener(
            on_message=lambda _, message: line.say(words.Said(message=message)),
            on_progress=lambda _, progress: line.say(words.Advanced(progress=progress)),
            on_read=lambda name, identity: line.say(words.Read(name=name, identity=identity)),
            await_name=self._await_name,
        )
        self._execution = Execution(bench, _started(errand.work), listener)
        self._thread = threading.Thread(target=self._perform, name=f"cell-{errand.work.cell.handle}", daemon=True)

    def start(self) -> None:
        self._thread.start()

    @property
    def is_alive(self) -> bool:
        return self._thread.is_alive()

    def join(self) -> None:
        self._thread.join()

    def hand_back(self) -> None:
        """Stop, and have somebody else do it."""
        self._is_handed_back = True
        self._stop()

    def _perform(self) -> None:
        threading.Thread(target=self._attend, name="attend", daemon=True).start()
        try:
            self._line.say(self._end())
        except BrokerUnavailable as error:
            log.warning("how a run ended could not be told: %s", error.message)
        finally:
            self._has_ended = True
            self._place.leave()

    def _end(self) -> Word:
        try:
            run = self._execution.perform(lambda tx, run: None)
        except Exception as error:
            return words.Failed(error=described(error))
        if self._is_handed_back and run.state is CellState.CANCELLED:
            return words.HandedBack()
        return words.Ended(run=run.model_copy(update={"messages": ()}))

    def _attend(self) -> None:
        """Until the run ends, tell that it goes on, and listen. If nobody is there any more, it is in vain."""
        heard = time.monotonic()
        try:
            while not self._has_ended:
                self._line.say(words.Alive())
                for word in self._line.hear(self._silence / BEATS):
                    heard = time.monotonic()
                    self._take_in(word)
                if time.monotonic() - heard > self._silence:
                    log.warning("the server that asked for a run is gone")
                    break
        except BrokerUnavailable as error:
            log.warning("a run is given up: %s", error.message)
        self._stop()

    def _take_in(self, word: Word) -> None:
        match word:
            case words.Cancelled():
                self._stop()
            case words.Answered(number=number, scope=scope):
                with self._changed:
                    self._answers[number] = scope
                    self._changed.notify_all()

    def _stop(self) -> None:
        self._execution.cancel()
        with self._changed:
            self._changed.notify_all()

    def _await_name(self, name: str) -> Scope:
        number = next(self._numbers)
        self._line.say(words.Asked(number=number, name=name))
        self._place.leave()
        with self._changed:
            self._changed.wait_for(lambda: number in self._answers or self._execution.is_cancelled)
        self._place.take()
        scope = self._answers.get(number)
        if scope is None:
            raise CellCancelled("The cell was cancelled.")
        return scope


def _started(work: Work) -> Work:
    """The work, begun now; not before the server asked for it, whatever the clock of this machine says."""
    return replace(work, run=work.run.model_copy(update={"started": max(now(), work.run.started)}))
