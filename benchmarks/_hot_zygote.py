"""What it saves to fork from a process that has a table mapped already: `python -m benchmarks._hot_zygote FOLDER ROWS`.

Prints JSON, in milliseconds: `cold` from a fork to a child that has mapped the table itself, `hot` to one that was
forked with it; `cold_all` and `hot_all` until each has gone over all its values.
"""

from __future__ import annotations

import gc
import json
import os
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd

from trailbook.kernels.child.frames.dataset import Dataset
from trailbook.kernels.child.frames.storing import store

ROUNDS = 15


def child_seconds(load: Callable[[], pd.DataFrame]) -> tuple[float, float]:
    """From the fork until the child has the table, and until it has gone over it."""
    reading, writing = os.pipe()
    start = time.perf_counter()
    pid = os.fork()
    if pid == 0:
        frame = load()
        len(frame)
        had = time.perf_counter() - start
        frame.sum()
        os.write(writing, json.dumps([had, time.perf_counter() - start]).encode())
        os._exit(0)
    os.close(writing)
    had, gone_over = json.loads(os.read(reading, 1000))
    os.close(reading)
    os.waitpid(pid, 0)
    return had, gone_over


def main() -> None:
    folder, rows = Path(sys.argv[1]), int(sys.argv[2])
    directory = folder / f"hot-{rows}"
    made = pd.DataFrame(np.random.default_rng(1).random((rows, 4)), columns=list("abcd"))
    store(made, str(directory), note=print)
    del made
    gc.collect()
    dataset = Dataset("frame", str(directory), session=lambda: None)  # type: ignore[arg-type, return-value]
    cold = [child_seconds(dataset.pandas) for _ in range(ROUNDS)]
    frame = dataset.pandas()
    frame.sum()
    hot = [child_seconds(lambda: frame) for _ in range(ROUNDS)]
    found = {
        f"{name}{end}": round(1000 * statistics.median(one[i] for one in times), 2)
        for name, times in (("cold", cold), ("hot", hot))
        for i, end in enumerate(("", "_all"))
    }
    print(json.dumps(found))


if __name__ == "__main__":
    main()
