"""The process of one run: a fresh interpreter that leads a process group of its own and dies with the server."""

from __future__ import annotations

import os
import signal
import socket
from collections.abc import Collection
from pathlib import Path

from trailbook.kernels.enclosure import Enclosure
from trailbook.kernels.limits import Limits
from trailbook.kernels.wire import Wire
from trailbook.kernels.zygote import Zygote


class ChildProcess:
    """A running child and the wire to it."""

    def __init__(self, origin: Zygote | Enclosure, scratch: Path, modules: Collection[str]) -> None:
        """`modules` are those that the code needs."""
        work, temporary = scratch / "work", scratch / "tmp"
        work.mkdir(exist_ok=True)
        temporary.mkdir()
        ours, theirs = socket.socketpair()
        stdout, their_stdout = os.pipe()
        stderr, their_stderr = os.pipe()
        try:
            self._process = origin.fork(work, temporary, [their_stdout, their_stderr, theirs.fileno()], modules)
        finally:
            theirs.close()
            os.close(their_stdout)
            os.close(their_stderr)
        self.wire = Wire(open(stdout, "rb", buffering=0), open(stderr, "rb", buffering=0), ours)  # noqa: SIM115

    def exit_code(self) -> int | None:
        """Nothing while it runs; negative if a signal ended it."""
        return self._process.exit_code()

    def interrupt(self) -> None:
        self._process.signal(signal.SIGINT)

    def kill(self) -> None:
        self._process.signal(signal.SIGKILL)

    def close(self) -> None:
        """End it with everything it started."""
        self.kill()
        self._process.reap()
        self.wire.close()


def describe_exit(code: int, limits: Limits) -> str:
    """Why a process that never said it was done is gone."""
    if code == -signal.SIGXCPU and limits.cpu_seconds:
        return f"The cell used {limits.cpu_seconds:g} seconds of the processor, all that it may use (setting cell_cpu)."
    if code >= 0:
        return f"The process ended with exit code {code} before the cell was done."
    # Real-time signals have numbers only.
    name = next((known.name for known in signal.Signals if known == -code), str(-code))
    hint = " Most often that means that the machine ran out of memory." if name == "SIGKILL" else ""
    return f"The process ended with signal {name}.{hint}"
