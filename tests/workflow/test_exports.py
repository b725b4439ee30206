"""An Export cell acts on the world: once for what it reads, and not before that is certain."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tests.workflow.book import Book
from trailbook.model.base import CellHandle
from trailbook.model.runs import CellState
from trailbook.settings import Settings
from trailbook.workflow.workbench import Workbench

FRAME = "import pandas as pd\nsales = pd.DataFrame({'x': [%d]})"


@pytest.fixture
def bench(settings: Settings, tmp_path: Path) -> Iterator[Workbench]:
    """No Spark: what is written is not in doubt."""
    bench = Workbench(replace(settings, workers=4, folders=(tmp_path,)))
    yield bench
    bench.close()


@pytest.fixture
def book(bench: Workbench) -> Book:
    return Book(bench)


def run_id(book: Book, handle: CellHandle) -> str:
    view = book.settled(handle)
    assert view.run
    assert view.state is CellState.DONE, view.run.error
    return view.run.id


def test_it_writes_again_only_when_what_it_reads_has_changed(book: Book, tmp_path: Path) -> None:
    frame = book.add("python", code=FRAME % 1)
    path = tmp_path / "sales.csv"
    cell = book.add("export", dataset="sales", target=str(path), replace=True)
    first = run_id(book, cell)
    assert path.read_text() == "x\n1\n"
    path.write_text("somebody's own")
    book.add("markdown", text="An edit.")
    book.bench.run(book.branch, None, anew=False, person=book.person)
    assert run_id(book, cell) == first
    assert path.read_text() == "somebody's own"
    book.update(frame, code=FRAME % 2)
    book.rest()
    assert run_id(book, cell) != first
    assert path.read_text() == "x\n2\n"


def test_undo_writes_nothing(book: Book, tmp_path: Path) -> None:
    frame = book.add("python", code=FRAME % 1)
    path = tmp_path / "sales.csv"
    cell = book.add("export", dataset="sales", target=str(path), replace=True)
    first = run_id(book, cell)
    book.update(frame, code=FRAME % 2)
    book.rest()
    book.undo()
    book.rest()
    assert run_id(book, cell) == first
    assert path.read_text() == "x\n2\n"


def test_each_cell_writes_its_own(book: Book, tmp_path: Path) -> None:
    book.add("python", code=FRAME % 1)
    path = tmp_path / "sales.csv"
    cells = [book.add("export", dataset="sales", target=str(path), replace=True) for _ in range(2)]
    assert len({run_id(book, cell) for cell in cells}) == 2


def test_it_waits_for_code_that_might_still_change_the_dataset(book: Book, tmp_path: Path) -> None:
    book.settled(book.add("python", code=FRAME % 1))
    # Nobody can tell from the text whether that changes the frame.
    sly = book.add("python", code="import time\ntime.sleep(2)\npd.DataFrame.insert(sales, 1, 'y', 9)")
    book.is_running(sly)
    path = tmp_path / "sales.csv"
    cell = book.add("export", dataset="sales", target=str(path))
    book.rest()
    run_id(book, cell)
    assert path.read_text() == "x,y\n1,9\n"
