"""How a process that works for another one ends: when that one closes its input, or is gone."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable
from contextlib import suppress

STOPPED = 3
"""How it exits then."""


class Stopping:
    """Watches the input from now on."""

    def __init__(self) -> None:
        self._stop: Callable[[], object] = lambda: None
        threading.Thread(target=self._watch, name="stopping", daemon=True).start()

    def at_stop(self, stop: Callable[[], object]) -> None:
        """Have this done before the process ends too early: whoever works for it should stop as well."""
        self._stop = stop

    def _watch(self) -> None:
        while os.read(sys.stdin.fileno(), 1):
            pass
        with suppress(Exception):
            self._stop()
        os._exit(STOPPED)
