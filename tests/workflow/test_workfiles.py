"""A cell that only looks for files is out of date when a cell above makes them, or makes them no more."""

from __future__ import annotations

from collections.abc import Iterator

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
