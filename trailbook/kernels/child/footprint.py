"""What importing a module must leave as it was in a process that others are forked from."""

from __future__ import annotations

import os
import random
import signal
import sys
import threading
from contextlib import suppress
from dataclasses import dataclass, fields, replace
from typing import Any

_TASKS, _OPEN = "/proc/self/task", "/proc/self/fd"
MOST_DRAWN = 2000
_SIGNALS = (signal.SIGCHLD, signal.SIGINT, signal.SIGTERM)


@dataclass(frozen=True)
class Footprint:
    """The state of this process. Variables of the environment may be added: each run starts with those it finds."""

    threads: int
    connections: int
    handlers: tuple[Any, ...]
    directory: str
    environment: dict[str, str]
    numpy_random: Any
    random: Any

    @classmethod
    def of_now(cls, known: dict[str, str] | None = None) -> Footprint:
        """`known` are the variables of the environment that count, if not all do."""
        _end_passing_threads()
        return cls(
            threads=_count_threads(),
            connections=_count_connections(),
            handlers=tuple(signal.getsignal(number) for number in _SIGNALS),
            directory=os.getcwd(),
            environment={key: value for key, value in os.environ.items() if known is None or key in known},
            numpy_random=_numpy_state(),
            random=random.getstate(),
        )

    def changed(self) -> str | None:
        """What is not as it was, if anything."""
        now = Footprint.of_now(self.environment)
        now = replace(now, random=self.random) if _is_drawn_from(self.random, now.random) else now
        for field in fields(self):
            before, after = getattr(self, field.name), getattr(now, field.name)
            if before is not None and before != after:
                return field.name
        return None


def _is_drawn_from(before: Any, after: Any) -> bool:
    """Whether numbers were drawn, as for the names of temporary files, and none was a seed, which cells rely on."""
    generator = random.Random()
    generator.setstate(before)
    for _ in range(MOST_DRAWN):
        if generator.getstate()[1] == after[1]:
            return True
        generator.getrandbits(32)
    return False


def _end_passing_threads() -> None:
    """Fork once: libraries that know of forks, such as OpenBLAS, end their threads before one."""
    pid = os.fork()
    if not pid:
        os._exit(0)
    os.waitpid(pid, 0)


def _count_threads() -> int:
    return len(os.listdir(_TASKS)) if os.path.isdir(_TASKS) else threading.active_count()


def _count_connections() -> int:
    """Sockets and pipes that are open, through which a process that was started would be talked to."""
    found = 0
    for name in os.listdir(_OPEN) if os.path.isdir(_OPEN) else []:
        # The directory itself was open while it was listed.
        with suppress(OSError):
            found += os.readlink(f"{_OPEN}/{name}").startswith(("socket:", "pipe:"))
    return found


def _numpy_state() -> Any:
    if "numpy.random" not in sys.modules:
        return None
    name, words, *rest = sys.modules["numpy.random"].get_state()
    return name, words.tobytes(), *rest
