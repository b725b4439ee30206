"""A cell that only looks for files is out of date when a cell above makes them, or makes them no more."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.workflow.book import Book
from trailbook.settings import Settings
from trailbook.workflow.workbench import Workbench


@pytest.fixture
def book(settings: Settings) -> Iterator[Book]:
    bench = Workbench(settings)
    yield Book(bench)
    bench.close()


@pytest.mark.parametrize(
    ("look", "path", "without", "with_it"),
    [
        ("os.path.exists('a.csv')", "a.csv", "False", "True"),
        ("sorted(glob.glob('*.csv'))", "a.csv", "[]", "['a.csv']"),
        ("os.path.isdir('d')", "d/a.csv", "False", "True"),
        ("os.path.isdir('d') and os.listdir('d')", "d/a.csv", "False", "['a.csv']"),
        ("find_spec('helpers') is not None", "helpers.py", "False", "True"),
        ("find_spec('d') is not None", "d/helpers.py", "False", "True"),
    ],
)
def test_a_look_sees_the_files_of_the_cells_above(book: Book, look: str, path: str, without: str, with_it: str) -> None:
    make = f"import os\nos.makedirs('d', exist_ok=True)\nopen({path!r}, 'w').close()"
    above = book.add("python", code="1")
    below = book.add("python", code=f"import glob, os\nfrom importlib.util import find_spec\nprint({look})")
    assert book.printed(below) == f"{without}\n"
    for code, seen in ((make, with_it), ("2", without), (make, with_it)):
        book.update(above, code=code)
        book.rest()
        assert book.printed(below) == f"{seen}\n"


def test_a_look_at_one_file_does_not_depend_on_others(book: Book) -> None:
    above = book.add("python", code="1")
    below = book.add("python", code="import os\nos.path.exists('a.csv')")
    before = book.settled(below).run
    book.update(above, code="open('b.csv', 'w').close()")
    book.rest()
    after = book.settled(below).run
    assert before
    assert after
    assert after.id == before.id


def test_a_module_that_a_cell_above_writes_is_imported_however_early_the_cell_below_starts(book: Book) -> None:
    book.add("python", code="import time\ntime.sleep(0.5)\nopen('helpers.py', 'w').write('answer = 42')")
    below = book.add("python", code="import helpers\nprint(helpers.answer)")
    book.rest()
    assert book.printed(below) == "42\n"


@pytest.mark.parametrize(
    ("make", "use"),
    [
        ("os.mkdir('d')", "open('d/a', 'w').write('1')"),
        ("os.mkdir('d')", "os.mkdir('d/e')"),
        ("os.mkdir('d')", "os.rmdir('d')"),
        ("os.mkdir('d')", "os.chdir('d')"),
        ("os.mkdir('d')", "subprocess.run(['true'], cwd='d')"),
        ("os.mkdir('d'); open('a', 'w').close()", "os.replace('a', 'd/b')"),
        ("open('a', 'w').close()", "os.remove('a')"),
        ("open('a', 'w').close()", "os.link('a', 'b')"),
        ("open('a', 'w').close()", "os.truncate('a', 0)"),
        ("open('a', 'w').close()", "os.chmod('a', 0o600)"),
        ("open('a', 'w').close()", "os.utime('a')"),
    ],
)
def test_what_changes_a_file_waits_for_the_cell_that_makes_it_however_early_it_starts(
    book: Book, make: str, use: str
) -> None:
    book.add("python", code=f"import os, time\ntime.sleep(0.5)\n{make}")
    below = book.add("python", code=f"import os, subprocess\n{use}\nprint('done')")
    book.rest()
    assert book.printed(below) == "done\n"


@pytest.mark.parametrize(
    "move",
    [
        "os.replace('d/new', 'd/old')",
        "os.link('d/new', 'd/old')",
        "shutil.move('d/new', 'd/old')",
        "shutil.copytree('d', 'e'); shutil.rmtree('d'); os.rename('e', 'd'); os.rename('d/new', 'd/old')",
        "os.rename('d', 'e'); os.rename('e', 'd'); os.symlink('new', 'd/old')\nopen('d/old').read()",
        "subprocess.run(['mv', 'd/new', 'd/old'])",
        "os.truncate('d/new', 3); os.rename('d/new', 'd/old')",
    ],
)
def test_what_is_moved_is_what_the_cell_above_wrote(book: Book, move: str) -> None:
    write = "import os\nos.makedirs('d', exist_ok=True)\nopen('d/new', 'w').write('{}')"
    above = book.add("python", code=write.format("one"))
    book.add("python", code=f"import os, shutil, subprocess\n{move}\nopen('told', 'w').write(open('d/old').read())")
    below = book.add("python", code="print(open('told').read())")
    for text in ("one", "two", "one"):
        book.update(above, code=write.format(text))
        book.rest()
        assert book.printed(below) == f"{text}\n"


def test_a_file_behind_a_link_of_the_cells_own_is_read(book: Book, tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    data = tmp_path / "outside" / "data.txt"
    data.write_text("one")
    below = book.add(
        "python", code=f"import os\nos.symlink({str(data.parent)!r}, 'in')\nprint(open('in/data.txt').read())"
    )
    assert book.printed(below) == "one\n"
    data.write_text("another")
    book.bench.run(book.branch, None, False, book.person)
    book.rest()
    assert book.printed(below) == "another\n"


@pytest.mark.parametrize(
    "use", ["exec('print(own.x)')", "class K:\n    x = own.x\nprint(K.x)", "print(own.x, end='\\n' if '@' else '')"]
)
def test_a_module_of_ones_own_is_read_by_whoever_uses_it(book: Book, tmp_path: Path, use: str) -> None:
    module = tmp_path / "modules" / "own.py"
    module.parent.mkdir()
    module.write_text("x = 1")
    book.add("python", code=f"import sys\nsys.path.insert(0, {str(module.parent)!r})\nimport own")
    below = book.add("python", code=use)
    assert book.printed(below) == "1\n"
    module.write_text("x = 2 * 1")
    book.bench.run(book.branch, None, False, book.person)
    book.rest()
    assert book.printed(below) == "2\n"
