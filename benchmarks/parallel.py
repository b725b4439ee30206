"""Cells side by side: the experiment of the paper on provenance refinement (TaPP 2022, section 6), on two cores.

One cell makes a table of 100,000 rows, ten others compute pairwise distances of a part of it, with one thread each,
with one worker and with two in turn: `speedup` is the time of the first over that of the second. `load_ms` is how
long a fresh cell takes to have tables of growing size as pandas, and to go once over all their values, with the file
in memory (warm) and not (cold), beside a pickle. `zygote_ms` is what it would save if cells were forked from a
process that has the table already. SUBSET=2000 has a quick look. `--picture` draws the traces and the load times for
docs/ anew. The last line is JSON.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from datetime import datetime
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from benchmarks._charts import Line, draw_lines
from benchmarks._timeline import Lane, Span, Timeline, draw
from benchmarks._trailbook import Bench, Book, seconds, served

PICTURES = Path(__file__).parents[1] / "docs" / "pictures"
ROUNDS = int(os.environ.get("ROUNDS", "3"))
READERS = 10
SUBSET = int(os.environ.get("SUBSET", "14000"))
ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
WRITER = (
    "import numpy as np\nimport pandas as pd\n"
    "points = pd.DataFrame(np.random.default_rng({seed}).integers(0, 10**6, (100_000, 2)), columns=['x', 'y'])"
)
READER = f"""
some = points.sample({SUBSET}, random_state={{seed}}).to_numpy(float)
total{{place}} = 0.0
for start in range(0, len(some), 250):
    away = some[start:start + 250, None, :] - some[None, :, :]
    total{{place}} += float(np.sqrt((away ** 2).sum(-1)).sum())
"""
SIZES = (1_000, 10_000, 100_000, 1_000_000, 5_000_000)
TABLE = "pd.DataFrame(np.random.default_rng(1).random(({rows}, 4)), columns=list('abcd'))"
LOOK = """
import time
begin = time.perf_counter()
len(frame)
had = time.perf_counter()
frame.sum()
print(1000 * (had - begin), 1000 * (time.perf_counter() - begin))
"""

Loads = dict[str, dict[str, float]]


def workload(seed: int) -> list[str]:
    readers = [READER.format(place=place, seed=seed + place) for place in range(READERS)]
    return [WRITER.format(seed=seed), *readers]


def traced(bench: Bench, seed: int) -> tuple[float, list[Span]]:
    """How long the workload took, and when each of its cells ran."""
    with bench.book(workload(seed)) as book:
        whole = book.run()
        runs = [cell["run"] for cell in book.cells.values()]
    times = [(datetime.fromisoformat(run["started"]), datetime.fromisoformat(run["finished"])) for run in runs]
    first = min(start for start, _ in times)
    return whole, [Span((start - first).total_seconds(), (end - first).total_seconds()) for start, end in times]


def timeline(title: str, spans: list[Span]) -> Timeline:
    writer, *readers = spans
    return Timeline(title, [Lane("writer", "#b7791f", [writer]), Lane(f"{READERS} readers", "#2b6cb0", readers)])


def _with_workers(folder: Path, count: int) -> AbstractContextManager[Bench]:
    return served(folder / f"{count}", env={**ONE_THREAD, "TRAILBOOK_WORKERS": f"{count}"})


def side_by_side(folder: Path, picture: bool) -> dict[str, float]:
    serial, parallel = [], []
    with _with_workers(folder, 1) as one, _with_workers(folder, 2) as two:
        for seed in range(0, 100 * ROUNDS, 100):
            serial.append(traced(one, seed))
            parallel.append(traced(two, seed))
    before, after = (statistics.median(whole for whole, _ in traces) for traces in (serial, parallel))
    if picture:
        drawn = [timeline("one worker", serial[-1][1]), timeline("two workers", parallel[-1][1])]
        draw(drawn, PICTURES / "parallel-traces.svg")
    return {
        "serial_seconds": round(before, 2),
        "parallel_seconds": round(after, 2),
        "speedup": round(before / after, 2),
    }


def loads(folder: Path, rows: int, bench: Bench) -> dict[str, float]:
    """Milliseconds until a fresh cell has a table, and until it has gone over all of it."""
    made, path, number = TABLE.format(rows=rows), folder / "frame.pickle", count()
    eval(made, {"pd": pd, "np": np}).to_pickle(path)
    with bench.book([f"import numpy as np\nimport pandas as pd\nframe = {made}", LOOK]) as book:
        book.run()
        measures: Mapping[str, Callable[[], tuple[float, float]]] = {
            "cold": lambda: _look(book, next(number), before=lambda: _forget(folder)),
            "warm": lambda: _look(book, next(number)),
            "pickle": lambda: _unpickled(path),
        }
        found = [{name: measure() for name, measure in measures.items()} for _ in range(ROUNDS)]
    had = {name: statistics.median(one[name][0] for one in found) for name in measures}
    gone_over = {f"{name}_all": statistics.median(one[name][1] for one in found) for name in measures}
    return {name: round(value, 2) for name, value in {**had, **gone_over}.items()}


def _look(book: Book, number: int, before: Callable[[], object] = lambda: None) -> tuple[float, float]:
    before()
    book.edit(1, f"{LOOK}# {number}")
    had, gone_over = map(float, book.printed(1).split())
    return had, gone_over


def _unpickled(path: Path) -> tuple[float, float]:
    frames: list[pd.DataFrame] = []
    had = seconds(lambda: frames.append(pd.read_pickle(path)))
    return 1000 * had, 1000 * (had + seconds(lambda: frames[0].sum()))


def _forget(folder: Path) -> None:
    """Have the system let go of what it keeps of the artifacts in memory."""
    for path in (folder / "data" / "artifacts").rglob("*"):
        if path.is_file():
            descriptor = os.open(path, os.O_RDONLY)
            os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
            os.close(descriptor)


def zygotes(folder: Path) -> dict[str, dict[str, float]]:
    """Forking from a process that has a table, against one that has none."""
    script = [sys.executable, "-m", "benchmarks._hot_zygote", str(folder)]
    found: dict[str, dict[str, float]] = {}
    for rows in SIZES[2:]:
        told = subprocess.run([*script, str(rows)], check=True, stdout=subprocess.PIPE, text=True)
        found[f"{rows}"] = json.loads(told.stdout)
    return found


def main() -> None:
    picture = "--picture" in sys.argv[1:]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        figures: dict[str, Any] = side_by_side(folder, picture)
        print(json.dumps(figures), flush=True)
        loading = folder / "loading"
        loading.mkdir()
        with served(loading, env=ONE_THREAD) as bench:
            load: Loads = {f"{rows}": loads(loading, rows, bench) for rows in SIZES}
        hot = zygotes(folder)
    if picture:
        lines = [Line(what, [load[f"{rows}"][what] for rows in SIZES]) for what in ("cold", "warm", "pickle")]
        draw_lines(SIZES, lines, "rows", "milliseconds until a fresh cell has the table", PICTURES / "load-times.svg")
    print(json.dumps({"benchmark": "parallel", **figures, "load_ms": load, "zygote_ms": hot}))


if __name__ == "__main__":
    main()
