"""What code in a sandbox wrote does no harm to who reads it, and shows nothing that the code can't see."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.workflow.book import Book
from trailbook.cells.admitting import require_harmless
from trailbook.errors import CellFailed
from trailbook.kernels.names import About, MadeDataset, MadeValue
from trailbook.model.runs import CellState
from trailbook.settings import SANDBOX, Settings
from trailbook.store import apart
from trailbook.workflow.workbench import Workbench

SAVED = 'import glob, os, pandas as pd\ntb.save("x", pd.DataFrame({"a": [1]}), caveats=[tb.Caveat("a guess")])\n'
REPLACED = 'for part in glob.glob("../**/*.parquet", recursive=True):\n    os.remove(part)\n    '


@pytest.fixture
def book(settings: Settings) -> Iterator[Book]:
    bench = Workbench(replace(settings, isolation=SANDBOX))
    yield Book(bench)
    bench.close()


def test_a_dataset_is_one_and_a_link_to_another_or_a_pipe_is_none(book: Book, tmp_path: Path) -> None:
    pq.write_table(pa.table({"secret": [42]}), tmp_path / "secret.parquet")
    sound = book.add("python", code=SAVED)
    link = book.add("python", code=f"{SAVED}{REPLACED}os.symlink({str(tmp_path / 'secret.parquet')!r}, part)")
    pipe = book.add("python", code=f"{SAVED}{REPLACED}os.mkfifo(part)")
    made = {output.name: output.artifact for output in book.settled(sound).outputs}
    assert made["x"].doubt.rows == 1
    for cell in (link, pipe):
        view = book.settled(cell)
        assert view.state is CellState.ERROR
        assert view.run
        assert view.run.error
        assert view.run.error.message == "x can't be stored: part-00000.parquet is not a plain file."


def test_what_ends_its_reader_does_not_end_the_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(apart, "DESCRIBING", "tests.formats.archive.aborting")
    (tmp_path / "x").mkdir()
    with pytest.raises(CellFailed, match="x can't be stored: it ends the process that reads it"):
        require_harmless({"x": MadeDataset(tmp_path / "x")}, tmp_path)


def test_a_pipe_is_no_value(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "value")
    with pytest.raises(CellFailed, match="v can't be stored: value is not a plain file"):
        require_harmless({"v": MadeValue(tmp_path / "value", About("int", "1", 1))}, tmp_path)


def test_what_the_code_did_not_write_is_not_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(apart, "DESCRIBING", "tests.formats.archive.aborting")
    require_harmless({"x": MadeDataset(tmp_path / "x")}, tmp_path / "scratch")
