"""What an edit makes run: 50 cells, of which each is edited in turn.

`run` counts the cells that ran after all those edits, `affected` those that had to: the edited cell, and whatever
reads a name that another value was given. They must be equal, edit by edit; and undoing all edits must run nothing.
Some cells come out the same whatever they read, so that what depends on them stays. `overhead_ms` is what it took
beyond the runs themselves, from request to last event with one worker, divided by the cells that ran. The last line
is JSON.
"""

from __future__ import annotations

import json
import random
import statistics
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from benchmarks._trailbook import Book, served

CELLS = 50
ONE_WORKER = {"TRAILBOOK_WORKERS": "1"}


@dataclass(frozen=True)
class Cell:
    """A number of its own, and the cells above whose values it adds, or looks at and forgets."""

    number: int
    reads: Sequence[int]
    forgets: bool

    def code(self, own: int) -> str:
        read = " + ".join(f"v{i}" for i in self.reads) or "0"
        value = f"{own} + 0 * ({read})" if self.forgets else f"{own} + {read}"
        return f"v{self.number} = {value}"


@dataclass(frozen=True)
class Edit:
    run: frozenset[int]
    affected: frozenset[int]
    seconds: float
    """Of the whole edit."""
    in_cells: float
    """Of the runs."""


def cells() -> list[Cell]:
    """Most read what stands shortly above, as in notebooks of people."""
    chance = random.Random(7)
    made = []
    for i in range(CELLS):
        above = range(max(0, i - 8), i)
        reads = chance.sample(above, min(len(above), chance.choice((0, 1, 1, 2, 2, 3))))
        made.append(Cell(i, sorted(reads), forgets=chance.random() < 0.15))
    return made


def affected(notebook: Sequence[Cell], edited: int) -> frozenset[int]:
    """The cells that have to run once the value of one has changed."""
    changed, found = {edited}, {edited}
    for cell in notebook:
        if changed & set(cell.reads):
            found.add(cell.number)
            if not cell.forgets:
                changed.add(cell.number)
    return frozenset(found)


def edit_each(book: Book, notebook: Sequence[Cell]) -> list[Edit]:
    edits = []
    for cell in notebook:
        before = _runs(book)
        seconds = book.edit(cell.number, cell.code(1000 + cell.number))
        ran = frozenset(i for i, (was, now) in enumerate(zip(before, _runs(book), strict=True)) if was != now)
        in_cells = sum(_seconds(book.cells[book.handles[i]]["run"]) for i in ran)
        edits.append(Edit(ran, affected(notebook, cell.number), seconds, in_cells))
    return edits


def undo_all(book: Book, count: int) -> int:
    """How many runs start if so many edits are undone."""
    before = len(book.started)
    for _ in range(count):
        book.undo()
    return len(book.started) - before


@contextmanager
def _served(folder: Path, codes: Sequence[str]) -> Iterator[Book]:
    with served(folder, env=ONE_WORKER) as bench, bench.book(codes) as book:
        yield book


def _runs(book: Book) -> list[str]:
    return [cell["run"]["id"] for cell in book.cells.values()]


def _seconds(run: Mapping[str, str]) -> float:
    return (datetime.fromisoformat(run["finished"]) - datetime.fromisoformat(run["started"])).total_seconds()


def main() -> None:
    notebook = cells()
    codes = [cell.code(cell.number) for cell in notebook]
    with tempfile.TemporaryDirectory() as folder, _served(Path(folder), codes) as book:
        first = book.run()
        edits = edit_each(book, notebook)
        undone = undo_all(book, len(edits))
    wrong = [i for i, edit in enumerate(edits) if edit.run != edit.affected]
    overhead = [1000 * (edit.seconds - edit.in_cells) / len(edit.run) for edit in edits]
    figures = {
        "cells": CELLS,
        "run": sum(len(edit.run) for edit in edits),
        "affected": sum(len(edit.affected) for edit in edits),
        "wrong_edits": wrong,
        "run_by_undo": undone,
        "first_run_seconds": round(first, 2),
        "edit_median_ms": round(1000 * statistics.median(edit.seconds for edit in edits), 1),
        "overhead_ms": round(statistics.median(overhead), 2),
    }
    print(json.dumps({"benchmark": "incremental", **figures}))
    if wrong or undone:
        raise SystemExit("not exactly the affected cells ran")


if __name__ == "__main__":
    main()
