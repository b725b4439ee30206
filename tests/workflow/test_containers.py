"""A notebook whose Python cells run in containers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tests.support.containers import add_image
from tests.support.containers import image as image
from tests.workflow.book import Book
from trailbook.errors import BadPackages
from trailbook.model.base import BranchId, CellHandle, RunId
from trailbook.model.edits import SetPackages
from trailbook.settings import CONTAINER, Settings
from trailbook.workflow.workbench import Workbench


@pytest.fixture
def contained(settings: Settings, image: str, tmp_path: Path) -> Settings:
    home = tmp_path / "notebooks"
    home.mkdir()
    (home / "data.txt").write_text("from home")
    return replace(settings, isolation=CONTAINER, container_image=image, home=str(home))


@pytest.fixture
def book(contained: Settings) -> Iterator[Book]:
    bench = Workbench(contained)
    yield Book(bench)
    bench.close()


def run_of(book: Book, handle: CellHandle) -> RunId:
    run = book.settled(handle).run
    assert run
    return run.id


def test_cells_see_what_is_above_and_in_the_notebooks_folder_and_only_the_packages_of_the_image(
    book: Book,
) -> None:
    book.add("python", code="numbers = list(range(5000))\nopen('kept.txt', 'w').write('kept')")
    read = book.add("python", code="print(len(numbers), open('kept.txt').read(), open('data.txt').read())")
    assert book.printed(read) == "5000 kept from home\n"
    with pytest.raises(BadPackages, match="have tiny put into the image"):
        book.edit(SetPackages(packages=("tiny",)))


def test_results_of_one_image_are_not_those_of_another(contained: Settings, image: str, tmp_path: Path) -> None:
    name = add_image(tmp_path, f"{image}:changing", "LABEL note=first")
    found: list[RunId] = []
    branch: BranchId | None = None
    handle: CellHandle | None = None
    for note in ("first", "first", "second"):
        if note == "second":
            add_image(tmp_path, name, f"LABEL note={note}")
        bench = Workbench(replace(contained, container_image=name))
        book = Book(bench, branch)
        handle = handle or book.add("python", code="print(1)")
        bench.run(book.branch, None, False, book.person)
        found.append(run_of(book, handle))
        branch = book.branch
        bench.close()
    assert found[0] == found[1] != found[2]
