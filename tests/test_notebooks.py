"""Notebooks as people write them show here what they show under Jupyter.

`python -m scripts.notebooks` runs them under Jupyter and stores what they show there.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import chdir
from io import StringIO
from pathlib import Path

import pytest

from tests.support.shown import VARIES, Shown, read_notebook, stored, told
from trailbook.cli.progress import ProgressLines
from trailbook.cli.running import run_to_end
from trailbook.formats.format import ReadOptions, read_document
from trailbook.formats.importing import import_document
from trailbook.model.runs import CellState
from trailbook.settings import Settings
from trailbook.workflow.views import CellView
from trailbook.workflow.workbench import Workbench

NOTEBOOKS = sorted((Path(__file__).parent / "notebooks").glob("*.ipynb"))


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workbench]:
    """One for all notebooks. None of them needs Spark, so none is started."""
    bench = Workbench(Settings(data=tmp_path_factory.mktemp("data"), browser=False))
    yield bench
    bench.close()


def under_jupyter(path: Path) -> dict[int, Shown]:
    """What the file says that its code cells show, by place; without those that vary."""
    cells = enumerate(read_notebook(path).cells)
    code = {place: cell for place, cell in cells if cell.cell_type == "code"}
    return {place: stored(cell.outputs) for place, cell in code.items() if VARIES not in cell.metadata.get("tags", [])}


def under_trailbook(bench: Workbench, path: Path) -> dict[int, Shown]:
    """What all cells show after the file was imported and run, in its folder, as `trailbook run` does it."""
    document = read_document(path.name, path.read_bytes(), ReadOptions())
    bare = document.model_copy(update={"cells": tuple(cell.without_results() for cell in document.cells)})
    branch = import_document(bench, bare, path.stem, path.name, bench.person.id)
    with chdir(path.parent):
        notebook = run_to_end(bench, branch.id, ProgressLines(StringIO()))
    return {place: shown(view) for place, view in enumerate(notebook.cells)}


def shown(view: CellView) -> Shown:
    """What a cell shows; of one that has not ended, how it stands is the error."""
    if view.state not in (CellState.DONE, CellState.ERROR):
        return Shown(error=f"the cell is {view.state}")
    return told(view.run.messages, view.run.error) if view.run else Shown()


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_shows_what_it_shows_under_jupyter(bench: Workbench, notebook: Path, tmp_path: Path) -> None:
    wanted = under_jupyter(notebook)
    found = under_trailbook(bench, Path(shutil.copy(notebook, tmp_path)))
    assert {place: found[place] for place in wanted} == wanted
