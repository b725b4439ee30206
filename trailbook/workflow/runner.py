"""Keeping a branch's head up to date: its cells run one after the other, in notebook order.

Whatever has to be known is read anew from the store at each step, so an edit while a cell runs needs no special
care: if the running cell is still the one to run, with the same scope, it goes on; else it is cancelled.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import chain

from sqlalchemy import Connection

from trailbook.cells.scope import Scope
from trailbook.model.artifacts import ArtifactState
from trailbook.model.base import ArtifactId, BranchId, CellHandle, Digest, PersonId, RunId, now
from trailbook.model.notebook import Cell, Version, VersionRef
from trailbook.model.runs import CellState, Message, Progress, Run
from trailbook.store import artifacts, branches, runs, versions
from trailbook.store.runs import Result
from trailbook.workflow.environment import file_digest
from trailbook.workflow.events import CellChanged, Hub, MessageAdded, NotebookChanged, ProgressMade
from trailbook.workflow.execution import Bench, Execution
from trailbook.workflow.resolve import Blocked, Needed, PastRuns, Settled, Step, resolve
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


class BranchRunner:
    """The one who runs the cells of a branch, in a thread that lives while there is something to do."""

    def __init__(self, bench: Bench, hub: Hub, branch: BranchId) -> None:
        self._bench = bench
        self._hub = hub
        self._branch = branch
        self._lock = threading.RLock()
        self._thread: threading.Thread | None = None
        self._person: PersonId | None = None
        """On whose behalf cells run; nobody after everything was cancelled."""
        self._task: Task | None = None
        self._wakes = 0
        self._finished: Task | None = None
        """Never run twice in a row for one wake, even if its own result does not settle it."""
        self._fresh: set[RunId] = set()
        """The runs for this wake. The next wake looks whether the files they read have changed."""
        self._execution: Execution | None = None
        self._superseded = False
        self._blocked: dict[CellHandle, CellHandle] = {}
        self._anew: dict[CellHandle, datetime] = {}
        self._published: dict[CellHandle, CellView] = {}

    def live(self) -> Live:
        with self._lock:
            running = self._execution.run if self._execution else None
            return Live(running, self._thread is not None, dict(self._blocked))

    def wake(self, person: PersonId, anew: Collection[CellHandle] = ()) -> Notebook:
        """The head moved, or somebody wants it run: look what is to do. Cells in `anew` run even if they need not."""
        with self._lock:
            self._person = person
            self._wakes += 1
            self._finished = None
            self._fresh.clear()
            self._anew.update(dict.fromkeys(anew, now()))
            task = self._next_task()
            if self._task and self._execution and not self._task.is_same_work(task):
                self._superseded = True
                self._execution.cancel()
            if task and self._thread is None:
                self._thread = threading.Thread(target=self._work, name=f"runner-{self._branch}", daemon=True)
                self._thread.start()
            return self._publish_notebook()

    def cancel(self, cells: Collection[CellHandle] | None = None) -> None:
        """Stop the running cell if it is one of `cells`; None stops it and whatever waits behind it."""
        with self._lock:
            if cells is None:
                self._person = None
                self._anew.clear()
            if self._task and self._execution and (cells is None or self._task.cell.handle in cells):
                self._execution.cancel()

    def close(self) -> None:
        """Cancel everything and wait until it has ended."""
        self.cancel()
        thread = self._thread
        if thread:
            thread.join(timeout=10)

    def _work(self) -> None:
        try:
            while self._run_next():
                pass
        except Exception:
            log.exception("the runner of branch %s gave up", self._branch)
            with self._lock:
                self._thread = self._execution = self._task = None
                self._publish()

    def _run_next(self) -> bool:
        with self._lock:
            task = self._next_task()
            if task is None or self._person is None or task.is_same_work(self._finished):
                self._thread = None
                self._publish()
                return False
            execution = self._start(task, self._person)
            self._task, self._execution, self._superseded = task, execution, False
            wakes = self._wakes
            self._publish()
        run = execution.execute(self._record)
        with self._lock:
            self._task = self._execution = None
            if wakes == self._wakes:
                self._finished = task
                self._fresh.add(run.id)
            if not self._superseded and self._anew.get(run.cell) == task.anew:
                self._anew.pop(run.cell, None)
        return True

    def _start(self, task: Task, person: PersonId) -> Execution:
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
        )

    def _record(self, tx: Connection, run: Run) -> None:
        """The run is the result of its cell in the version it was started for.

        In another head that has the cell it is a result, too, but what the cell reads may differ there.
        """
        if self._task is None or (self._superseded and run.state is CellState.CANCELLED):
            return
        runs.set_result(tx, self._task.ref, run.cell, run.id, current=True)
        head = self._head(tx)
        if head.ref != self._task.ref and self._task.cell in head.cells:
            runs.set_result(tx, head.ref, run.cell, run.id, current=False)

    def _head(self, tx: Connection) -> Version:
        return versions.get(tx, VersionRef(branch=self._branch, number=branches.get(tx, self._branch).head))

    def _next_task(self) -> Task | None:
        """Settle the cells of the head that past runs stand for; the first other one is what to run."""
        settled = False
        while not settled:
            with self._bench.store.reading() as tx:
                version = self._head(tx)
                results = runs.results(tx, version.ref)
                past = self._past_runs(tx, version, results)
            # It may read large files, for which other branches' writers should not have to wait.
            pairs = list(zip(version.cells, resolve(version.cells, past), strict=True))
            with self._bench.store.writing() as tx:
                settled = self._head(tx).ref == version.ref and runs.results(tx, version.ref) == results
                for cell, step in pairs if settled else ():
                    _settle(tx, version.ref, cell, step, results.get(cell.handle))
        self._blocked = {cell.handle: step.by for cell, step in pairs if isinstance(step, Blocked)}
        for cell, step in pairs:
            if isinstance(step, Needed):
                return Task(version.ref, cell, step.scope, self._anew.get(cell.handle), step.twin)
        return None

    def _past_runs(self, tx: Connection, version: Version, results: Mapping[CellHandle, Result]) -> PastRuns:
        others: dict[Digest, list[Run]] = {}
        for run in runs.candidates(tx, {cell.spec.hash for cell in version.cells}, self._bench.environment):
            others.setdefault(run.spec, []).append(run)
        last = {handle: result.run for handle, result in results.items()}
        own = {handle: run for handle, run in last.items() if run.environment == self._bench.environment}
        every = list(chain(own.values(), *others.values()))
        made = {id for run in every for id in run.made}
        known = artifacts.many(tx, made | {ArtifactId(id) for run in every for id in run.reads.values() if id})
        present = {id for id in made if id in known and known[id].state is ArtifactState.PRESENT}

        def usable(handle: CellHandle, run: Run) -> bool:
            return run.started >= self._anew.get(handle, run.started) and present.issuperset(run.made)

        def data(id: str) -> str | None:
            artifact = known.get(ArtifactId(id))
            return artifact.data if artifact else None

        specs = versions.specs(tx, {run.spec for run in own.values()})
        return PastRuns(own, others, usable, file_digest, frozenset(self._fresh), data, specs)

    def _publish_notebook(self) -> Notebook:
        """Tell the listeners how the whole head stands."""
        with self._bench.store.reading() as tx:
            whole = notebook(tx, self._head(tx).ref, self.live())
        self._hub.publish(self._branch, NotebookChanged(notebook=whole))
        self._published = {view.handle: view for view in whole.cells}
        return whole

    def _publish(self) -> None:
        """Tell the listeners which cells of the head changed since they were last told."""
        if not self._hub.has_listeners(self._branch):
            self._published = {}
            return
        with self._bench.store.reading() as tx:
            version = self._head(tx)
            views = cell_views(tx, version, self.live())
        for view in views:
            if self._published.get(view.handle) != view:
                self._hub.publish(self._branch, CellChanged(number=version.ref.number, cell=view))
        self._published = {view.handle: view for view in views}


def _settle(tx: Connection, ref: VersionRef, cell: Cell, step: Step, known: Result | None) -> None:
    """Store what was found out about a cell, if that is news."""
    if isinstance(step, Settled):
        if step.run and not (known and known.current and known.run.id == step.run.id):
            runs.set_result(tx, ref, cell.handle, step.run.id, current=True)
    elif known and known.current:
        runs.set_result(tx, ref, cell.handle, known.run.id, current=False)
