"""How many cells run at once, over all branches."""

from __future__ import annotations

import threading
from collections.abc import Callable


class Slots:
    """Each running cell has one, unless it waits for another cell."""

    def __init__(self, count: int) -> None:
        self._lock = threading.Lock()
        self._free = count
        self._refused: list[Callable[[], None]] = []

    def take(self, when_free: Callable[[], None]) -> bool:
        """Whether there was one. If not, `when_free` is called once somebody gives one back."""
        with self._lock:
            if self._free > 0:
                self._free -= 1
                return True
            if when_free not in self._refused:
                self._refused.append(when_free)
            return False

    def give_back(self) -> list[Callable[[], None]]:
        """Those who were refused, to be called by the caller once it holds no lock that they might wait for."""
        with self._lock:
            self._free += 1
            refused, self._refused = self._refused, []
            return refused
