"""The packages of a notebook are part of its versions, and of what its Python cells depend on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tests.support.server import eventually
from tests.support.wheels import write_wheel
from tests.workflow.book import Book
from trailbook.errors import BadPackages
from trailbook.model.base import CellHandle, RunId
from trailbook.model.edits import SetPackages
from trailbook.model.notebook import VersionRef
from trailbook.model.packages import NO_PACKAGES, EnvironmentState
from trailbook.model.runs import CellState, NoteMessage
from trailbook.settings import Settings
from trailbook.store import versions
from trailbook.workflow.workbench import Workbench


@pytest.fixture
def book(settings: Settings) -> Iterator[Book]:
    bench = Workbench(replace(settings, package_urls=True))
    yield Book(bench)
    bench.close()


@pytest.fixture
def tiny(tmp_path: Path) -> str:
    return write_wheel(tmp_path / "wheels", "tiny", "1.0", "x = 'one'")


def run_of(book: Book, handle: CellHandle) -> RunId:
    run = book.settled(handle).run
    assert run
    return run.id


def test_a_missing_module_is_offered_and_there_once_its_package_is_added(book: Book, tiny: str) -> None:
    handle = book.add("python", code="import tiny\nprint(tiny.x)")
    run = book.settled(handle).run
    assert run
    assert run.error
    assert (run.error.missing_module, run.error.offer) == ("tiny", "tiny")
    book.edit(SetPackages(packages=(tiny,)))
    assert book.printed(handle) == "one\n"
    notebook = book.bench.head(book.branch)
    assert notebook.packages.wanted == (tiny,)
    assert notebook.description.startswith("Use the packages tiny @ file://")


def test_undo_and_redo_go_back_and_forth_between_environments_and_run_nothing(book: Book, tmp_path: Path) -> None:
    wheels = tmp_path / "wheels"
    first, second = (write_wheel(wheels / v, "tiny", v, f"x = {v!r}") for v in ("1.0", "2.0"))
    book.edit(SetPackages(packages=(first,)))
    handle = book.add("python", code="import tiny\nprint(tiny.x)")
    assert book.printed(handle) == "1.0\n"
    old = run_of(book, handle)
    book.edit(SetPackages(packages=(second,)))
    assert book.printed(handle) == "2.0\n"
    new = run_of(book, handle)
    book.undo()
    assert (run_of(book, handle), book.bench.head(book.branch).packages.wanted) == (old, (first,))
    book.bench.step(book.branch, book.bench.branch(book.branch).head, "redo", book.person)
    assert (run_of(book, handle), book.bench.head(book.branch).packages.wanted) == (new, (second,))
    branch = book.bench.fork(VersionRef(branch=book.branch, number=2), "first", book.person)
    assert book.bench.head(branch.id).packages.wanted == (first,)


def test_a_cell_that_runs_with_other_packages_by_now_is_run_again(book: Book, tmp_path: Path) -> None:
    wheels = tmp_path / "wheels"
    first, second = (write_wheel(wheels / v, "tiny", v, f"x = {v!r}") for v in ("1.0", "2.0"))
    book.edit(SetPackages(packages=(first,)))
    handle = book.add("python", code="import time, tiny\nprint(tiny.x)\ntime.sleep(600 if tiny.x == '1.0' else 0)")
    eventually(lambda: book.cell(handle).run, lambda run: run is not None and bool(run.messages))
    book.edit(SetPackages(packages=(second,)))
    assert book.printed(handle) == "2.0\n"


def test_cells_that_use_no_packages_are_not_run_again_for_them(book: Book, tiny: str) -> None:
    before = book.bench._bench.environment
    python, sql = book.add("python", code="a = 1"), book.add("sql", query="SELECT 1 AS a", name="t")
    ref = VersionRef(branch=book.branch, number=book.bench.branch(book.branch).head)
    book.settled(python)
    reruns = book.bench.preview(ref, SetPackages(packages=(tiny,)), book.person)
    assert python in [rerun.handle for rerun in reruns]
    packages = book.bench.environments.lock([tiny])
    with book.bench.store.reading() as tx:
        specs = {cell.handle: cell.spec for cell in versions.get(tx, ref).cells}
    assert before.of(specs[sql], packages) == before.of(specs[sql], NO_PACKAGES) == before.base
    assert before.of(specs[python], packages) != before.base


def test_packages_that_can_not_be_had_change_nothing(book: Book, tiny: str) -> None:
    book.edit(SetPackages(packages=(tiny,)))
    head = book.bench.branch(book.branch).head
    for bad in ("tiny @ file:///no/such/file.whl", "--index-url=x"):
        with pytest.raises(BadPackages):
            book.edit(SetPackages(packages=(tiny, bad)))
    assert book.bench.branch(book.branch).head == head


def test_a_build_that_fails_fails_the_cells_and_running_them_tries_again(book: Book, tmp_path: Path) -> None:
    wheels = tmp_path / "wheels"
    tiny = write_wheel(wheels, "tiny", "1.0", "x = 'one'")
    locked = book.bench.environments.lock([tiny])
    write_wheel(wheels, "tiny", "1.0", "x = 'another'")
    book.bench.environments.lock = lambda wanted, before=NO_PACKAGES: locked  # type: ignore[method-assign]
    book.edit(SetPackages(packages=(tiny,)))
    handle = book.add("python", code="import tiny\nprint(tiny.x)")
    run = book.settled(handle).run
    assert run
    assert run.error
    assert run.error.code == "environment_failed"
    assert "Hash mismatch" in run.error.message
    write_wheel(wheels, "tiny", "1.0", "x = 'one'")
    book.bench.run(book.branch, None, False, book.person)
    assert book.printed(handle) == "one\n"
    about = book.bench.environments.about(book.bench.head_packages(book.branch))
    assert about
    assert about.state is EnvironmentState.READY


def test_files_of_packages_are_none_that_a_cell_read(book: Book, tiny: str) -> None:
    book.edit(SetPackages(packages=(tiny,)))
    handle = book.add("python", code="import tiny\nx = tiny.x")
    run = book.settled(handle).run
    assert run
    assert run.state is CellState.DONE
    assert [name for name in run.reads if str(book.bench.settings.environments_folder) in name] == []
    assert [message for message in run.messages if isinstance(message, NoteMessage)] == []
    assert run.outside.is_repeatable
