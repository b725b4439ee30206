"""A runner keeps its branch's head up to date: it neither stalls nor loops, and stops when it is told to."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

import pytest
from sqlalchemy import select

from tests.support.server import eventually
from tests.workflow.book import Book
from trailbook.cells.context import RunContext
from trailbook.cells.kind import KINDS, CellKind
from trailbook.model.artifacts import ArtifactState
from trailbook.model.base import CellHandle
from trailbook.model.edits import InsertCell, UpdateCell
from trailbook.model.notebook import VersionRef
from trailbook.model.runs import CellState, DisplayMessage
from trailbook.settings import Settings
from trailbook.store import artifacts, runs, tables
from trailbook.store.outside import file_digest
from trailbook.workflow import environment, history
from trailbook.workflow.events import CellChanged, Event, NotebookChanged
from trailbook.workflow.views import CellView
from trailbook.workflow.workbench import Workbench

ENDLESS = "import time\nwhile True: time.sleep(0.05)"
SLOW_TO_STOP = """
import time
try:
    time.sleep(60)
except KeyboardInterrupt:
    time.sleep(1)
    raise
"""
FRAME = "import pandas as pd\n{} = pd.DataFrame({{'x': [{}]}})"


@pytest.fixture
def bench(settings: Settings) -> Iterator[Workbench]:
    """No Spark: only Python and text."""
    bench = Workbench(settings)
    yield bench
    bench.close()


@pytest.fixture
def book(bench: Workbench) -> Book:
    return Book(bench)


def run_ids(book: Book, *handles: CellHandle) -> list[str]:
    found = [book.settled(handle).run for handle in handles]
    return [run.id for run in found if run]


def test_only_what_an_edit_affects_runs_again(book: Book) -> None:
    first = book.add("python", code=FRAME.format("a", 1))
    reader = book.add("python", code="print(a.x[0])")
    other = book.add("python", code="print('other')")
    before = run_ids(book, first, reader, other)
    book.update(first, code=FRAME.format("a", 2))
    assert book.rest() == [CellState.DONE] * 3
    assert [new == old for new, old in zip(run_ids(book, first, reader, other), before, strict=True)] == [
        False,
        False,
        True,
    ]


def test_a_change_does_not_reach_a_name_that_holds_something_else_by_now(book: Book) -> None:
    book.add("python", code="a = [1]")
    shared = book.add("python", code="b = a")
    book.add("python", code="b.append(2)")
    last = book.add("python", code="print(a, b)")
    assert book.printed(last) == "[1, 2] [1, 2]\n"
    book.edit(InsertCell(kind="python", after=shared, parameters={"code": "a = 5"}))
    book.rest()
    assert book.printed(last) == "5 [1, 2]\n"


def test_an_instance_is_of_its_class_as_the_cells_left_it_that_came_to_a_good_end(book: Book) -> None:
    book.add("python", code="class Box:\n    made = 0")
    book.add("python", code="Box.made += 1\nbox = Box()")
    failing = book.add("python", code="Box.made += 1\n1 / 0")
    last = book.add("python", code="print(box.made)")
    assert book.printed(last) == "1\n"
    book.update(failing, code="Box.made += 1\ndel Box")
    assert book.printed(last) == "2\n"


def test_an_edit_that_is_undone_while_its_cell_is_still_stopping_leaves_nothing_undone(book: Book) -> None:
    marker = book.bench.settings.data / "second"
    code = f"import os\nif not os.path.exists({str(marker)!r}):\n    open({str(marker)!r}, 'w').close()"
    handle = book.add("python", code=code + "".join(f"\n    {line}" for line in SLOW_TO_STOP.strip().splitlines()))
    below = book.add("python", code="print('below')")
    book.is_running(handle)
    eventually(marker.exists, bool)
    book.update(handle, code="print('changed')")
    book.undo()
    assert book.settled(handle).state is CellState.DONE
    assert book.settled(below).state is CellState.DONE


def test_a_run_is_never_the_current_result_of_a_head_that_gives_its_cell_other_data(book: Book) -> None:
    first = book.add("python", code=FRAME.format("a", 1))
    reader = book.add("python", code="import time\ntime.sleep(1)\nprint(a.x[0])")
    book.is_running(reader)
    (old,) = [cell.run for cell in [book.cell(reader)] if cell.run]
    # The head moves, and whoever moved it is slow to tell the runner.
    ref = VersionRef(branch=book.branch, number=book.bench.branch(book.branch).head)
    change = UpdateCell(handle=first, parameters={"code": FRAME.format("a", 2)})
    with book.bench.store.writing() as tx:
        head = history.edit(tx, ref, change, book.person, at_head=True).ref
        runs.carry_results(tx, ref, head, current=False)
    assert book.rest() == [CellState.DONE] * 2
    results = tables.results
    query = select(results.c.current).where(
        results.c.branch == head.branch, results.c.number == head.number, results.c.run == old.id
    )
    with book.bench.store.reading() as tx:
        assert not any(tx.execute(query).scalars())


class Growing(CellKind):
    """Reads a file, which is longer as soon as it was read."""

    kind: ClassVar[str] = "growing"
    title: ClassVar[str] = "Growing"

    path: str

    def run(self, context: RunContext) -> None:
        context.reads[f"file:{self.path}"] = file_digest(self.path)
        with Path(self.path).open("a") as file:
            file.write("more\n")


@pytest.fixture
def growing() -> Iterator[None]:
    KINDS.add(Growing.kind, Growing)
    yield
    del KINDS._parts[Growing.kind]


@pytest.mark.usefixtures("growing")
def test_files_that_keep_changing_are_read_once_a_wake_and_hold_nothing_up(book: Book, tmp_path: Path) -> None:
    paths = [tmp_path / name for name in ("one", "two", "one")]
    cells = [book.add("growing", path=str(path)) for path in paths]
    last = book.add("python", code="print('reached')")
    assert book.rest() == [CellState.DONE] * 4
    before = run_ids(book, *cells, last)
    lengths = [len(path.read_text()) for path in paths]
    book.bench.run(book.branch, None, False, book.person)
    assert book.rest() == [CellState.DONE] * 4
    assert [new != old for new, old in zip(run_ids(book, *cells, last), before, strict=True)] == [True] * 3 + [False]
    grown = [len(path.read_text()) - length for path, length in zip(paths, lengths, strict=True)]
    # The third cell is the same as the first, whose run stands for both.
    assert grown == [5, 5, 5]


def test_undo_stops_the_cell_that_it_takes_away(book: Book) -> None:
    first = book.add("python", code="print('first')")
    book.settled(first)
    book.is_running(book.add("python", code=ENDLESS))
    book.undo()
    assert book.rest() == [CellState.DONE]


def test_deleting_a_project_stops_its_cells(book: Book) -> None:
    handle = book.add("python", code=f"x = 1\n{ENDLESS}")
    book.add("python", code="print(x)")
    book.is_running(handle)
    book.bench.delete_project(book.bench.branch(book.branch).project)
    assert book.rest() == [CellState.CANCELLED, CellState.STALE]


def test_closing_stops_the_cells_of_every_branch_and_records_it(settings: Settings) -> None:
    bench = Workbench(settings)
    books = [Book(bench), Book(bench)]
    handles = [book.add("python", code=ENDLESS) for book in books]
    for book, handle in zip(books, handles, strict=True):
        book.is_running(handle)
    bench.close()
    again = Workbench(settings)
    states = [Book(again, book.branch).cell(handle).state for book, handle in zip(books, handles, strict=True)]
    again.close()
    assert states == [CellState.CANCELLED] * 2


@pytest.fixture
def serial(settings: Settings) -> Iterator[Book]:
    bench = Workbench(replace(settings, workers=1))
    yield Book(bench)
    bench.close()


def test_what_waits_to_run_anew_is_left_alone_after_everything_was_cancelled(serial: Book) -> None:
    book = serial
    flag = book.bench.settings.data / "flag"
    slow = book.add("python", code=f"import os, time\nwhile os.path.exists({str(flag)!r}): time.sleep(0.05)")
    quick = book.add("python", code="print('quick')")
    book.rest()
    before = run_ids(book, quick)
    flag.touch()
    book.bench.run(book.branch, None, True, book.person)
    book.is_running(slow)
    book.bench.cancel(book.branch, None)
    assert book.rest() == [CellState.CANCELLED, CellState.DONE]
    book.add("markdown", text="an edit")
    assert book.rest() == [CellState.CANCELLED, CellState.DONE, CellState.DONE]
    assert run_ids(book, quick) == before


def test_results_of_another_environment_are_not_taken_for_those_of_this_one(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench = Workbench(settings)
    book = Book(bench)
    handle = book.add("python", code="print('hello')")
    before = run_ids(book, handle)
    bench.close()
    monkeypatch.setattr(environment, "CODEC_VERSION", environment.CODEC_VERSION + 1)
    bench = Workbench(settings)
    again = Book(bench, book.branch)
    again.add("markdown", text="an edit")
    assert again.rest() == [CellState.DONE] * 2
    assert run_ids(again, handle) != before
    bench.close()


def test_a_run_whose_picture_is_gone_is_not_reused(book: Book) -> None:
    handle = book.add("python", code="import matplotlib.pyplot as plt\nplt.plot([1])")
    run = book.settled(handle).run
    assert run
    pictures = [
        id for message in run.messages if isinstance(message, DisplayMessage) for id in message.artifacts.values()
    ]
    assert len(pictures) == 1
    with book.bench.store.writing() as tx:
        for id in pictures:
            artifacts.set_state(tx, id, ArtifactState.GONE)
    book.add("markdown", text="an edit")
    book.rest()
    assert run_ids(book, handle) != [run.id]


@pytest.mark.parametrize(
    ("kind", "parameters"),
    [
        ("sql", {"query": "SELECT " + "(" * 5000 + "1" + ")" * 5000}),
        ("python", {"code": "-" * 100_000 + "1"}),
        ("python", {"code": "1" + "+1" * 100_000}),
    ],
)
def test_code_nested_beyond_measure_fails_by_itself(book: Book, kind: str, parameters: dict[str, str]) -> None:
    book.add(kind, **parameters)
    book.add("python", code="print('below')")
    assert book.rest() == [CellState.ERROR, CellState.DONE]


def test_text_that_is_not_unicode_does_not_make_the_notebook_unreadable(book: Book) -> None:
    handle = book.add("python", code="class H:\n    def _repr_html_(self): return '\\ud800'\nprint('\\ud800')\nH()")
    book.settled(handle)
    other = book.add("python", code="raise ValueError('\\ud800')")
    assert book.settled(other).state is CellState.ERROR
    assert book.bench.head(book.branch).model_dump_json()


def test_listeners_end_up_with_what_is_so(book: Book) -> None:
    events: list[Event] = []
    with book.bench.hub.listening(book.branch, events.append):
        handles = [book.add("python", code=f"print({n})") for n in range(3)]
        book.rest()
    shown: dict[str, CellView] = {}
    for event in events:
        if isinstance(event, NotebookChanged):
            shown = {cell.handle: cell for cell in event.notebook.cells}
        elif isinstance(event, CellChanged):
            shown[event.cell.handle] = event.cell
    assert [shown[handle] for handle in handles] == list(book.bench.head(book.branch).cells)
