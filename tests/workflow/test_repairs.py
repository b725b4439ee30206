"""What differs from the forecast is repaired: each way to be wrong, forced by cells that wait for each other."""

from __future__ import annotations

import errno
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from unittest import mock

import pytest
from sqlalchemy import Connection, select

from tests.support.server import eventually
from tests.workflow.book import Book
from trailbook.kernels.forecast import Forecast, combined
from trailbook.model.base import CellHandle
from trailbook.model.runs import CellState, Run
from trailbook.settings import Settings
from trailbook.store import runs, tables
from trailbook.workflow import resolve
from trailbook.workflow.workbench import Workbench

FLAGS = """
import os, posix, time
def reach(flag): open(os.path.join({folder!r}, flag), "w").close()
def wait_for(flag):
    while not posix.access(os.path.join({folder!r}, flag), os.F_OK): time.sleep(0.01)
"""
"""Flags are waited for in a way that is not seen, or they would count as files that changed."""
SECRET = frozenset({"secret"})
"""A name that no forecast tells is read."""
SURPRISE = frozenset({"surprise"})
"""A name that no forecast tells is written."""


class Flagged(Book):
    """A notebook whose cells can wait for what others have reached."""

    def __init__(self, bench: Workbench, folder: Path) -> None:
        super().__init__(bench)
        self.folder = folder
        self.settled(self.add("python", code=FLAGS.format(folder=str(folder))))

    def python(self, *lines: str) -> CellHandle:
        return self.add("python", code="\n".join(lines))

    def runs(self, handle: CellHandle) -> list[Run]:
        """All runs of a cell, in the order they began."""
        query = select(*runs.COLUMNS).where(tables.runs.c.cell == handle).order_by(tables.runs.c.started)
        with self.bench.store.reading() as tx:
            return [Run(**row._mapping) for row in tx.execute(query)]


@pytest.fixture(autouse=True)
def _blind_forecasts() -> Iterator[None]:
    def blind(told: Sequence[Forecast]) -> list[Forecast]:
        return [replace(one, reads=one.reads - SECRET, writes=one.writes - SURPRISE) for one in combined(told)]

    with mock.patch.object(resolve, "combined", blind):
        yield


@pytest.fixture
def book(settings: Settings, tmp_path: Path) -> Iterator[Flagged]:
    bench = Workbench(replace(settings, workers=4))
    yield Flagged(bench, tmp_path)
    bench.close()


@pytest.fixture
def pair(settings: Settings, tmp_path: Path) -> Iterator[Flagged]:
    """Two workers."""
    bench = Workbench(replace(settings, workers=2))
    yield Flagged(bench, tmp_path)
    bench.close()


def test_cells_that_do_not_depend_on_each_other_run_at_once(book: Flagged) -> None:
    one = book.python("reach('one')", "wait_for('two')", "a = 1")
    two = book.python("reach('two')", "wait_for('one')", "b = 2")
    assert [book.settled(one).state, book.settled(two).state] == [CellState.DONE] * 2
    (first,), (second,) = book.runs(one), book.runs(two)
    assert first.finished
    assert second.started < first.finished


def test_a_missed_read_waits_for_the_writer_and_goes_on(book: Flagged) -> None:
    book.python("wait_for('reading')", "secret = 1")
    reader = book.python("reach('reading')", "print(secret + 1)")
    assert book.printed(reader) == "2\n"
    assert [run.state for run in book.runs(reader)] == [CellState.DONE]


def test_a_missed_write_aborts_readers_that_have_started(book: Flagged) -> None:
    book.python("surprise = 1")
    book.rest()
    book.python("wait_for('read')", "surprise = 2")
    reader = book.python("print(surprise)", "reach('read')", "if surprise == 1: time.sleep(60)")
    assert book.printed(reader) == "2\n"
    assert [run.state for run in book.runs(reader)] == [CellState.CANCELLED, CellState.DONE]


def test_where_a_forecast_write_is_missing_readers_look_further_up(book: Flagged) -> None:
    first = book.python("x = 1")
    book.python("wait_for('go')", "if x > 1: x = 5")
    reader = book.python("print(x)")
    eventually(lambda: book.cell(reader), lambda cell: cell.state is CellState.WAITING)
    (book.folder / "go").touch()
    assert book.printed(reader) == "1\n"
    run, made = book.settled(reader).run, book.settled(first).run
    assert run
    assert made
    assert run.reads["x"] == made.writes["x"]


def test_a_spurious_read_makes_nothing_run_again(book: Flagged) -> None:
    writer = book.python("x = 1")
    reader = book.python("if not reach: print(x)")
    book.rest()
    book.update(writer, code="x = 2")
    assert book.rest() == [CellState.DONE] * 3
    assert len(book.runs(reader)) == 1
    assert len(book.runs(writer)) == 2


def test_readers_that_wait_give_their_workers_to_others(pair: Flagged) -> None:
    pair.python("wait_for('go')", "secret = 1")
    readers = [pair.python(f"print(secret + {n})") for n in range(3)]
    last = pair.python("reach('go')")
    assert [pair.printed(reader) for reader in readers] == ["1\n", "2\n", "3\n"]
    assert [[run.state for run in pair.runs(handle)] for handle in (*readers, last)] == [[CellState.DONE]] * 4


def test_an_in_place_change_is_a_write(book: Flagged) -> None:
    book.python("x = [1]")
    book.python("def grow(): x.append(2)")
    book.python("grow()")
    reader = book.python("print(x)")
    assert book.printed(reader) == "[1, 2]\n"


def test_a_change_reaches_a_name_that_came_to_hold_the_same_object_meanwhile(book: Flagged) -> None:
    book.python("shared = [1]", "secret = shared")
    book.python("wait_for('early')", "secret.append(2)")
    book.python("reach('early')", "secret.append(3)")
    last = book.python("print(shared, secret)")
    book.rest()
    assert book.printed(last) == "[1, 2, 3] [1, 2, 3]\n"


def test_what_an_edit_does_not_change_goes_on_running(book: Flagged) -> None:
    slow = book.python("reach('slow')", "wait_for('go')", "print('slow')")
    other = book.python("y = 1")
    eventually((book.folder / "slow").exists, bool)
    book.update(other, code="y = 2")
    (book.folder / "go").touch()
    book.rest()
    assert [run.state for run in book.runs(slow)] == [CellState.DONE]


def test_an_edit_above_stops_a_cell_that_has_read_what_will_change(book: Flagged) -> None:
    writer = book.python("x = 1")
    reader = book.python("print(x)", "reach('read')", "if x == 1: time.sleep(60)")
    eventually((book.folder / "read").exists, bool)
    book.update(writer, code="x = 2")
    assert book.printed(reader) == "2\n"


def test_a_result_that_comes_out_the_same_makes_nothing_below_run(book: Flagged) -> None:
    writer = book.python("x = 1")
    reader = book.python("print(x)")
    book.rest()
    book.update(writer, code="x = 2 - 1")
    assert book.rest() == [CellState.DONE] * 3
    assert len(book.runs(reader)) == 1


def test_a_reader_does_not_wait_for_a_writer_whose_end_could_not_be_recorded(book: Flagged) -> None:
    writer = book.python("wait_for('asked')", "secret = 1")
    update = runs.update

    def full_disk(tx: Connection, run: Run) -> None:
        if run.cell == writer:
            raise OSError(errno.ENOSPC, "No space left on device")
        update(tx, run)

    with mock.patch.object(runs, "update", full_disk):
        reader = book.python("reach('asked')", "print(secret)")
        assert book.rest()[-2:] == [CellState.STALE, CellState.STALE]
    book.bench.run(book.branch, None, False, book.person)
    assert book.printed(reader) == "1\n"
