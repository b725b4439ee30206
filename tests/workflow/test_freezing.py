"""A frozen cell keeps its result; one cell runs with what it needs and no more; what an edit costs is told before."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.workflow.book import Book
from trailbook.errors import BadEdit
from trailbook.model.base import CellHandle, now
from trailbook.model.edits import FreezeCells, UpdateCell
from trailbook.model.notebook import VersionRef
from trailbook.model.runs import CellState
from trailbook.settings import Settings
from trailbook.store.gc import gc
from trailbook.workflow.workbench import Workbench


@pytest.fixture
def book(settings: Settings) -> Iterator[Book]:
    bench = Workbench(settings)
    yield Book(bench)
    bench.close()


def test_a_frozen_cell_keeps_its_result_until_it_thaws(book: Book) -> None:
    first = book.add("python", code="x = 1")
    second = book.add("python", code="y = x + 1")
    third = book.add("python", code="print(y)")
    assert book.printed(third) == "2\n"
    book.edit(FreezeCells(handles=(second,)))
    book.update(first, code="x = 10")
    assert book.rest() == [CellState.DONE, CellState.STALE, CellState.DONE]
    assert book.cell(second).frozen
    assert book.printed(third) == "2\n"
    book.edit(FreezeCells(handles=(second,), frozen=False))
    assert book.rest() == [CellState.DONE] * 3
    assert book.printed(third) == "11\n"


def test_a_frozen_cell_that_would_come_out_the_same_is_done(book: Book) -> None:
    handle = book.add("python", code="x = 1")
    book.settled(handle)
    book.edit(FreezeCells(handles=(handle,)))
    assert book.rest() == [CellState.DONE]
    book.undo()
    assert not book.cell(handle).frozen


def test_a_frozen_cell_keeps_its_own_result_though_another_would_fit(book: Book) -> None:
    first = book.add("python", code="x = 1")
    second = book.add("python", code="print(x * 10)")
    book.rest()
    book.update(first, code="x = 2")
    assert book.printed(second) == "20\n"
    book.edit(FreezeCells(handles=(second,)))
    book.update(first, code="x = 1")
    assert book.rest() == [CellState.DONE, CellState.STALE]
    gc(book.bench.store, now(), 0.0)
    assert book.shown(second) == "20\n"


def test_only_cells_of_the_version_can_be_frozen(book: Book) -> None:
    with pytest.raises(BadEdit, match="no cell 0123456789abcdef"):
        book.edit(FreezeCells(handles=(CellHandle("0123456789abcdef"),)))


def test_one_cell_runs_with_what_it_needs_and_nothing_else(book: Book, tmp_path: Path) -> None:
    flag = tmp_path / "flag"
    flag.touch()
    source = book.add("python", code=f"import os\nx = os.path.exists({str(flag)!r})")
    reader = book.add("python", code="print(x)")
    other = book.add("python", code=f"import os\nprint(os.path.exists({str(flag)!r}))")
    assert book.rest() == [CellState.DONE] * 3
    before = [book.cell(handle).run for handle in (source, reader, other)]
    book.bench.run(book.branch, [source], True, book.person)
    assert book.rest() == [CellState.DONE] * 3
    after = [book.cell(handle).run for handle in (source, reader, other)]
    assert [new == old for new, old in zip(after, before, strict=True)] == [False, True, True]


def test_a_cell_runs_with_those_that_failed_to_make_what_it_needs(book: Book, tmp_path: Path) -> None:
    flag = tmp_path / "flag"
    first = book.add("python", code=f"x = open({str(flag)!r}).read()")
    second = book.add("python", code="y = x + '!'")
    third = book.add("python", code="print(y)")
    assert book.rest() == [CellState.ERROR] * 3
    # Not by an edit, which would look at the file, too.
    flag.write_text("hello")
    book.bench.run(book.branch, [third], False, book.person)
    assert book.rest() == [CellState.DONE] * 3
    assert book.printed(third) == "hello!\n"
    assert [book.cell(handle).state for handle in (first, second)] == [CellState.DONE] * 2


def test_what_an_edit_would_make_run_is_told_with_the_time_it_took(book: Book) -> None:
    first = book.add("python", code="x = 1")
    second = book.add("python", code="y = x + 1")
    book.add("python", code="z = 3")
    book.rest()
    ref = VersionRef(branch=book.branch, number=book.bench.branch(book.branch).head)
    told = book.bench.preview(ref, UpdateCell(handle=first, parameters={"code": "x = 2"}), book.person)
    assert [each.handle for each in told] == [first, second]
    assert all(each.seconds and each.seconds > 0 for each in told)
    assert book.bench.preview(ref, UpdateCell(handle=first, parameters={"code": "x = 1"}), book.person) == []
    assert book.bench.branch(book.branch).head == ref.number
