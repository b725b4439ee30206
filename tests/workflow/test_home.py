"""Cells find the files of the notebook's folder where they work, and leave the folder as it is."""

from __future__ import annotations

import errno
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tests.workflow.book import Book
from trailbook.model.runs import CellState
from trailbook.settings import PROCESS, SANDBOX, Settings
from trailbook.workflow.workbench import Workbench


@pytest.fixture
def home(tmp_path: Path) -> Path:
    folder = tmp_path / "notebooks"
    (folder / "sub").mkdir(parents=True)
    (folder / "data.csv").write_text("a\n1\n")
    (folder / "sub" / "inner.txt").write_text("inner")
    (folder / "helper.py").write_text("answer = 42")
    return folder


@pytest.fixture(params=[PROCESS, SANDBOX])
def book(request: pytest.FixtureRequest, settings: Settings, home: Path) -> Iterator[Book]:
    bench = Workbench(replace(settings, home=str(home), isolation=request.param))
    yield Book(bench)
    bench.close()


def contents(folder: Path) -> dict[str, str]:
    return {str(path.relative_to(folder)): path.read_text() for path in folder.rglob("*") if path.is_file()}


CODES = (
    "import os\nprint(sorted(os.listdir()))\nimport helper\nprint(helper.answer, open('data.csv').read().split())",
    "open('data.csv', 'a').write('2')\nfor name in ('inner', 'more'): open(f'sub/{name}.txt', 'w').write('new')",
    "print(open('data.csv').read().split(), open('sub/inner.txt').read(), sorted(os.listdir('sub')))",
    "os.rename('data.csv', 'moved.csv')\nos.mkdir('sub/deep')\nos.remove('sub/more.txt')",
    "print(open('moved.csv').read().split(), sorted(os.listdir('sub')))",
)
PRINTED = (
    "['data.csv', 'helper.py', 'sub']\n42 ['a', '1']\n",
    "",
    "['a', '1', '2'] new ['inner.txt', 'more.txt']\n",
    "",
    "['a', '1', '2'] ['deep', 'inner.txt']\n",
)


def test_what_cells_write_is_theirs_and_the_folder_stays_as_it_is(book: Book, home: Path) -> None:
    before = contents(home)
    cells = [book.add("python", code=code) for code in CODES]
    assert [book.printed(cell) for cell in cells] == list(PRINTED)
    assert contents(home) == before


def test_a_file_of_the_folder_that_changes_or_appears_makes_its_readers_run_again(book: Book, home: Path) -> None:
    codes = ("print(open('data.csv').read())", "import os\nprint(os.path.exists('late.csv'))", "print(1)")
    reader, looker, other = (book.add("python", code=code) for code in codes)
    book.rest()
    before = book.settled(other).run
    (home / "data.csv").write_text("changed")
    (home / "late.csv").touch()
    book.bench.run(book.branch, None, False, book.person)
    book.rest()
    assert (book.printed(reader), book.printed(looker)) == ("changed\n", "True\n")
    assert book.settled(other).run == before


def test_a_reader_that_was_early_reads_again_what_a_cell_above_writes_in_its_place(book: Book) -> None:
    writer = "import time\ntime.sleep(0.5)\nopen('sub/' + 'inner' + '.txt', 'w').write('written')"
    book.add("python", code=writer)
    reader = book.add("python", code="print(open('sub/inner.txt').read())")
    book.rest()
    assert book.printed(reader) == "written\n"


def test_a_folder_that_is_gone_is_told_by_its_name(book: Book, home: Path) -> None:
    shutil.rmtree(home)
    error = book.settled(book.add("python", code="x = 1")).run.error  # type: ignore[union-attr]
    assert error
    assert f"{home} (setting home) can't be read" in error.message


def test_a_file_that_can_not_be_copied_is_not_written_to(
    book: Book, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(shutil, "copyfile", fail)
    cell = book.settled(book.add("python", code="open('data.csv', 'a').write('2')"))
    assert cell.state is CellState.ERROR
    assert (home / "data.csv").read_text() == "a\n1\n"


def test_the_next_cell_finds_what_came_to_the_folder_and_not_what_is_gone(book: Book, home: Path) -> None:
    code = "import os\nprint(sorted(os.listdir()))"
    assert book.printed(book.add("python", code=code)) == "['data.csv', 'helper.py', 'sub']\n"
    (home / "helper.py").unlink()
    (home / "late.csv").touch()
    assert book.printed(book.add("python", code=code)) == "['data.csv', 'late.csv', 'sub']\n"
