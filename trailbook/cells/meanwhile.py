"""What is looked at again and again while something else goes on: how far Spark's tasks are, or whether to stop."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from trailbook.model.runs import Progress

LOOK_SECONDS = 0.5

Tell = Callable[[Progress], None]


@contextmanager
def meanwhile(look: Callable[[], None], seconds: float) -> Iterator[None]:
    """Have `look` called every so many seconds, by a thread of its own."""
    over = threading.Event()

    def go_on() -> None:
        while not over.wait(seconds):
            look()

    thread = threading.Thread(target=go_on, name="meanwhile", daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


@contextmanager
def parts_told(tell: Tell, label: str, folder: Path, total: int) -> Iterator[None]:
    """Tell how many of so many parts are in the folder, while they become more."""

    def look() -> None:
        tell(Progress(label=label, done=len(list(folder.glob("*.parquet"))), total=total))

    with meanwhile(look, LOOK_SECONDS):
        yield
