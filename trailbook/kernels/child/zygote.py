"""The process that has the usual libraries loaded and is forked for each run.

It imports them one after the other while it has nothing else to do, so that the first cells hardly wait for any. A
process of more than one thread can't be forked safely: nothing here may start one.
"""

from __future__ import annotations

import gc
import importlib
import json
import os
import selectors
import signal
import socket
import sys
import tempfile
from contextlib import suppress
from typing import Any, NoReturn

from trailbook.kernels.child.channel import Channel
from trailbook.kernels.child.lifeline import die_with
from trailbook.kernels.child.run import Run

# Not Polars, which starts a thread as soon as it is imported. OpenBLAS, too, but it ends its threads before a fork.
LIBRARIES = (
    "pyarrow.parquet",
    "pandas",
    "trailbook.kernels.child.frames",
    "trailbook.kernels.child.spark",
    "matplotlib.pyplot",
)
LONGEST_REQUEST = 65_536
IDLE_SECONDS = 0.2
"""Without a request for so long, there is time to import the next library."""


def main() -> None:
    descriptor, parent = int(sys.argv[2]), int(sys.argv[3])
    sys.argv = [""]
    die_with(parent)
    Zygote(socket.socket(fileno=descriptor)).serve()


class Zygote:
    """Forks when the host asks for it, and tells how the children end.

    A child that ended stays a zombie until the host is done with it: so long, nobody else gets its number.
    """

    def __init__(self, host: socket.socket) -> None:
        self._host = host
        self._running: set[int] = set()
        self._waker, self._wakes = socket.socketpair()
        for end in (self._waker, self._wakes):
            end.setblocking(False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(self._wakes.fileno(), warn_on_full_buffer=False)
        self._selector = selectors.DefaultSelector()
        self._selector.register(host, selectors.EVENT_READ)
        self._selector.register(self._waker, selectors.EVENT_READ)

    def serve(self) -> None:
        """Until the host closes its end."""
        for name in LIBRARIES:
            while self._attend(IDLE_SECONDS):
                pass
            with suppress(ImportError):
                importlib.import_module(name)
        # What is there now is never garbage; to look at it would copy its memory into each child.
        gc.collect()
        gc.freeze()
        while True:
            self._attend(None)

    def _attend(self, seconds: float | None) -> bool:
        """Do what is to do, waiting for it if there is nothing yet; whether there was something."""
        ready = self._selector.select(seconds)
        for key, _ in ready:
            if key.fileobj is self._waker:
                with suppress(BlockingIOError):
                    self._waker.recv(LONGEST_REQUEST)
                self._tell_ends()
            else:
                self._answer()
        return bool(ready)

    def _answer(self) -> None:
        message, descriptors, _, _ = socket.recv_fds(self._host, LONGEST_REQUEST, 3)
        if not message:
            sys.exit()
        request = json.loads(message)
        if "reap" in request:
            os.waitpid(request["reap"], 0)
            return
        pid = os.fork()
        if not pid:
            self._become_run(request, descriptors)
        for descriptor in descriptors:
            os.close(descriptor)
        self._running.add(pid)

    def _tell_ends(self) -> None:
        for pid in list(self._running):
            ended = os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
            if ended:
                self._running.discard(pid)
                code = ended.si_status if ended.si_code == os.CLD_EXITED else -ended.si_status
                self._send(pid=pid, code=code)

    def _send(self, **message: Any) -> None:
        self._host.send(json.dumps(message).encode())

    def _become_run(self, request: dict[str, Any], descriptors: list[int]) -> NoReturn:
        """In the child: nothing of the zygote but its libraries is left."""
        zygote = os.getppid()
        code = 1
        try:
            os.setsid()
            # Not before it leads a group, by which the host can end it.
            self._send(pid=os.getpid())
            signal.set_wakeup_fd(-1)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            die_with(zygote)
            self._selector.close()
            for end in (self._host, self._waker, self._wakes):
                end.close()
            channel = _take_over(request, descriptors)
            Run(channel, channel.receive()).run()
            code = 0
        except KeyboardInterrupt:
            pass
        except BaseException:
            sys.excepthook(*sys.exc_info())
        finally:
            os._exit(code)


def _take_over(request: dict[str, Any], descriptors: list[int]) -> Channel:
    """Put the run's ends in the places of the zygote's."""
    stdout, stderr, talk = descriptors
    for descriptor, place in ((stdout, 1), (stderr, 2)):
        os.dup2(descriptor, place)
        os.close(descriptor)
    for name, place in (("stdout", 1), ("stderr", 2)):
        text = open(place, "w", encoding="utf-8", errors="backslashreplace", buffering=1, closefd=False)  # noqa: SIM115
        setattr(sys, name, text)
        setattr(sys, f"__{name}__", text)
    os.chdir(request["directory"])
    os.environ["TMPDIR"] = tempfile.tempdir = request["temporary"]
    if "numpy" in sys.modules:
        # Otherwise every run would draw the same numbers; Python's own generator sees to it by itself.
        sys.modules["numpy"].random.seed()
    return Channel(talk)
