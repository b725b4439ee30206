"""Bytes that somebody takes one by one: written by a thread of their own, no faster than they are taken."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from io import RawIOBase
from queue import Empty, Full, Queue
from typing import Any, BinaryIO, cast

from trailbook.errors import CellCancelled
from trailbook.settings import MIB

PIECE = MIB // 4
WAITING = 4
"""Pieces that nobody has taken yet."""
LOOK_SECONDS = 0.1
END = b""


@dataclass(frozen=True)
class PipeTarget:
    """What is written becomes pieces of a download."""

    name: str
    pipe: Pipe

    @contextmanager
    def opened(self) -> Iterator[BinaryIO]:
        yield cast(BinaryIO, self.pipe)
        self.pipe.finish()


class Pipe(RawIOBase):
    """The end where bytes go in. Whoever writes waits for whoever takes."""

    def __init__(self, stopped: threading.Event) -> None:
        self.pieces: Queue[bytes | BaseException] = Queue(WAITING)
        self._stopped = stopped
        self._held = bytearray()

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        size = memoryview(data).nbytes
        self._held += data
        if len(self._held) >= PIECE:
            self.finish()
        return size

    def finish(self) -> None:
        """Hand on what is held back."""
        if self._held:
            piece, self._held = bytes(self._held), bytearray()
            self.put(piece)

    def put(self, piece: bytes | BaseException) -> None:
        while not self._stopped.is_set():
            try:
                return self.pieces.put(piece, timeout=LOOK_SECONDS)
            except Full:
                continue
        raise CellCancelled("Nobody takes the download any more.")


class Download:
    """A file on its way to somebody. To be closed, taken to its end or not."""

    def __init__(self, name: str, write: Callable[[PipeTarget, threading.Event], object]) -> None:
        self._stopped = threading.Event()
        self._pipe = Pipe(self._stopped)
        self._write = write
        self._target = PipeTarget(name, self._pipe)
        self._thread = threading.Thread(target=self._run, name=f"download {name}", daemon=True)
        self._thread.start()

    def take(self, seconds: float) -> bytes | None:
        """The next piece; none if there is none after so many seconds, and END at the end."""
        try:
            piece = self._pipe.pieces.get(timeout=seconds)
        except Empty:
            return None
        if isinstance(piece, BaseException):
            raise piece
        return piece

    def close(self) -> None:
        self._stopped.set()
        self._thread.join()

    def _run(self) -> None:
        last: bytes | BaseException = END
        try:
            self._write(self._target, self._stopped)
        except BaseException as error:
            last = error
        with suppress(CellCancelled):
            self._pipe.put(last)
