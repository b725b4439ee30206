"""What becomes of a cell when its worker, its server or the Redis between them is gone."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import select

from tests.support.server import NO_ENGINE, Api, Notebook, eventually, running_server
from tests.workflow.book import Book
from tests.workflow.workers.processes import PASSWORD, Flags, RedisServer, Staff, WorkerProcess
from trailbook.model.base import CellHandle
from trailbook.model.runs import CellState, NoteMessage, Run
from trailbook.settings import Settings
from trailbook.store import runs, tables

LOST = (CellState.CANCELLED, "worker_lost")
DONE = (CellState.DONE, None)


def runs_of(book: Book, cell: CellHandle) -> list[Run]:
    """In the order they began."""
    query = select(*runs.COLUMNS).where(tables.runs.c.cell == cell).order_by(tables.runs.c.started)
    with book.bench.store.reading() as tx:
        return [Run(**row._mapping) for row in tx.execute(query)]


def ends_of(book: Book, cell: CellHandle) -> list[tuple[CellState, str | None]]:
    return [(run.state, run.error.code if run.error else None) for run in runs_of(book, cell)]


def error_of(book: Book, cell: CellHandle) -> tuple[str, str]:
    run = book.settled(cell).run
    assert run
    assert run.error
    return run.error.code, run.error.message


@pytest.fixture
def slow(flags: Flags) -> str:
    """Code that runs until it is told to go on."""
    return flags.cell("import os", "reach('begun', os.getppid())", "wait_for('go')", "print('done')")


def test_a_cell_whose_worker_is_killed_runs_elsewhere_and_fails_if_that_one_is_killed_too(
    book: Book, staff: Staff, flags: Flags, slow: str
) -> None:
    cell = book.add("python", code=slow)
    for process in range(2):
        staff.above(flags.reached("begun", process + 1)[-1]).kill()
    assert error_of(book, cell)[0] == "worker_lost"
    assert ends_of(book, cell) == [LOST, (CellState.ERROR, "worker_lost")]


def test_a_worker_that_comes_back_after_it_was_given_up_is_not_heard(
    book: Book, staff: Staff, flags: Flags, slow: str
) -> None:
    cell = book.add("python", code=slow)
    with staff.above(flags.reached("begun")[0]).paused():
        flags.reached("begun", times=2)
        flags.set("go")
        assert book.printed(cell) == "done\n"
        before = runs_of(book, cell)
    assert ends_of(book, cell) == [LOST, DONE]
    note = before[1].messages[0]
    assert isinstance(note, NoteMessage)
    assert "died while it ran this cell" in note.text
    # For these two, both workers must have nothing else to do.
    book.add("python", code=flags.cell("reach('one'); wait_for('two')"))
    book.add("python", code=flags.cell("reach('two'); wait_for('one')"))
    assert book.rest() == [CellState.DONE] * 3
    assert runs_of(book, cell) == before


def test_a_worker_that_is_stopped_finishes_its_cells(book: Book, staff: Staff, flags: Flags, slow: str) -> None:
    cell = book.add("python", code=slow)
    worker = staff.above(flags.reached("begun")[0])
    worker.terminate()
    eventually(lambda: worker.output, lambda text: "Warm shutdown" in text)
    flags.set("go")
    assert book.printed(cell) == "done\n"
    assert ends_of(book, cell) == [DONE]
    assert worker.exit_code() == 0


def test_a_worker_that_is_stopped_hands_back_what_takes_too_long(
    book: Book, staff: Staff, flags: Flags, slow: str
) -> None:
    staff.fill(1)
    other = staff.workers[0]
    impatient = staff.hire("--concurrency", "1", "--grace", "0").ready()
    with other.paused():
        cell = book.add("python", code=slow)
        flags.reached("begun")
        impatient.terminate()
        assert impatient.exit_code() == 0
    flags.reached("begun", times=2)
    flags.set("go")
    assert book.printed(cell) == "done\n"
    assert ends_of(book, cell) == [LOST, DONE]


def test_without_redis_cells_fail_and_once_it_is_back_they_run(
    book: Book, staff: Staff, flags: Flags, slow: str, redis: RedisServer
) -> None:
    running = book.add("python", code=slow)
    flags.reached("begun")
    redis.stop()
    try:
        code, message = error_of(book, running)
        assert code == "broker_unavailable"
        assert PASSWORD not in message
        later = book.add("python", code="print('later')")
        assert error_of(book, later)[0] == "broker_unavailable"
    finally:
        redis.start()
    flags.set("go")
    book.bench.run(book.branch, None, False, book.person)
    assert book.rest() == [CellState.DONE] * 2
    assert not any(PASSWORD in worker.output for worker in staff.workers)


def test_after_a_server_was_killed_its_cells_run_again_and_finished_ones_do_not(
    postgres_settings: Settings, site: Settings, flags: Flags, slow: str, tmp_path: Path
) -> None:
    settings = Settings(data=postgres_settings.data, database=postgres_settings.database, broker=site.broker)
    options = ("--database", settings.database, "--broker", settings.broker, "--worker-silence", "2", *NO_ENGINE)
    with running_server(settings.data, *options) as server:
        worker = WorkerProcess(settings, tmp_path / "log", "--concurrency", "1")
        notebook = Api(server.url).project()
        done = notebook.add("python", code="x = 1")
        cut_off = notebook.add("python", code=slow)
        before = notebook.settled(done)["run"]["id"]
        flags.reached("begun")
        server.kill()
    with running_server(settings.data, *options) as server:
        again = Notebook(Api(server.url), notebook.project, notebook.branch)
        flags.reached("begun", times=2)
        flags.set("go")
        assert again.settled(cut_off)["state"] == "done"
        assert again.settled(done)["run"]["id"] == before
    worker.kill()
