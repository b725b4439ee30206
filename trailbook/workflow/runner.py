"""Keeping a branch's head up to date: cells run side by side, and end as if they had run one after the other.

Whatever has to be known is read anew from the store at each step, so nothing needs special care: not an edit while
cells run, not a cell that reads or writes something else than was expected. A cell goes on as long as what it has read
is what it would meet now; else it is cancelled, and runs again. One that asks for what is not written yet waits.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection

from trailbook.cells.scope import Scope
from trailbook.errors import CellCancelled
from trailbook.model.base import BranchId, CellHandle, Digest, PersonId, RunId, now
from trailbook.model.notebook import Cell, VersionRef
from trailbook.model.runs import FILE_READ, Message, Progress, Run
from trailbook.store import runs
from trailbook.workflow.events import CellChanged, Hub, MessageAdded, NotebookChanged, ProgressMade
from trailbook.workflow.execution import Bench, Execution
from trailbook.workflow.resolve import Blocked, Needed, Settled, Step, Waiting
from trailbook.workflow.standing import Standing, Wish, head_of, settle_head
from trailbook.workflow.views import CellView, Live, Notebook, cell_views, notebook

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Task:
    """A cell of the head that has to run, with all that decides what it will do."""

    ref: VersionRef
    cell: Cell
    scope: Scope
    anew: datetime | None
    twin: Run | None = None

    def is_same_work(self, other: Task | None) -> bool:
        return other is not None and (self.cell, self.scope, self.anew) == (other.cell, other.scope, other.anew)


class Running:
    """A task while it is executed. It has a slot, unless it waits for what `awaits` will name."""

    def __init__(self, task: Task, wakes: int) -> None:
        self.task = task
        self.wakes = wakes
        self.execution: Execution
        self.thread: threading.Thread
        self.awaits: str | None = None
        self.is_superseded = False
        self.has_ended = False


class BranchRunner:
    """The one who runs the cells of a branch, each in a thread of its own."""

    def __init__(self, bench: Bench, hub: Hub, branch: BranchId) -> None:
        self._bench = bench
        self._hub = hub
        self._branch = branch
        self._lock = threading.RLock()
        self._changed = threading.Condition(self._lock)
        self._person: PersonId | None = None
        """On whose behalf cells run; nobody after everything was cancelled."""
        self._wanted: frozenset[CellHandle] | None = None
        """The cells that are to run, with those they need; None for all."""
        self._standing: Standing | None = None
        self._running: dict[CellHandle, Running] = {}
        self._wakes = 0
        self._finished: dict[CellHandle, Task] = {}
        """What ran for this wake is not run again, even if its own result does not settle it."""
        self._fresh: set[RunId] = set()
        """The runs for this wake. The next wake looks whether the files they read have changed."""
        self._anew: dict[CellHandle, datetime] = {}
        self._lacks_slot = False
        self._published: dict[CellHandle, CellView] = {}

    def live(self) -> Live:
        with self._lock:
            steps = self._standing.steps if self._standing else {}
            is_idle = not self._running and (self._person is None or not self._lacks_slot)
            return Live(
                running={handle: running.execution.run for handle, running in self._running.items()},
                waiting={} if is_idle else {handle: _writer(step) for handle, step in steps.items() if _waits(step)},
                blocked={handle: step.by for handle, step in steps.items() if isinstance(step, Blocked)},
            )

    def wake(
        self, person: PersonId, anew: Collection[CellHandle] = (), wanted: Collection[CellHandle] | None = None
    ) -> Notebook:
        """The head moved, or somebody wants it run: look what is to do. Cells in `anew` run even if they need not."""
        with self._lock:
            self._person = person
            self._wanted = None if wanted is None else frozenset(wanted)
            self._wakes += 1
            self._finished.clear()
            self._fresh.clear()
            self._anew.update(dict.fromkeys(anew, now()))
            self._look()
            return self._publish_notebook()

    def cancel(self, cells: Collection[CellHandle] | None = None) -> None:
        """Stop those of `cells` that run; None stops all, and whatever waits behind them."""
        with self._lock:
            if cells is None:
                self._person = None
                self._anew.clear()
            for handle, running in self._running.items():
                if cells is None or handle in cells:
                    self._stop(running)

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
                self._person = None
            self._publish()

    def _look(self) -> None:
        """Stop what is no longer right, let those go on that wait for what is there now, and start what can start."""
        wish = Wish(self._bench.environment, self._anew, self._fresh)
        standing = self._standing = settle_head(self._bench.store, self._branch, wish)
        for running in self._running.values():
            if not self._is_right(running, standing):
                running.is_superseded = True
                self._stop(running)
        for running in self._running.values():
            if running.awaits and self._is_known(running) and self._take_slot():
                running.awaits = None
        self._changed.notify_all()
        self._lacks_slot = False
        for task in self._startable(standing):
            self._lacks_slot = not self._take_slot()
            if self._lacks_slot:
                break
            self._start(task)

    def _take_slot(self) -> bool:
        return self._bench.slots.take(self._advance)

    def _is_right(self, running: Running, standing: Standing) -> bool:
        """Whether a running cell has to run, and has read nothing but what it would meet if it started now."""
        task = running.task
        step = standing.steps.get(task.cell.handle)
        if not isinstance(step, Needed | Waiting) or standing.cells[task.cell.handle] != task.cell:
            return False
        reads = {name: id for name, id in running.execution.reads.items() if not name.startswith(FILE_READ)}
        is_met = all(step.scope.writer(name) is None and step.scope.identity(name) == id for name, id in reads.items())
        return is_met and self._anew.get(task.cell.handle) == task.anew

    def _is_known(self, running: Running) -> bool:
        scope = self._scope_of(running)
        return running.awaits is not None and scope is not None and scope.writer(running.awaits) is None

    def _scope_of(self, running: Running) -> Scope | None:
        """The names as they are now for a cell that runs; nothing if it should not."""
        step = self._standing.steps.get(running.task.cell.handle) if self._standing else None
        return step.scope if isinstance(step, Needed | Waiting) else None

    def _startable(self, standing: Standing) -> Iterator[Task]:
        """What can start, in notebook order. Of cells that are the same, the first has to show what they do."""
        if self._person is None:
            return
        wanted = self._needed(standing)
        specs: set[Digest] = set()
        for handle, step in standing.steps.items():
            cell = standing.cells[handle]
            if handle not in self._running and isinstance(step, Needed) and handle in wanted:
                task = Task(standing.version.ref, cell, step.scope, self._anew.get(handle), step.twin)
                if cell.spec.hash not in specs and not task.is_same_work(self._finished.get(handle)):
                    specs.add(cell.spec.hash)
                    yield task
            elif handle in self._running:
                specs.add(cell.spec.hash)

    def _needed(self, standing: Standing) -> Collection[CellHandle]:
        """The wanted cells, and those whose results they need, or might need."""
        if self._wanted is None:
            return standing.steps.keys()
        needed: set[CellHandle] = set()
        left = [handle for handle in self._wanted if handle in standing.steps]
        while left:
            handle = left.pop()
            if handle not in needed:
                needed.add(handle)
                left += self._needs(handle, standing.steps[handle])
        return needed

    def _needs(self, handle: CellHandle, step: Step) -> Collection[CellHandle]:
        """The unfinished cells that a cell waits for, or that could change what it read."""
        running = self._running.get(handle)
        if isinstance(step, Needed | Waiting) and running and running.awaits:
            writer = step.scope.writer(running.awaits)
            return [writer] if writer else []
        if isinstance(step, Waiting):
            return step.writers
        return step.shaken_by if isinstance(step, Settled) else ()

    def _start(self, task: Task) -> None:
        assert self._person
        running = Running(task, self._wakes)
        running.execution = self._execution(running, self._person)
        running.thread = threading.Thread(
            target=self._execute, args=(running,), name=f"cell-{task.cell.handle}", daemon=True
        )
        self._running[task.cell.handle] = running
        running.thread.start()

    def _execution(self, running: Running, person: PersonId) -> Execution:
        task = running.task
        number, handle = task.ref.number, task.cell.handle

        def on_message(run: RunId, message: Message) -> None:
            self._hub.publish(self._branch, MessageAdded(number=number, handle=handle, run=run, message=message))

        def on_progress(run: RunId, progress: Progress) -> None:
            self._hub.publish(self._branch, ProgressMade(number=number, handle=handle, run=run, progress=progress))

        return Execution(
            self._bench,
            task.cell,
            task.scope,
            person,
            twin=task.twin,
            on_message=on_message,
            on_progress=on_progress,
            await_name=lambda name: self._await_name(running, name),
        )

    def _stop(self, running: Running) -> None:
        running.execution.cancel()
        self._changed.notify_all()

    def _execute(self, running: Running) -> None:
        run = running.execution.execute(lambda tx, run: self._record(tx, running, run))
        task, handle = running.task, running.task.cell.handle
        with self._lock:
            running.has_ended = True
            has_slot = running.awaits is None
            self._changed.notify_all()
            self._running.pop(handle)
            if running.wakes == self._wakes:
                self._fresh.add(run.id)
                self._finished[handle] = task
            if not running.is_superseded and self._anew.get(handle) == task.anew:
                self._anew.pop(handle, None)
        if has_slot:
            self._bench.slots.give_back()
        self._advance()

    def _await_name(self, running: Running, name: str) -> Scope:
        """For a running cell: wait until it is known what the name means, without keeping others from running."""
        with self._lock:
            running.awaits = name
        self._bench.slots.give_back()
        self._advance()
        with self._changed:
            self._changed.wait_for(
                lambda: running.awaits is None or running.has_ended or running.execution.is_cancelled
            )
            scope = self._scope_of(running)
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
        if head.ref != task.ref and task.cell in head.cells:
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


def _waits(step: Step) -> bool:
    return isinstance(step, Needed | Waiting) or (isinstance(step, Settled) and not step.is_certain)


def _writer(step: Step) -> CellHandle | None:
    return min(step.writers) if isinstance(step, Waiting) else None
