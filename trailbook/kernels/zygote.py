"""The host's side of the zygote: a process that is forked for each run, so that an interpreter is ready at once."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path

import trailbook
from trailbook.errors import CellFailed

PACKAGE_ROOT = str(Path(trailbook.__file__).resolve().parent.parent)
BOOTSTRAP = "import sys; sys.path.append(sys.argv[1]); from trailbook.kernels.child.zygote import main; main()"
BACKEND = "module://trailbook.kernels.child.backend"
SOCKET = socket.SOCK_SEQPACKET if sys.platform == "linux" else socket.SOCK_DGRAM
"""Keeps messages apart, and what is sent along with each."""
LONGEST_MESSAGE = 65_536
KILLED = -9
NO_THREADS = {"JE_ARROW_MALLOC_CONF": "background_thread:false"}
"""What keeps libraries from starting threads when they are imported: those would not be there after a fork."""


class Zygote:
    """Can be asked to fork at any time: if the process is not there yet, or gone, it is started."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: ZygoteProcess | None = None

    def start(self) -> None:
        """Have it ready before it is needed."""
        with self._lock:
            self._alive()

    def fork(self, directory: Path, temporary: Path, descriptors: list[int]) -> Forked:
        """A fresh process in the directory, with these as its stdout, its stderr and its talk with the host."""
        request = {"directory": str(directory), "temporary": str(temporary)}
        with self._lock:
            for _ in range(2):
                forked = self._alive().fork(request, descriptors)
                if forked:
                    return forked
        raise CellFailed("No process could be started for this cell: the one it is forked from keeps ending.")

    def close(self) -> None:
        """End it, and with it all that was forked."""
        with self._lock:
            if self._process:
                self._process.close()
                self._process = None

    def _alive(self) -> ZygoteProcess:
        if self._process is None or self._process.is_gone:
            self._process = ZygoteProcess()
        return self._process


class ZygoteProcess:
    """One zygote from its start to its end, and a thread that listens to it.

    Linux ends a process with the thread that started it, so that thread does, and stays.
    """

    def __init__(self) -> None:
        self.is_gone = False
        self._talk, theirs = socket.socketpair(socket.AF_UNIX, SOCKET)
        self._changed = threading.Condition()
        self._forked: list[int] = []
        self._known: set[int] = set()
        self._codes: dict[int, int] = {}
        threading.Thread(target=self._attend, args=(theirs,), name="zygote", daemon=True).start()

    def fork(self, request: dict[str, str], descriptors: list[int]) -> Forked | None:
        """None if it is gone. One thread at a time may ask."""
        try:
            socket.send_fds(self._talk, [json.dumps(request).encode()], descriptors)
        except OSError:
            self.close()
        with self._changed:
            self._changed.wait_for(lambda: self._forked or self.is_gone)
            return Forked(self, self._forked.pop()) if self._forked else None

    def exit_code(self, pid: int) -> int | None:
        with self._changed:
            return self._codes.get(pid, KILLED if self.is_gone else None)

    def reap(self, pid: int) -> None:
        """Wait for its end; from now on another process may get its number."""
        with self._changed:
            self._changed.wait_for(lambda: pid in self._codes or self.is_gone)
            self._codes.pop(pid, None)
            self._known.discard(pid)
        with suppress(OSError):
            self._talk.send(json.dumps({"reap": pid}).encode())

    def close(self) -> None:
        with suppress(OSError):
            self._talk.shutdown(socket.SHUT_RDWR)

    def _attend(self, theirs: socket.socket) -> None:
        with theirs:
            arguments = [PACKAGE_ROOT, str(theirs.fileno()), str(os.getpid())]
            process = subprocess.Popen(
                [sys.executable, "-c", BOOTSTRAP, *arguments],
                stdin=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
                env=child_environment(),
                start_new_session=True,
            )
        try:
            with suppress(OSError):
                while message := self._talk.recv(LONGEST_MESSAGE):
                    self._hear(json.loads(message))
        finally:
            process.kill()
            process.wait()
            with self._changed:
                self.is_gone = True
                self._changed.notify_all()
            self._talk.close()

    def _hear(self, message: dict[str, int]) -> None:
        with self._changed:
            pid = message["pid"]
            if "code" in message:
                self._codes[pid] = message["code"]
            # One that ended before it could speak was forked nevertheless.
            if pid not in self._known:
                self._known.add(pid)
                self._forked.append(pid)
            self._changed.notify_all()


class Forked:
    """A process that was forked. Its number is its own until it is reaped."""

    def __init__(self, zygote: ZygoteProcess, pid: int) -> None:
        self.pid = pid
        self._zygote = zygote

    def exit_code(self) -> int | None:
        """Nothing while it runs; negative if a signal ended it."""
        return self._zygote.exit_code(self.pid)

    def reap(self) -> None:
        self._zygote.reap(self.pid)


def child_environment() -> dict[str, str]:
    """The server's environment, without what is meant for the server alone."""
    inherited = {key: value for key, value in os.environ.items() if not key.startswith("TRAILBOOK_")}
    return {**inherited, "MPLBACKEND": BACKEND, "SPARK_CONNECT_MODE_ENABLED": "1", **NO_THREADS}
