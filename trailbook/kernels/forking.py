"""The host's end of the talk with a process that is forked for runs."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

import trailbook

PACKAGE_ROOT = str(Path(trailbook.__file__).resolve().parent.parent)
BOOTSTRAP = "import sys; sys.path.append(sys.argv[1]); from trailbook.kernels.child.zygote import main; main()"
BACKEND = "module://trailbook.kernels.child.shown.backend"
SOCKET = socket.SOCK_SEQPACKET if sys.platform == "linux" else socket.SOCK_DGRAM
"""Keeps messages apart, and what is sent along with each."""
LONGEST_MESSAGE = 65_536
KILLED = -9
NO_THREADS = {"JE_ARROW_MALLOC_CONF": "background_thread:false"}
"""What keeps libraries from starting threads when they are imported: those would not be there after a fork."""


class ZygoteProcess(ABC):
    """One zygote from its start to its end, and a thread that listens to it."""

    def __init__(self, on_news: Callable[[ZygoteProcess], None] = lambda _: None) -> None:
        """`on_news` is called by that thread, when it has loaded all it should, and when it is gone."""
        self.is_gone = False
        self.is_ready = False
        self.loading: str | None = None
        self._on_news = on_news
        self._talk, self._theirs = socket.socketpair(socket.AF_UNIX, SOCKET)
        self._asking = threading.Lock()
        self._changed = threading.Condition()
        self._forked: list[int] = []
        self._known: set[int] = set()
        self._codes: dict[int, int] = {}
        self._is_retired = False
        self._process: subprocess.Popen[bytes] | None = None
        threading.Thread(target=self._attend, name="zygote", daemon=True).start()

    def fork(self, request: dict[str, Any], descriptors: list[int]) -> Forked | None:
        """None if it is gone."""
        with self._asking:
            self._send(request, descriptors)
            with self._changed:
                self._changed.wait_for(lambda: self._forked or self.is_gone)
                return Forked(self, self._forked.pop()) if self._forked else None

    def exit_code(self, pid: int) -> int | None:
        with self._changed:
            return self._codes.get(pid, KILLED if self.is_gone else None)

    def signal(self, pid: int, number: int) -> None:
        """Send a signal to a process that it forked, and to all in its group."""
        # macOS refuses to signal a group whose members are all dead but not yet waited for.
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(pid, number)

    def reap(self, pid: int) -> None:
        """Wait for its end; from now on another process may get its number."""
        with self._changed:
            self._changed.wait_for(lambda: pid in self._codes or self.is_gone)
            self._codes.pop(pid, None)
            self._known.discard(pid)
        self._send({"reap": pid})
        self._close_if_done()

    def retire(self) -> None:
        """End it as soon as the last run that was forked from it has ended."""
        self._is_retired = True
        self._close_if_done()

    def close(self) -> None:
        with suppress(OSError):
            self._talk.shutdown(socket.SHUT_RDWR)

    def _close_if_done(self) -> None:
        # A fork that is under way will be reaped in its turn.
        if self._is_retired and self._asking.acquire(blocking=False):
            try:
                with self._changed:
                    is_done = not self._known
                if is_done:
                    self.close()
            finally:
                self._asking.release()

    def _send(self, request: dict[str, Any], descriptors: Iterable[int] = ()) -> None:
        try:
            socket.send_fds(self._talk, [json.dumps(request).encode()], list(descriptors))
        except OSError:
            self.close()

    def _attend(self) -> None:
        try:
            self._start()
            with suppress(OSError):
                while message := self._talk.recv(LONGEST_MESSAGE):
                    self._hear(json.loads(message))
        finally:
            self._end()
            with self._changed:
                self.is_gone = True
                self._changed.notify_all()
            self._talk.close()
            self._on_news(self)

    @abstractmethod
    def _start(self) -> None:
        """Have the process begin."""

    def _end(self) -> None:
        if self._process:
            self._process.kill()
            self._process.wait()

    def _hear(self, message: dict[str, Any]) -> None:
        if "pid" in message:
            self._hear_of(message["pid"], message.get("code"))
            return
        self.loading = message["loading"]
        if self.loading is None:
            self.is_ready = True
            self._on_news(self)

    def _hear_of(self, pid: int, code: int | None) -> None:
        with self._changed:
            if code is not None:
                self._codes[pid] = code
            # One that ended before it could speak was forked nevertheless.
            if pid not in self._known:
                self._known.add(pid)
                self._forked.append(pid)
            self._changed.notify_all()


class PlainZygote(ZygoteProcess):
    """A fresh interpreter without libraries.

    Linux ends a process with the thread that started it, so the one that listens does, and stays.
    """

    def __init__(self, interpreter: str = sys.executable) -> None:
        self._interpreter = interpreter
        super().__init__()

    def _start(self) -> None:
        with self._theirs:
            arguments = [PACKAGE_ROOT, str(self._theirs.fileno()), str(os.getpid())]
            self._process = subprocess.Popen(
                [self._interpreter, "-P", "-c", BOOTSTRAP, *arguments],
                stdin=subprocess.DEVNULL,
                pass_fds=[self._theirs.fileno()],
                env=child_environment(),
                start_new_session=True,
            )

    def breed(self, theirs: socket.socket, modules: Iterable[str]) -> None:
        """Have it fork another zygote, which loads modules and talks at that end."""
        self._send({"breed": list(modules)}, [theirs.fileno()])


class LoadedZygote(ZygoteProcess):
    """A process that is forked from a plain zygote and loads modules; it ends with that one."""

    def __init__(
        self, plain: PlainZygote, modules: Iterable[str], on_news: Callable[[ZygoteProcess], None] = lambda _: None
    ) -> None:
        self._wanted = tuple(modules)
        self.modules = frozenset(self._wanted)
        self._plain = plain
        super().__init__(on_news)

    def _start(self) -> None:
        with self._theirs:
            self._plain.breed(self._theirs, self._wanted)


class Forked:
    """A process that was forked. Its number is its own until it is reaped."""

    def __init__(self, zygote: ZygoteProcess, pid: int) -> None:
        self.pid = pid
        self._zygote = zygote

    def exit_code(self) -> int | None:
        """Nothing while it runs; negative if a signal ended it."""
        return self._zygote.exit_code(self.pid)

    def signal(self, number: int) -> None:
        self._zygote.signal(self.pid, number)

    def reap(self) -> None:
        self._zygote.reap(self.pid)


def child_environment() -> dict[str, str]:
    """The server's environment, without what is meant for the server alone."""
    inherited = {key: value for key, value in os.environ.items() if not key.startswith("TRAILBOOK_")}
    # With one seed for all, a set is printed in the same order by each run.
    own = {"MPLBACKEND": BACKEND, "SPARK_CONNECT_MODE_ENABLED": "1", "PYTHONHASHSEED": "0"}
    return {**inherited, **own, **NO_THREADS}
