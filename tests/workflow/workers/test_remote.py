"""Cells that run on other machines do there what they would do here."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import pytest

from tests.support.seeds import FRESH
from tests.support.server import eventually
from tests.workflow.book import Book
from tests.workflow.schedules import problem
from tests.workflow.workers.processes import Flags, Staff, WorkerProcess
from trailbook.engine import Engine
from trailbook.model.runs import CellState, Progress
from trailbook.settings import Settings
from trailbook.workflow.events import Event, ProgressMade
from trailbook.workflow.workbench import Workbench

CELLS = (
    "import pandas as pd\nframe = pd.DataFrame({'a': [1, 2, 3]})\nprint('made')",
    "def double(x): return 2 * x\nbig = 'x' * 200_000\nnumbers = [1, 2]",
    "numbers.append(double(3))\nopen('note.txt', 'w').write('kept')\nframe",
    "print(numbers, len(big), int(frame.a.sum()), open('note.txt').read(), 'nowhere' in globals())",
    "1 / 0",
    "del big",
)


def outcome(book: Book) -> list[object]:
    """All that the cells did, but for when and under which id."""
    states = book.rest()
    runs = [cell.run for cell in book.bench.head(book.branch).cells if cell.run]
    # What the import of a library looks at depends on what was loaded before.
    reads = [{name: id for name, id in run.reads.items() if name.isidentifier()} for run in runs]
    return [states, reads, *((run.writes, run.deletes, run.messages, run.error) for run in runs)]


def test_a_notebook_gives_on_two_workers_what_it_gives_here(book: Book, staff: Staff, tmp_path: Path) -> None:
    bench = Workbench(Settings(data=tmp_path / "here", java="no-such-java"))
    here = Book(bench)
    for code in CELLS:
        book.add("python", code=code)
        here.add("python", code=code)
    expected = outcome(here)
    bench.close()
    assert outcome(book) == expected
    assert expected[0] == [CellState.DONE] * 4 + [CellState.ERROR, CellState.DONE]


def test_cells_run_on_several_workers_at_once_and_are_heard_while_they_run(
    book: Book, staff: Staff, flags: Flags
) -> None:
    who = "import os; print(os.getppid(), flush=True)"
    one = book.add("python", code=flags.cell(who, "reach('one'); wait_for('two')"))
    two = book.add("python", code=flags.cell(who, "reach('two'); wait_for('one'); wait_for('end')"))
    eventually(lambda: book.cell(two).run, lambda run: run is not None and bool(run.messages))
    flags.set("end")
    assert book.rest() == [CellState.DONE] * 2
    assert book.printed(one) != book.printed(two)


def test_a_reader_that_waits_for_a_writer_leaves_it_the_only_place(
    book: Book, staff: Staff, flags: Flags, blind_forecasts: None
) -> None:
    staff.fill(1)
    book.add("python", code=flags.cell("reach('begun')", "wait_for('go')", "x = 1"))
    flags.reached("begun")
    # The writer can't start before there is x. The reader, of which nobody knows what it reads, is next in the queue.
    book.add("python", code="secret = x + 1")
    reader = book.add("python", code="print(secret)")
    book.is_running(reader)
    flags.set("go")
    assert book.printed(reader) == "2\n"
    assert book.rest() == [CellState.DONE] * 3


@pytest.mark.parametrize("seed", range(FRESH, FRESH + 2))
def test_random_notebooks_end_as_in_a_serial_run(bench: Workbench, staff: Staff, seed: int) -> None:
    assert (found := problem(bench, seed)) is None, f"seed {seed}\n{found}"


def test_a_cell_is_cancelled_wherever_it_runs(book: Book, staff: Staff, flags: Flags) -> None:
    cell = book.add("python", code=flags.cell("reach('begun')", "wait_for('never')"))
    flags.reached("begun")
    book.bench.cancel(book.branch, [cell])
    assert book.settled(cell).state is CellState.CANCELLED


def test_a_cell_that_no_worker_takes_says_so_and_can_be_cancelled(book: Book, staff: Staff, flags: Flags) -> None:
    heard: list[Event] = []
    with ExitStack() as pauses:
        for worker in staff.workers:
            pauses.enter_context(worker.paused())
        with book.bench.hub.listening(book.branch, heard.append):
            cell = book.add("python", code=flags.cell("reach('begun')"))
            told = eventually(lambda: [one.progress for one in heard if isinstance(one, ProgressMade)], bool)
        assert told[0] == Progress(label="No worker has taken this cell yet", done=0)
        assert book.cell(cell).state is CellState.RUNNING
        book.bench.cancel(book.branch, None)
        assert book.settled(cell).state is CellState.CANCELLED
    later = book.add("python", code="print('taken')")
    assert book.printed(later) == "taken\n"
    assert flags.said("begun") == []


def test_an_edit_ends_what_runs_elsewhere_and_is_wrong_now(book: Book, staff: Staff, flags: Flags) -> None:
    cell = book.add("python", code=flags.cell("reach('begun')", "wait_for('never')"))
    flags.reached("begun")
    book.update(cell, code="print('instead')")
    assert book.printed(cell) == "instead\n"


def test_a_query_runs_on_a_worker(postgres_settings: Settings, site: Settings, engine: Engine, tmp_path: Path) -> None:
    settings = replace(postgres_settings, broker=site.broker, spark=engine.url())
    bench = Workbench(settings)
    worker = WorkerProcess(settings, tmp_path / "worker.log").ready()
    try:
        book = Book(bench)
        view = book.settled(book.add("sql", query="SELECT explode(array(1, 2)) AS x", name="two"))
        assert view.state is CellState.DONE, view.run
        assert [(output.name, output.artifact.rows) for output in view.outputs] == [("two", 2)]
    finally:
        worker.kill()
        bench.close()
