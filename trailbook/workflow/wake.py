"""What somebody wants done in a branch, and which cells can start for it."""

from __future__ import annotations

import threading
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from trailbook.cells.kind import uses_packages
from trailbook.cells.scope import Scope
from trailbook.model.base import CellHandle, Digest, PersonId, RunId
from trailbook.model.notebook import Cell, VersionRef
from trailbook.model.packages import NO_PACKAGES, Packages
from trailbook.model.runs import OUTSIDE_READS, TAKEN_IN, Run
from trailbook.workflow.resolve import Needed, Settled, Step, Waiting
from trailbook.workflow.standing import Standing
from trailbook.workflow.work import Executing


@dataclass(frozen=True)
class Task:
    """A cell of the head that has to run, with all that decides what it will do."""

    ref: VersionRef
    cell: Cell
    scope: Scope
    anew: datetime | None
    packages: Packages = NO_PACKAGES
    twin: Run | None = None
    may_change: frozenset[str] | None = frozenset()

    @property
    def _work(self) -> tuple[object, ...]:
        return self.cell, self.scope, self.anew, self.packages

    def is_same_work(self, other: Task | None) -> bool:
        return other is not None and self._work == other._work


class Running:
    """A task while it is executed. It has a slot, unless it `awaits` a name."""

    def __init__(self, task: Task, wake: Wake) -> None:
        self.task = task
        self.wake = wake
        self.execution: Executing
        self.thread: threading.Thread
        self.awaits: str | None = None
        self.is_superseded = False
        self.has_ended = False

    @property
    def handle(self) -> CellHandle:
        return self.task.cell.handle

    def is_right(self, standing: Standing) -> bool:
        """Whether the cell has to run, and has read nothing but what it would meet if it started now."""
        scope = self.scope_in(standing)
        if scope is None or standing.cells[self.handle] != self.task.cell or not self._has_packages(standing):
            return False
        own = (*OUTSIDE_READS, *TAKEN_IN)
        reads = {name: id for name, id in self.execution.reads.items() if not name.startswith(own)}
        return all(scope.writer(name) is None and scope.identity(name) == id for name, id in reads.items())

    def _has_packages(self, standing: Standing) -> bool:
        """Whether it runs with those that it should."""
        return standing.version.packages == self.task.packages or not uses_packages(self.task.cell.spec)

    def scope_in(self, standing: Standing) -> Scope | None:
        """The names as they are now for the cell; nothing if it should not run."""
        step = standing.steps.get(self.handle)
        return step.scope if isinstance(step, Needed | Waiting) else None

    def can_go_on(self, standing: Standing) -> bool:
        """Whether it is known now what the name means that it awaits."""
        scope = self.scope_in(standing)
        return self.awaits is not None and scope is not None and scope.writer(self.awaits) is None


@dataclass
class Wake:
    """What a person wants done, and what was done of it: a new one each time the head moves or somebody asks."""

    person: PersonId | None = None
    """On whose behalf cells run; nobody after everything was cancelled."""
    wanted: frozenset[CellHandle] | None = None
    """The cells that are to run, with those they need; None for all."""
    finished: dict[CellHandle, Task] = field(default_factory=dict)
    """Not done again, even if its own result does not settle it."""
    fresh: set[RunId] = field(default_factory=set)
    """Whether the files that these runs read have changed is looked at in the next wake."""
    read_too_early: dict[CellHandle, Collection[str]] = field(default_factory=dict)
    """What cells read that were stopped; before they run again, those names must be written."""

    def tasks(
        self, standing: Standing, running: Mapping[CellHandle, Running], anew: Mapping[CellHandle, datetime]
    ) -> Iterator[Task]:
        """What can start, in notebook order. Of cells that are the same, the first has to show what they do."""
        wanted = self._needed(standing, running) if self.person else ()
        specs: set[Digest] = set()
        for handle, step in standing.steps.items():
            cell = standing.cells[handle]
            if handle in running:
                specs.add(cell.spec.hash)
            elif isinstance(step, Needed) and handle in wanted:
                version = standing.version
                task = Task(
                    version.ref, cell, step.scope, anew.get(handle), version.packages, step.twin, step.may_change
                )
                is_done = task.is_same_work(self.finished.get(handle))
                if cell.spec.hash not in specs and not is_done and not self._awaited(handle, step.scope):
                    specs.add(cell.spec.hash)
                    yield task

    def _needed(self, standing: Standing, running: Mapping[CellHandle, Running]) -> Collection[CellHandle]:
        """The wanted cells, and those whose results they need, or might need."""
        if self.wanted is None:
            return standing.steps.keys()
        needed: set[CellHandle] = set()
        left = [handle for handle in self.wanted if handle in standing.steps]
        while left:
            handle = left.pop()
            if handle not in needed:
                needed.add(handle)
                awaits = running[handle].awaits if handle in running else None
                left += self._needs(handle, standing.steps[handle], awaits)
        return needed

    def _needs(self, handle: CellHandle, step: Step, awaits: str | None) -> Collection[CellHandle]:
        """The unfinished cells that a cell waits for, or that could change what it read."""
        match step:
            case Needed(scope=scope) | Waiting(scope=scope) if awaits:
                return [writer for writer in [scope.writer(awaits)] if writer]
            case Needed(scope=scope):
                return self._awaited(handle, scope)
            case Waiting(writers=writers):
                return writers
            case Settled(shaken_by=above):
                return above
        return ()

    def _awaited(self, handle: CellHandle, scope: Scope) -> Collection[CellHandle]:
        """The unfinished cells above that write what the cell read too early."""
        return [writer for name in self.read_too_early.get(handle, ()) if (writer := scope.writer(name))]
