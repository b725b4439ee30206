"""What code says of the data that it saves decides what is in doubt of it, and outlives changes of doubt alone."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.workflow.book import Book
from tests.workflow.test_doubt import Source
from trailbook.cells.kind import KINDS
from trailbook.model.artifacts import Doubt
from trailbook.model.base import CellHandle
from trailbook.model.runs import NoteMessage
from trailbook.settings import Settings
from trailbook.store import artifacts
from trailbook.workflow.workbench import Workbench

FRAME = "import pyarrow as pa\nframe = pa.table({'x': [1, 2]})\n"


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workbench]:
    KINDS.add(Source.kind, Source)
    bench = Workbench(Settings(data=tmp_path_factory.mktemp("data"), browser=False))
    yield bench
    bench.close()
    del KINDS._parts[Source.kind]


@pytest.fixture
def book(bench: Workbench) -> Book:
    return Book(bench)


def doubt(book: Book, handle: CellHandle, name: str) -> Doubt:
    run = book.settled(handle).run
    assert run
    assert run.error is None, run.error
    with book.bench.store.reading() as tx:
        return artifacts.get(tx, run.writes[name]).doubt


def test_what_is_saved_is_in_doubt_only_if_what_it_depends_on_is(book: Book) -> None:
    source = book.add("source")
    book.add("python", code="sure = 5")
    code = f"""{FRAME}t, sure
tb.save("by_default", frame)
tb.save("by_t", frame, depends_on=["t"])
tb.save("by_sure", frame, depends_on=["sure"])
tb.save("by_nothing", frame, depends_on=[])
"""
    saved = book.add("python", code=code)
    coarse = {
        name: doubt(book, saved, name).coarse for name in ("by_default", "by_t", "by_sure", "by_nothing", "frame")
    }
    assert coarse == {"by_default": True, "by_t": True, "by_sure": False, "by_nothing": False, "frame": True}
    notes = [message for message in book.settled(saved).run.messages if isinstance(message, NoteMessage)]  # type: ignore[union-attr]
    assert NoteMessage(text="In doubt as a whole: by_default, by_t, frame, since t is.") in notes
    book.update(source, doubtful=False)
    assert all(doubt(book, saved, name).is_none for name in coarse)
    book.update(source, doubtful=True)
    assert {name: doubt(book, saved, name).coarse for name in coarse} == coarse


def test_what_is_saved_under_the_name_of_a_function_is_no_function(book: Book) -> None:
    book.add("source")
    saved = book.add("python", code=f"{FRAME}t\ndef f(): return 1\ntb.save('f', frame)")
    assert doubt(book, saved, "f").coarse


def test_caveats_stay_when_only_doubt_changes_above(book: Book) -> None:
    source = book.add("source", doubtful=False)
    code = f"import uuid\nprint(uuid.uuid4())\n{FRAME}t\ntb.save('kept', frame, caveats=[tb.Caveat('?', 1, 'x')])"
    saved = book.add("python", code=code)
    printed = book.printed(saved)
    assert doubt(book, saved, "kept") == Doubt(values={"x": 1})
    book.update(source, doubtful=True)
    assert doubt(book, saved, "kept").coarse
    book.update(source, doubtful=False)
    assert doubt(book, saved, "kept") == Doubt(values={"x": 1})
    assert book.printed(saved) == printed


def test_a_renamed_dataset_has_its_own_doubts_and_no_others(book: Book) -> None:
    book.add("python", code=f"{FRAME}tb.save('raw', frame, caveats=[tb.Caveat('?', row=1, column='x')])\ndel frame")
    renamed = book.add("python", code="tb.rename('raw', 'cooked')")
    assert doubt(book, renamed, "cooked") == Doubt(values={"x": 1})
    run = book.settled(renamed).run
    assert run
    assert (set(run.writes), run.deletes) == ({"cooked"}, ("raw",))
    below = book.add("python", code="cooked = cooked.slice(1)\nprint(len(cooked))")
    assert book.printed(below) == "1\n"
    assert doubt(book, below, "cooked").coarse


@pytest.mark.parametrize("code", ["if len(t): tb.rename('raw', 'cooked')", "t\ntb.rename('raw', 'cooked')"])
def test_whether_code_renames_rests_on_what_it_has_looked_at(book: Book, code: str) -> None:
    source = book.add("source")
    book.add("python", code=f"{FRAME}tb.save('raw', frame)\ndel frame")
    renamed = book.add("python", code=code)
    assert doubt(book, renamed, "cooked").coarse
    book.update(source, doubtful=False)
    assert doubt(book, renamed, "cooked").is_none


def test_a_dropped_name_is_not_there_below(book: Book) -> None:
    book.add("python", code=f"{FRAME}kept = 1")
    dropped = book.add("python", code="tb.drop('frame')\ntb.drop('kept')")
    below = book.add("python", code="print('frame' in globals(), 'kept' in globals(), tb.datasets())")
    assert book.printed(below) == "False False []\n"
    book.update(dropped, code="tb.drop('kept')")
    assert book.printed(below) == "True False ['frame']\n"
