"""Doubt passes through whatever Python cells leave behind, and nothing else changes when only doubt does."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.workflow.book import Book
from trailbook.cells.context import RunContext
from trailbook.cells.kind import KINDS, CellKind
from trailbook.model.base import CellHandle
from trailbook.settings import Settings
from trailbook.store import artifacts
from trailbook.store.masks import mark_coarsely
from trailbook.workflow.workbench import Workbench


class Source(CellKind):
    """A dataset of one row, in doubt or not."""

    kind: ClassVar[str] = "source"
    title: ClassVar[str] = "Source"

    doubtful: bool = True

    def writes(self) -> frozenset[str]:
        return frozenset({"t"})

    def run(self, context: RunContext) -> None:
        directory = context.stage() / "dataset"
        directory.mkdir()
        pq.write_table(pa.table({"x": [7]}), directory / "part-0.parquet")
        if self.doubtful:
            mark_coarsely(directory)
        context.write_dataset("t", directory)


@pytest.fixture
def book(settings: Settings) -> Iterator[Book]:
    KINDS.add(Source.kind, Source)
    bench = Workbench(settings)
    yield Book(bench)
    bench.close()
    del KINDS._parts[Source.kind]


def is_doubtful(book: Book, handle: CellHandle, name: str) -> bool:
    run = book.settled(handle).run
    assert run
    with book.bench.store.reading() as tx:
        return not artifacts.get(tx, run.writes[name]).doubt.is_none


@pytest.mark.parametrize(
    ("cells", "last"),
    [
        (["import os\nos.environ['RATE'] = str(t.x[0])"], "import os\nrate = float(os.environ['RATE'])"),
        (["open('rate.txt', 'w').write(str(t.x[0]))"], "rate = float(open('rate.txt').read())"),
        (["def f(v: t.x[0]): return 2"], "rate = int(list(f.__annotations__.values())[0])"),
        (["total = 0\ndef bump():\n    global total\n    total += 1", "if t.x[0] > 100: bump()"], "rate = total"),
        (["rates = [1]", "if t.x[0] > 100: rates.append(2)"], "rate = rates[0]"),
    ],
)
def test_what_rests_on_doubtful_data_is_in_doubt(book: Book, cells: list[str], last: str) -> None:
    book.add("source")
    for code in cells:
        book.settled(book.add("python", code=code))
    assert is_doubtful(book, book.add("python", code=last), "rate")


def test_whether_a_cell_that_may_fail_got_to_a_definition_rests_on_its_data(book: Book) -> None:
    book.add("source")
    book.add("python", code="def f(): return 1")
    book.add("python", code="assert t.x[0] == 7\ndef f(): return 2", may_fail=True)
    assert is_doubtful(book, book.add("python", code="rate = f()"), "rate")


def test_a_name_that_is_deleted_stays_deleted_whatever_is_in_doubt(book: Book) -> None:
    source = book.add("source", doubtful=False)
    book.add("python", code="x = [1]")
    book.add("python", code="n = len(t)\ndel x")
    last = book.add("python", code="print('x' in globals())")
    assert book.printed(last) == "False\n"
    book.update(source, doubtful=True)
    book.rest()
    assert book.printed(last) == "False\n"


def test_a_file_that_is_written_anew_stays_so_when_only_doubt_changes(book: Book) -> None:
    source = book.add("source", doubtful=False)
    book.add("python", code="open('out.txt', 'w').write('old')")
    book.add("python", code="n = len(t)\nopen('out.txt', 'w').write('new')")
    last = book.add("python", code="print(open('out.txt').read())")
    assert book.printed(last) == "new\n"
    book.update(source, doubtful=True)
    book.rest()
    assert book.printed(last) == "new\n"
