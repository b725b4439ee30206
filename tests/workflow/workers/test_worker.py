"""A worker refuses what it can't do as the server would."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

import trailbook
from tests.workflow.book import Book
from trailbook.cells.scope import Scope
from trailbook.errors import StoreError
from trailbook.model.runs import CellState
from trailbook.settings import Settings
from trailbook.store import runs
from trailbook.workflow.environment import run_environment
from trailbook.workflow.standing import head_of
from trailbook.workflow.work import Work, begin
from trailbook.workflow.workers.broker import connect
from trailbook.workflow.workers.line import Line
from trailbook.workflow.workers.words import Errand, Failed, Taken
from trailbook.workflow.workers.worker import Worker


def refusal(book: Book, settings: Settings, version: str = trailbook.__version__, payload: str = "") -> str:
    """What a worker with these settings says against a run that the server of the notebook asks for."""
    book.add("python", code="")
    with book.bench.store.reading() as tx:
        [cell] = head_of(tx, book.branch).cells
    run = begin(cell, run_environment(book.bench.settings).base, book.person)
    with book.bench.store.writing() as tx:
        runs.insert(tx, run)
    [sign] = book.bench.store.files.staging.glob("server-*")
    worker = Worker(settings, 1)
    errand = Errand(work=Work(run, book.branch, cell, Scope()), server=sign.name, silence=2)
    worker.take(run.id, version, payload or errand.model_dump_json())
    with book.bench.store.writing() as tx:
        runs.update(tx, run.model_copy(update={"state": CellState.CANCELLED}))
    worker.close()
    taken, failed = Line(connect(settings), settings, run.id, at_worker=False).hear(1)
    assert isinstance(taken, Taken)
    assert isinstance(failed, Failed)
    assert failed.error.code == "worker_unfit"
    return failed.error.message


def test_one_with_another_environment_runs_nothing(book: Book, site: Settings) -> None:
    assert "packages" in refusal(book, replace(site, spark="sc://elsewhere:15002"))


def test_one_that_does_not_see_the_servers_files_runs_nothing(book: Book, site: Settings, tmp_path: Path) -> None:
    shutil.copytree(site.data, tmp_path / "copy", ignore=shutil.ignore_patterns("server-*"))
    assert str(tmp_path / "copy") in refusal(book, replace(site, data=tmp_path / "copy"))


def test_one_over_the_data_directory_of_another_database_does_not_start(
    book: Book, site: Settings, tmp_path: Path
) -> None:
    (tmp_path / "store.id").write_text("another\n")
    with pytest.raises(StoreError, match="not in"):
        Worker(replace(site, data=tmp_path), 1)


def test_one_of_another_release_runs_nothing(book: Book, site: Settings) -> None:
    assert "the server has 0.0" in refusal(book, site, version="0.0")


def test_what_is_no_errand_is_not_done(book: Book, site: Settings) -> None:
    assert "understand" in refusal(book, site, payload='{"work": "rm"}')
