"""A lock that is given to whoever has waited longest."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager


class Turns:
    """Lets one thread in at a time, in the order they came: one that comes back at once can't starve the others."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._queue: deque[threading.Event] = deque()
        self._holder: int | None = None

    @contextmanager
    def taken(self) -> Iterator[None]:
        if self._holder == threading.get_ident():
            raise RuntimeError("This thread has its turn already; it would wait for itself.")
        turn = threading.Event()
        with self._guard:
            self._queue.append(turn)
            if self._queue[0] is turn:
                turn.set()
        turn.wait()
        self._holder = threading.get_ident()
        try:
            yield
        finally:
            with self._guard:
                self._holder = None
                self._queue.popleft()
                if self._queue:
                    self._queue[0].set()
