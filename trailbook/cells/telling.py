"""How far Spark's tasks are, by the files that they have written."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from trailbook.model.runs import Progress

LOOK_SECONDS = 0.5

Tell = Callable[[Progress], None]


@contextmanager
def parts_told(tell: Tell, label: str, folder: Path, total: int) -> Iterator[None]:
    """Tell how many of so many parts are in the folder, while they become more."""
    over = threading.Event()

    def look() -> None:
        while not over.wait(LOOK_SECONDS):
            tell(Progress(label=label, done=len(list(folder.glob("*.parquet"))), total=total))

    thread = threading.Thread(target=look, name="telling", daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
