"""The server's end of looks at files: asks a process apart, and waits for it no longer than anybody is interested."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import threading
from contextlib import suppress

from trailbook.cells.previews.model import PREVIEW, Preview, Wanted
from trailbook.errors import CellCancelled, NotPreviewed
from trailbook.kernels.forking import NO_THREADS, PACKAGE_ROOT, SOCKET

BOOTSTRAP = "import sys; sys.path.append(sys.argv.pop(1)); from trailbook.cells.previews.process import main; main()"
CHUNK = 65_536


class Looker:
    """Can be asked at any time, from any thread: the process is started when it is needed, and again if it is gone."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._talk: socket.socket | None = None

    def start(self) -> None:
        """Have it ready before it is needed."""
        with self._lock:
            self._started()

    def look(self, wanted: Wanted) -> Look:
        ours, theirs = socket.socketpair()
        with theirs, self._lock:
            for _ in range(2):
                try:
                    socket.send_fds(self._started(), [b"!"], [theirs.fileno()])
                    break
                except OSError:
                    self._end()
        return Look(wanted, ours)

    def close(self) -> None:
        with self._lock:
            self._end()

    def _started(self) -> socket.socket:
        if self._talk is None or self._process is None or self._process.poll() is not None:
            self._end()
            self._talk, theirs = socket.socketpair(socket.AF_UNIX, SOCKET)
            with theirs:
                command = [sys.executable, "-c", BOOTSTRAP, PACKAGE_ROOT, str(theirs.fileno())]
                self._process = subprocess.Popen(
                    command,
                    pass_fds=[theirs.fileno()],
                    stdin=subprocess.DEVNULL,
                    start_new_session=True,
                    env={**os.environ, **NO_THREADS, "ARROW_DEFAULT_MEMORY_POOL": "system", "OMP_NUM_THREADS": "1"},
                )
        return self._talk

    def _end(self) -> None:
        if self._talk:
            self._talk.close()
        if self._process:
            self._process.kill()
            self._process.wait()
        self._talk = self._process = None


class Look:
    """One look at a file. May be stopped from another thread."""

    def __init__(self, wanted: Wanted, talk: socket.socket) -> None:
        self._wanted = wanted
        self._talk = talk
        self._is_stopped = False

    def stop(self) -> None:
        """End it now: with the talk, the process ends."""
        self._is_stopped = True
        with suppress(OSError):
            self._talk.shutdown(socket.SHUT_RDWR)

    def answer(self) -> Preview:
        """What was seen. The process sees to it that this comes soon."""
        question = json.dumps(self._wanted.model_dump(mode="json"), ensure_ascii=False).encode()
        told = ""
        with self._talk, suppress(OSError):
            self._talk.sendall(question)
            self._talk.shutdown(socket.SHUT_WR)
            told = b"".join(iter(lambda: self._talk.recv(CHUNK), b"")).decode()
        if self._is_stopped:
            raise CellCancelled("The look at the file was stopped.")
        if told.startswith(PREVIEW):
            return Preview.model_validate_json(told.removeprefix(PREVIEW))
        too_much = (
            f"{self._wanted.name} takes too long for a preview, or too much memory. It may be loaded all the same."
        )
        raise NotPreviewed(told[1:] or too_much)
