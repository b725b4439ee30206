"""How cells stand: every change is told, and is one that the table of states allows."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tests.support.server import eventually
from tests.workflow.book import Book
from tests.workflow.schedules import problem
from trailbook.model.base import BranchId, CellHandle
from trailbook.model.edits import FreezeCells
from trailbook.model.runs import NEXT_STATES, CellState
from trailbook.settings import Settings
from trailbook.workflow.events import CellChanged, Event, Hub, NotebookChanged
from trailbook.workflow.workbench import Workbench

ARCHITECTURE = Path(__file__).parents[2] / "docs" / "architecture.md"
GATED = "import posix, time\nwhile not posix.access({!r}, 0): time.sleep(0.02)\n{}"

Change = tuple[CellState, CellState]


class Watching(Hub):
    """Notes how each cell was told to stand, and from what to what it changed within a version."""

    def __init__(self) -> None:
        super().__init__()
        self.told: dict[BranchId, dict[CellHandle, CellState]] = {}
        self.changes: set[Change] = set()
        self._numbers: dict[BranchId, int] = {}

    def has_listeners(self, branch: BranchId) -> bool:
        return True

    def publish(self, branch: BranchId, event: Event) -> None:
        match event:
            case NotebookChanged(notebook=notebook):
                cells, number = notebook.cells, notebook.ref.number
                before = self.told.get(branch, {}) if self._numbers.get(branch) == number else {}
                self.told[branch] = {cell.handle: cell.state for cell in cells}
            case CellChanged(cell=cell, number=number):
                cells, before = (cell,), dict(self.told[branch]) if self._numbers[branch] == number else {}
                self.told[branch][cell.handle] = cell.state
            case _:
                return
        self._numbers[branch] = number
        known = [(before[cell.handle], cell.state) for cell in cells if cell.handle in before]
        self.changes |= {(one, other) for one, other in known if one is not other}


@pytest.fixture
def bench(settings: Settings) -> Iterator[Workbench]:
    """No Spark: only Python."""
    bench = Workbench(replace(settings, workers=4))
    bench.hub = Watching()
    yield bench
    bench.close()


@pytest.fixture
def book(bench: Workbench) -> Book:
    return Book(bench)


def forbidden(bench: Workbench) -> set[Change]:
    assert isinstance(bench.hub, Watching)
    return {(before, after) for before, after in bench.hub.changes if after not in NEXT_STATES[before]}


def assert_told(book: Book) -> None:
    """That those who listened know how the cells stand."""
    assert isinstance(book.bench.hub, Watching)
    states = {cell.handle: cell.state for cell in book.bench.head(book.branch).cells}
    assert book.bench.hub.told[book.branch] == states


def test_the_table_is_the_one_in_the_documentation() -> None:
    rows = re.findall(r"^\| (\w+) \| [^|]+ \| ([\w, ]+) \|$", ARCHITECTURE.read_text("utf-8"), re.MULTILINE)
    written = {state: frozenset(following.split(", ")) for state, following in rows if state in list(CellState)}
    assert written == {str(state): frozenset(map(str, following)) for state, following in NEXT_STATES.items()}


def test_whatever_happens_to_cells_is_told_and_follows_the_table(book: Book, tmp_path: Path) -> None:
    gate = tmp_path / "gate"
    first = book.add("python", code=GATED.format(str(gate), "a = 1"))
    second = book.add("python", code="b = a")
    third = book.add("python", code="c = b")
    book.is_running(first)
    eventually(lambda: book.cell(third).waits_for, lambda other: other == second)
    book.bench.cancel(book.branch, [third])
    assert book.settled(third).state is CellState.CANCELLED
    gate.touch()
    assert book.rest() == [CellState.DONE, CellState.DONE, CellState.CANCELLED]
    book.update(first, code="raise ValueError")
    assert book.rest()[0] is CellState.ERROR
    book.edit(FreezeCells(handles=(second,), frozen=True))
    book.update(first, code="a = 2")
    book.bench.run(book.branch, [third], False, book.person)
    book.rest()
    book.undo()
    book.rest()
    book.bench.cancel(book.branch, None)
    assert_told(book)
    assert forbidden(book.bench) == set()


def test_a_cell_that_is_called_off_stays_so_until_somebody_asks(book: Book, tmp_path: Path) -> None:
    gate = tmp_path / "gate"
    first = book.add("python", code=GATED.format(str(gate), "a = 1"))
    second = book.add("python", code="b = a")
    book.is_running(first)
    book.bench.cancel(book.branch, [second])
    gate.touch()
    book.settled(first)
    book.add("markdown", text="an edit")
    assert book.rest() == [CellState.DONE, CellState.CANCELLED, CellState.DONE]
    run = book.cell(second).run
    assert run
    assert run.error
    assert run.error.message == "The cell was cancelled before it started."
    book.bench.run(book.branch, [second], False, book.person)
    assert book.rest() == [CellState.DONE] * 3


@pytest.mark.parametrize("seed", range(4))
def test_random_notebooks_follow_the_table(bench: Workbench, seed: int) -> None:
    assert problem(bench, seed) is None
    assert forbidden(bench) == set()
