"""What an execution is given, wherever it takes place: the work, and those who are told how it goes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from sqlalchemy import Connection

from trailbook.cells.scope import Scope
from trailbook.errors import CellCancelled
from trailbook.model.base import BranchId, Digest, PersonId, RunId, new_id, now
from trailbook.model.notebook import Cell
from trailbook.model.packages import NO_PACKAGES, Packages
from trailbook.model.runs import CellError, CellState, LiveMessage, Progress, Run

Settle = Callable[[Connection, Run], None]


@dataclass(frozen=True)
class Work:
    """A cell of a branch that is to run, with all that decides what it will do. `run` is how its run begins."""

    run: Run
    branch: BranchId
    cell: Cell
    scope: Scope
    twin: Run | None = None
    may_change: frozenset[str] | None = frozenset()
    packages: Packages = NO_PACKAGES


@dataclass(frozen=True)
class Listener:
    """Who is told what a run says and reads, and asked what a name means that a cell above is still to write."""

    on_message: Callable[[RunId, LiveMessage], None]
    on_progress: Callable[[RunId, Progress], None]
    on_read: Callable[[str, str | None], None]
    await_name: Callable[[str], Scope]


class Executing(Protocol):
    """One run while it lasts, here or elsewhere."""

    @property
    def run(self) -> Run:
        """What can be told of it at this moment."""

    @property
    def reads(self) -> dict[str, str | None]:
        """What it has read so far."""

    @property
    def is_cancelled(self) -> bool: ...

    def cancel(self) -> None:
        """From another thread: have it end soon. Does not wait for that."""

    def execute(self, settle: Settle) -> Run:
        """Run the cell to its end. `settle(tx, run)` is called in the transaction that records the end."""


def begin(cell: Cell, environment: Digest, person: PersonId) -> Run:
    """A run that starts now."""
    return Run(
        id=RunId(new_id()),
        cell=cell.handle,
        spec=cell.spec.hash,
        environment=environment,
        person=person,
        state=CellState.RUNNING,
        started=now(),
    )


def called_off(run: Run) -> Run:
    """A run that somebody cancelled before it started."""
    error = CellError(code=CellCancelled.code, message="The cell was cancelled before it started.")
    return run.model_copy(update={"state": CellState.CANCELLED, "finished": run.started, "error": error})
