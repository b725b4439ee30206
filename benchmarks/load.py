"""Loading a generated CSV file, beside Spark's own reader with a given schema; memory of the server, and a preview.

Spark's reader knows the types and tracks nothing; a Load cell captures the file, finds out dialect and types, and marks
what is wrong. Both write Parquet. SIZES are megabytes, the last of which is measured in full.
"""

from __future__ import annotations

import json
import os
import random
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psutil

from trailbook.cells.previews.glance import Glance
from trailbook.cells.previews.model import FileInQuestion
from trailbook.model.base import BranchId
from trailbook.model.edits import InsertCell
from trailbook.model.notebook import VersionRef
from trailbook.model.runs import CellState
from trailbook.settings import GIB, load_settings
from trailbook.workflow.workbench import Workbench

SIZES = tuple(int(size) for size in os.environ.get("SIZES", "100,1000").split(","))
SCHEMA = "id bigint, name string, price double, pieces int, day date, moment timestamp, note string"
HEADER = "id,name,price,pieces,day,moment,note\n"
BAD_SHARE = 0.001
SETTLED = (CellState.DONE, CellState.ERROR, CellState.CANCELLED)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, workbench(Path(folder)) as bench:
        figures = [measured(bench, Path(folder), size) for size in SIZES]
    last = figures[-1]
    print(
        json.dumps(
            {
                "benchmark": "load",
                "megabytes": SIZES[-1],
                "seconds": round(last.seconds, 1),
                "spark_seconds": round(last.spark_seconds, 1),
                "ratio": round(last.seconds / last.spark_seconds, 2),
                "growth": round(last.seconds / figures[0].seconds, 1),
                "server_megabytes": round(last.server_bytes / 1e6),
                "preview_ms": round(last.preview_seconds * 1000),
            }
        )
    )


@dataclass(frozen=True)
class Figures:
    """Of a file of one size."""

    seconds: float
    spark_seconds: float
    server_bytes: int
    preview_seconds: float


@contextmanager
def workbench(folder: Path) -> Iterator[Workbench]:
    bench = Workbench(
        load_settings({"data": str(folder / "data"), "folders": str(folder), "upload_limit": str(100 * GIB)})
    )
    bench.engine.start()
    try:
        warm_up(bench, folder)
        yield bench
    finally:
        bench.close()


def warm_up(bench: Workbench, folder: Path) -> None:
    """Neither is to pay for Java's first minute."""
    small = write_file(folder / "small.csv", 2)
    by_spark(bench, small, folder / "warm")
    load(bench, small)
    look(bench, small)


def measured(bench: Workbench, folder: Path, size: int) -> Figures:
    path = write_file(folder / f"{size}.csv", size)
    looked = look(bench, path)
    spark_seconds = by_spark(bench, path, folder / f"spark-{size}")
    with peak_memory() as peak:
        seconds = load(bench, path)
    path.unlink()
    found = Figures(seconds, spark_seconds, peak[0], looked)
    print(f"{size} MB: {seconds:.1f} s, Spark {spark_seconds:.1f} s, server {peak[0] / 1e6:.0f} MB more", flush=True)
    return found


def write_file(path: Path, megabytes: int) -> Path:
    """Rows that look like people's, some of which are bad."""
    chance = random.Random(1)
    with path.open("w") as file:
        file.write(HEADER)
        number = 0
        while file.tell() < megabytes * 1_000_000:
            file.write("".join(row(chance, number + place) for place in range(10_000)))
            number += 10_000
    return path


def row(chance: random.Random, number: int) -> str:
    price = "n/a" if chance.random() < BAD_SHARE else f"{chance.random() * 1000:.2f}"
    note = '"a note, with a comma"' if number % 7 == 0 else "a plain note"
    end = ",surplus\n" if chance.random() < BAD_SHARE else "\n"
    day = f"2026-{number % 12 + 1:02d}-{number % 28 + 1:02d}"
    return f"{number},customer {number % 9973},{price},{number % 50},{day},{day} 12:{number % 60:02d}:00,{note}{end}"


def look(bench: Workbench, path: Path) -> float:
    """Seconds from the question to the preview, as the server asks it."""
    asked = FileInQuestion.model_validate({"path": str(path)})
    start = time.perf_counter()
    Glance(bench.looker, bench.store.files, bench.settings).at(asked)
    return time.perf_counter() - start


def by_spark(bench: Workbench, path: Path, target: Path) -> float:
    start = time.perf_counter()
    with bench.engine.session() as session:
        session.read.schema(SCHEMA).option("header", True).csv(str(path)).write.parquet(str(target))
    return time.perf_counter() - start


def load(bench: Workbench, path: Path) -> float:
    """Seconds from the edit to the dataset."""
    start = time.perf_counter()
    person = bench.person.id
    branch = BranchId(bench.create_project(path.name, person).branch)
    edit = InsertCell(kind="load", after=None, parameters={"name": "data", "path": str(path)})
    bench.edit(VersionRef(branch=branch, number=1), edit, person, branch_name=None, at_head=True)
    while (cell := bench.head(branch).cells[0]).state not in SETTLED:
        time.sleep(0.02)
    assert cell.state is CellState.DONE, cell.run and cell.run.error
    return time.perf_counter() - start


@contextmanager
def peak_memory() -> Iterator[list[int]]:
    """How many bytes this process had at most, beyond those at first."""
    process, over = psutil.Process(), threading.Event()
    before, peak = process.memory_info().rss, [0]

    def watch() -> None:
        while not over.wait(0.05):
            peak[0] = max(peak[0], process.memory_info().rss - before)

    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    try:
        yield peak
    finally:
        over.set()
        thread.join()


if __name__ == "__main__":
    main()
