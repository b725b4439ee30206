"""The place of a run among those that a worker runs at once."""

from __future__ import annotations

import threading

from trailbook.workflow.slots import Slots


class Place:
    """Taken while the run goes on, left while it waits; a run with several threads has one all the same."""

    def __init__(self, slots: Slots) -> None:
        self._slots = slots
        self._lock = threading.Lock()
        self._is_taken = False
        self._was_left = threading.Event()

    def take(self) -> None:
        """Wait for a free one."""
        with self._lock:
            if not self._is_taken:
                free = threading.Event()
                while not self._slots.take(free.set):
                    free.wait()
                    free.clear()
                self._is_taken = True

    def leave(self) -> None:
        with self._lock:
            if self._is_taken:
                self._is_taken = False
                for tell in self._slots.give_back():
                    tell()
        self._was_left.set()

    def wait_until_left(self) -> None:
        """Until it was left for the first time."""
        self._was_left.wait()
