"""An imported project works like one that was made here, and has no say in any other."""

from __future__ import annotations

import base64
import hashlib
import os
import pickle
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import func, select

from tests.formats.archive.rivers import exported, imported
from tests.formats.archive.tampering import Tampered
from tests.workflow.book import Book
from trailbook.model.base import now
from trailbook.model.notebook import Spec
from trailbook.model.runs import CellState
from trailbook.settings import Settings
from trailbook.store import projects, tables
from trailbook.store.doctor import doctor
from trailbook.store.gc import gc
from trailbook.store.store import Store
from trailbook.workflow.workbench import Workbench

DONE = CellState.DONE


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workbench]:
    opened = Workbench(Settings(data=tmp_path_factory.mktemp("bench"), java="no-such-java"))
    yield opened
    opened.close()


def archive_of(book: Book) -> bytes:
    return exported(book.bench.store, book.bench.branch(book.branch).project)


def brought(bench: Workbench, archive: bytes) -> Book:
    """The first branch of what an archive holds."""
    return Book(bench, bench.project(imported(bench.store, archive, bench.person.id).id).branch)


def number_of_runs(bench: Workbench) -> int:
    with bench.store.reading() as tx:
        return tx.execute(select(func.count()).select_from(tables.runs)).scalar_one()


def test_nothing_runs_again_in_an_imported_project(bench: Workbench) -> None:
    book = Book(bench)
    first = book.add("python", code="x = [1, 2]")
    second = book.add("python", code="print(sum(x))")
    book.settled(second)
    book.update(first, code="x = [3, 4]")
    book.rest()
    other = brought(bench, archive_of(book))
    before = number_of_runs(bench)
    assert [cell.state for cell in bench.head(other.branch).cells] == [DONE, DONE]
    assert other.shown(second) == "7\n"
    other.undo()
    assert other.rest() == [DONE, DONE]
    assert other.shown(second) == "3\n"
    bench.step(other.branch, 3, "redo", other.person)
    assert other.rest() == [DONE, DONE]
    assert other.shown(second) == "7\n"
    # What it was before is found among the runs that it came with.
    other.update(first, code="x = [1, 2]")
    assert other.rest() == [DONE, DONE]
    assert other.shown(second) == "3\n"
    assert number_of_runs(bench) == before
    # And what is new is run, on what was brought.
    third = other.add("python", code="print(x * 2)")
    assert other.printed(third) == "[1, 2, 1, 2]\n"


def forged(archive: bytes, code: str, printed: str) -> bytes:
    """An archive which says that this code printed that."""
    tampered = Tampered(archive)
    (spec,) = tampered.records("specs")
    honest = Spec.model_validate(spec)
    claimed = Spec(kind="python", parameters={**honest.parameters, "code": code})
    tampered.put("specs", [claimed.model_dump()])
    for entry in ("records/runs.jsonl", "records/versions.jsonl"):
        tampered.entries[entry] = tampered.entries[entry].replace(honest.hash.encode(), claimed.hash.encode())
    tampered.change("runs", lambda run: run["messages"][0].update(text=printed))
    return tampered.packed()


def test_what_an_archive_says_of_code_holds_in_no_other_project(bench: Workbench) -> None:
    book = Book(bench)
    book.settled(book.add("python", code="print('anything')"))
    code = "print(6 * 7)"
    hostile = brought(bench, forged(archive_of(book), code, "a lie\n"))
    (cell,) = bench.head(hostile.branch).cells
    assert (cell.state, hostile.shown(cell.handle)) == (DONE, "a lie\n")
    # In its own project it may lie: nothing there is anybody else's.
    assert hostile.printed(hostile.add("python", code=code)) == "a lie\n"
    honest = Book(bench)
    assert honest.printed(honest.add("python", code=code)) == "42\n"
    assert honest.printed(honest.add("python", code=code)) == "42\n"


def test_nothing_is_unpickled_by_importing_or_looking(bench: Workbench, tmp_path: Path) -> None:
    book = Book(bench)
    book.settled(book.add("python", code="harmless = {'a': 1}"))
    tampered = Tampered(archive_of(book))
    value = next(one for one in tampered.records("artifacts") if one["kind"] == "value")
    trap = pickle.dumps(_Trap(str(tmp_path / "sprung")))
    id = hashlib.sha256(trap).hexdigest()
    tampered.put("artifacts", [{**value, "id": id, "content": base64.b64encode(trap).decode()}])
    entry = "records/runs.jsonl"
    tampered.entries[entry] = tampered.entries[entry].replace(value["id"].encode(), id.encode())
    other = brought(bench, tampered.packed())
    (cell,) = bench.head(other.branch).cells
    assert [output.artifact.id for output in cell.outputs] == [id]
    assert doctor(bench.store, now(), 3600, deep=True).healthy
    assert not (tmp_path / "sprung").exists()


class _Trap:
    def __init__(self, path: str) -> None:
        self._path = path

    def __reduce__(self) -> tuple[object, ...]:
        return os.mkdir, (self._path,)


@pytest.mark.parametrize("fault", ["artifact.renamed:2", "version.before_commit:3"])
def test_a_kill_in_the_middle_leaves_no_half_project(archive: bytes, tmp_path: Path, fault: str) -> None:
    (tmp_path / "x.trailbook").write_bytes(archive)
    script = "tests.formats.archive.restoring"
    command = [sys.executable, "-m", script, str(tmp_path / "data"), str(tmp_path / "x.trailbook")]
    done = subprocess.run(command, env={**os.environ, "TRAILBOOK_FAULT": fault}, capture_output=True, check=False)
    assert done.returncode == -signal.SIGKILL, done.stderr
    with closing(Store.open(Settings(data=tmp_path / "data"))) as store:
        assert list(store.files.staging.iterdir()) == []
        assert doctor(store, now(), 3600, deep=True).healthy
        gc(store, now() + timedelta(seconds=5), 0)
        assert list(store.files.ids()) == []
        with store.reading() as tx:
            assert projects.all(tx) == []
            assert tx.execute(select(func.count()).select_from(tables.runs)).scalar() == 0
            assert tx.execute(select(func.count()).select_from(tables.persons)).scalar() == 1
