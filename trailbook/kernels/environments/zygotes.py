"""A zygote for each environment that cells run in."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from trailbook.kernels.environments.folders import interpreter_of
from trailbook.kernels.zygote import Zygote

IDLE_SECONDS = 600.0
"""A zygote that nobody has needed for so long is ended; it holds the memory of all libraries."""


@dataclass
class _Kept:
    zygote: Zygote
    leases: int = 0
    retiring: threading.Timer | None = None


class Zygotes:
    """Started when an environment is first used, ended some time after it was last used."""

    def __init__(self, idle_seconds: float = IDLE_SECONDS) -> None:
        self._idle_seconds = idle_seconds
        self._lock = threading.Lock()
        self._kept: dict[Path, _Kept] = {}

    @contextmanager
    def lease(self, environment: Path) -> Iterator[Zygote]:
        """It stays as long as somebody has it."""
        with self._lock:
            if environment not in self._kept:
                self._kept[environment] = _Kept(Zygote(str(interpreter_of(environment))))
            kept = self._kept[environment]
            kept.leases += 1
            if kept.retiring:
                kept.retiring.cancel()
        try:
            yield kept.zygote
        finally:
            with self._lock:
                kept.leases -= 1
                if not kept.leases:
                    self._retire_later(environment, kept)

    def retire(self, environment: Path) -> bool:
        """End that of an environment, unless cells run in it. Returns whether there is none now."""
        with self._lock:
            kept = self._kept.get(environment)
            if kept and kept.leases:
                return False
            self._kept.pop(environment, None)
        if kept:
            kept.zygote.close()
        return True

    def close(self) -> None:
        with self._lock:
            kept = list(self._kept.values())
            self._kept.clear()
        for one in kept:
            if one.retiring:
                one.retiring.cancel()
            one.zygote.close()

    def _retire_later(self, environment: Path, kept: _Kept) -> None:
        kept.retiring = threading.Timer(self._idle_seconds, self.retire, [environment])
        kept.retiring.daemon = True
        kept.retiring.start()
