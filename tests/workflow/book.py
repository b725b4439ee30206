"""A notebook of an open workbench, edited and watched as a client would."""

from __future__ import annotations

from typing import Any

from tests.support.server import eventually
from trailbook.model.base import BranchId, CellHandle
from trailbook.model.edits import CellEdit, InsertCell, UpdateCell
from trailbook.model.notebook import VersionRef
from trailbook.model.runs import CellState, TextMessage
from trailbook.workflow.views import CellView
from trailbook.workflow.workbench import Workbench

ENDED = (CellState.DONE, CellState.ERROR, CellState.CANCELLED)


class Book:
    """The head of a branch of an open workbench."""

    def __init__(self, bench: Workbench, branch: str | None = None) -> None:
        self.bench = bench
        self.person = bench.person.id
        self.branch = BranchId(branch or bench.create_project("Project", self.person).branch)

    def edit(self, change: CellEdit) -> tuple[CellView, ...]:
        ref = VersionRef(branch=self.branch, number=self.bench.branch(self.branch).head)
        return self.bench.edit(ref, change, self.person, branch_name=None, at_head=True).cells

    def add(self, kind: str, **parameters: Any) -> CellHandle:
        cells = self.bench.head(self.branch).cells
        after = cells[-1].handle if cells else None
        return self.edit(InsertCell(kind=kind, after=after, parameters=parameters))[-1].handle

    def update(self, handle: CellHandle, **parameters: Any) -> None:
        self.edit(UpdateCell(handle=handle, parameters=parameters))

    def undo(self) -> None:
        self.bench.step(self.branch, self.bench.branch(self.branch).head, "undo", self.person)

    def cell(self, handle: CellHandle) -> CellView:
        return next(cell for cell in self.bench.head(self.branch).cells if cell.handle == handle)

    def is_running(self, handle: CellHandle) -> None:
        eventually(lambda: self.cell(handle), lambda cell: cell.state is CellState.RUNNING)

    def settled(self, handle: CellHandle) -> CellView:
        view: CellView = eventually(lambda: self.cell(handle), lambda cell: cell.state in ENDED)
        return view

    def rest(self) -> list[CellState]:
        """How the cells stand once the runner has nothing more to do."""
        runner = self.bench._runner(self.branch)
        eventually(runner.live, lambda live: not live.active)
        return [cell.state for cell in self.bench.head(self.branch).cells]

    def printed(self, handle: CellHandle) -> str:
        self.settled(handle)
        return self.shown(handle)

    def shown(self, handle: CellHandle) -> str:
        """What the last run of a cell printed, whether it is still right or not."""
        run = self.cell(handle).run
        assert run
        return "".join(message.text for message in run.messages if isinstance(message, TextMessage))
