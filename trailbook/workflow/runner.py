"""Keeping a branch's head up to date: cells run side by side, and end as if they had run one after the other.

Whatever has to be known is read anew from the store at each step, so nothing needs special care: not an edit while
cells run, not a cell that reads or writes something else than was expected. A cell goes on as long as what it has read
is what it would meet now; else it is cancelled, and runs again. One that asks for what is not written yet waits.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from datetime import datetime

from sqlalchemy import Connection

from trailbook.cells.scope import Scope
from trailbook.errors import CellCancelled
from trailbook.model.base import BranchId, CellHandle, PersonId, RunId, now
from trailbook.model.runs import LiveMessage, Progress, Run
from trailbook.store import runs
from trailbook.workflow.events import CellChanged, Hub, MessageAdded, NotebookChanged, ProgressMade
from trailbook.workflow.execution import Bench, Execution
from trailbook.workflow.resolve import Blocked, Needed, Settled, Step, Waiting
from trailbook.workflow.standing import Standing, Wish, head_of, settle_head
from trailbook.workflow.views import CellView, Live, Notebook, cell_views, notebook
from trailbook.workflow.wake import Running, Task, Wake
from trailbook.workflow.work import Executing, Listener, Work, begin, called_off

log = logging.getLogger(__name__)


class BranchRunner:
    """The one who runs the cells of a branch, each in a thread of its own."""

    def __init__(self, bench: Bench, hub: Hub, branch: BranchId) -> None:
        self._bench = bench
        self._hub = hub
        self._branch = branch
        self._lock = threading.RLock()
        self._changed = threading.Condition(self._lock)
        self._wake = Wake()
        self._standing: Standing | None = None
        self._running: dict[CellHandle, Running] = {}
        self._anew: dict[CellHandle, datetime] = {}
        self._lacks_slot = False
        self._published: dict[CellHandle, CellView] = {}

    def live(self) -> Live:
        with self._lock:
            steps = self._standing.steps if self._standing else {}
            order = {handle: number for number, handle in enumerate(steps)}
            is_idle = not self._running and (self._wake.person is None or not self._lacks_slot)
            return Live(
                running={handle: running.execution.run for handle, running in self._running.items()},
                waiting={}
                if is_idle
                else {handle: _writer(step, order) for handle, step in steps.items() if _waits(step)},
                blocked={handle: step.by for handle, step in steps.items() if isinstance(step, Blocked)},
            )

    def wake(
        self, person: PersonId, anew: Collection[CellHandle] = (), wanted: Collection[CellHandle] | None = None
    ) -> Notebook:
        """The head moved, or somebody wants it run: look what is to do. Cells in `anew` run even if they need not."""
        with self._lock:
            self._wake = Wake(person, self._wanted_also(wanted))
            self._anew.update(dict.fromkeys(anew, now()))
            self._look()
            return self._publish_notebook()

    def _wanted_also(self, wanted: Collection[CellHandle] | None) -> frozenset[CellHandle] | None:
        """What is wanted now, with what was wanted before and has not been done yet."""
        if wanted is None or not self.live().active:
            return None if wanted is None else frozenset(wanted)
        return None if self._wake.wanted is None else self._wake.wanted | frozenset(wanted)

    def cancel(self, cells: Collection[CellHandle] | None = None) -> None:
        """Stop those of `cells` that run, and call off those that wait. None stops all; what waits can be run later."""
        with self._lock:
            if cells is None:
                self._wake = Wake(wanted=frozenset())
                self._anew = {handle: time for handle, time in self._anew.items() if handle in self._running}
            for handle, running in self._running.items():
                if cells is None or handle in cells:
                    self._stop(running)
            waiting = self.live().waiting.keys() - self._running.keys()
            if chosen := waiting & frozenset(cells or ()):
                self._call_off(chosen)
                self._advance()

    def _call_off(self, cells: Collection[CellHandle]) -> None:
        """Cells that have not started end as cancelled. That stands until somebody asks for them, or changes them."""
        assert self._wake.person
        with self._bench.store.writing() as tx:
            head = head_of(tx, self._branch)
            for cell in head.cells:
                if cell.handle in cells:
                    environment = self._bench.environment.of(cell.spec, head.packages)
                    run = called_off(begin(cell, environment, self._wake.person))
                    runs.insert(tx, run)
                    runs.set_result(tx, head.ref, cell.handle, run.id)
                    self._anew.pop(cell.handle, None)

    def close(self) -> None:
        """Cancel everything and wait until it has ended."""
        self.cancel()
        with self._lock:
            threads = [running.thread for running in self._running.values()]
        for thread in threads:
            thread.join(timeout=10)

    def _advance(self) -> None:
        """Look what is to do, and tell the listeners."""
        with self._lock:
            try:
                self._look()
            except Exception:
                log.exception("the runner of branch %s gave up", self._branch)
                self._wake.person = None
            try:
                self._publish()
            except Exception:
                log.exception("what changed in branch %s could not be told", self._branch)

    def _look(self) -> None:
        """Stop what is no longer right, let those go on that wait for what is there now, and start what can start."""
        wish = Wish(self._bench.environment, self._anew, self._wake.fresh)
        standing = self._standing = settle_head(self._bench.store, self._branch, wish)
        for running in self._running.values():
            if not running.is_right(standing) or self._anew.get(running.handle) != running.task.anew:
                running.is_superseded = True
                self._wake.read_too_early[running.handle] = running.execution.reads.keys()
                self._stop(running)
        for running in self._running.values():
            if running.can_go_on(standing) and self._take_slot():
                running.awaits = None
        self._changed.notify_all()
        self._lacks_slot = False
        for task in self._wake.tasks(standing, dict(self._running), self._anew):
            self._lacks_slot = not self._take_slot()
            if self._lacks_slot:
                break
            self._start(task)
        self._stop_if_stuck(standing)

    def _stop_if_stuck(self, standing: Standing) -> None:
        """Nobody writes any more what the cells wait for, such as when the end of a run could not be recorded."""
        all_wait = all(running.awaits and not running.can_go_on(standing) for running in self._running.values())
        if all_wait and not self._lacks_slot:
            for running in self._running.values():
                self._stop(running)

    def _take_slot(self) -> bool:
        return self._bench.slots.take(self._advance)

    def _start(self, task: Task) -> None:
        assert self._wake.person
        running = Running(task, self._wake)
        running.execution = self._execution(running, self._wake.person)
        running.thread = threading.Thread(
            target=self._execute, args=(running,), name=f"cell-{task.cell.handle}", daemon=True
        )
        self._running[task.cell.handle] = running
        try:
            running.thread.start()
        except RuntimeError:
            # No more threads to be had: as if there had been no slot.
            self._running.pop(task.cell.handle)
            self._bench.slots.give_back()
            raise

    def _execution(self, running: Running, person: PersonId) -> Executing:
        task = running.task
        number, handle = task.ref.number, task.cell.handle

        def on_message(run: RunId, message: LiveMessage) -> None:
            self._hub.publish(self._branch, MessageAdded(number=number, handle=handle, run=run, message=message))

        def on_progress(run: RunId, progress: Progress) -> None:
            self._hub.publish(self._branch, ProgressMade(number=number, handle=handle, run=run, progress=progress))

        run = begin(task.cell, self._bench.environment.of(task.cell.spec, task.packages), person)
        work = Work(run, self._branch, task.cell, task.scope, task.twin, task.may_change, task.packages)
        listener = Listener(
            on_message,
            on_progress,
            on_read=lambda name, identity: None,
            await_name=lambda name: self._await_name(running, name),
        )
        crew = self._bench.crew
        if crew is None:
            return Execution(self._bench, work, listener)
        return crew.execution(work, replace(listener, on_read=lambda name, identity: self._check(running)))

    def _check(self, running: Running) -> None:
        """Something it read was told; it may be wrong already, and nothing else would have anybody look."""
        with self._lock:
            if not running.is_superseded and self._standing and not running.is_right(self._standing):
                self._advance()

    def _stop(self, running: Running) -> None:
        running.execution.cancel()
        self._changed.notify_all()

    def _execute(self, running: Running) -> None:
        try:
            running.execution.execute(lambda tx, run: self._record(tx, running, run))
        except Exception:
            log.exception("the end of a run of cell %s could not be recorded", running.task.cell.handle)
        with self._lock:
            running.has_ended = True
            self._changed.notify_all()
            self._forget(running)
            refused = self._bench.slots.give_back() if running.awaits is None else []
            self._advance()
        _tell(refused)

    def _forget(self, running: Running) -> None:
        """It has ended: what was wanted of it is done, unless something else is wanted now."""
        task, handle = running.task, running.task.cell.handle
        self._running.pop(handle)
        if running.is_superseded:
            return
        running.wake.fresh.add(running.execution.run.id)
        running.wake.finished[handle] = task
        if self._anew.get(handle) == task.anew:
            self._anew.pop(handle, None)

    def _await_name(self, running: Running, name: str) -> Scope:
        """For a running cell: wait until it is known what the name means, without keeping others from running."""
        with self._lock:
            refused = self._bench.slots.give_back() if running.awaits is None else []
            running.awaits = name
            self._advance()
        _tell(refused)
        with self._changed:
            self._changed.wait_for(
                lambda: running.awaits is None or running.has_ended or running.execution.is_cancelled
            )
            scope = running.scope_in(self._standing) if self._standing else None
            if running.awaits or scope is None:
                raise CellCancelled("The cell was cancelled.")
            return scope

    def _record(self, tx: Connection, running: Running, run: Run) -> None:
        """The run is the result of its cell in the version it was started for, and in a later head that has the cell.

        Whether it still is what the cell would do there turns out when the head is looked at.
        """
        if running.is_superseded:
            return
        head, task = head_of(tx, self._branch), running.task
        known = runs.results(tx, head.ref).get(run.cell) if head.ref != task.ref else None
        if head.ref != task.ref and task.cell in head.cells and not (known and known.current):
            runs.set_result(tx, head.ref, run.cell, run.id, current=False)
        runs.set_result(tx, task.ref, run.cell, run.id, current=not task.scope.unfinished and head.ref == task.ref)

    def _publish_notebook(self) -> Notebook:
        """Tell the listeners how the whole head stands."""
        with self._bench.store.reading() as tx:
            whole = notebook(tx, head_of(tx, self._branch).ref, self.live())
        self._hub.publish(self._branch, NotebookChanged(notebook=whole))
        self._published = {view.handle: view for view in whole.cells}
        return whole

    def _publish(self) -> None:
        """Tell the listeners which cells of the head changed since they were last told."""
        if not self._hub.has_listeners(self._branch):
            self._published = {}
            return
        with self._bench.store.reading() as tx:
            version = head_of(tx, self._branch)
            views = cell_views(tx, version, self.live())
        for view in views:
            if self._published.get(view.handle) != view:
                self._hub.publish(self._branch, CellChanged(number=version.ref.number, cell=view))
        self._published = {view.handle: view for view in views}


def _tell(refused: list[Callable[[], None]]) -> None:
    """That a slot is free; those who are told see to their own failures."""
    for when_free in refused:
        when_free()


def _waits(step: Step) -> bool:
    return isinstance(step, Needed | Waiting) or (isinstance(step, Settled) and not step.is_certain)


def _writer(step: Step, order: Mapping[CellHandle, int]) -> CellHandle | None:
    """The first cell that it waits for."""
    return min(step.writers, key=order.__getitem__) if isinstance(step, Waiting) else None
