"""The host's ends of what a child says: two pipes of text and a socket of JSON lines, read in the order of saying."""

from __future__ import annotations

import contextlib
import json
import os
import selectors
import socket
import struct
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from typing import IO, Any

from trailbook.errors import CellFailed
from trailbook.kernels.output import Stream

CHUNK = 65_536
ROUND_CHUNKS = 16
"""Chunks read from one end before anything else gets its turn; more than a pipe can hold."""

LONGEST_MESSAGE = 4 * 1024 * 1024
"""Far more than a child that runs our code sends: it puts what is long into files."""

ROOM_FOR_DESCRIPTOR = socket.CMSG_SPACE(struct.calcsize("i"))

Said = dict[str, Any]


@dataclass(frozen=True)
class Printed:
    """Bytes that came out of one of the output streams."""

    stream: Stream
    data: bytes


class Wire:
    """Reads without blocking; `send` may be called from any thread."""

    def __init__(self, stdout: IO[bytes], stderr: IO[bytes], connection: socket.socket) -> None:
        self._pipes: dict[Stream, IO[bytes]] = {"stdout": stdout, "stderr": stderr}
        self._socket = connection
        self._sending = threading.Lock()
        self._unread = bytearray()
        self._descriptor: int | None = None
        self._got_descriptor = False
        self._selector = selectors.DefaultSelector()
        for end in (stdout, stderr, connection):
            self._selector.register(end, selectors.EVENT_READ)
        for pipe in (stdout, stderr):
            os.set_blocking(pipe.fileno(), False)

    def send(self, said: Said) -> None:
        # A child that is gone is noticed where its exit code is.
        with self._sending, contextlib.suppress(OSError):
            self._socket.sendall(json.dumps(said).encode() + b"\n")

    def answer(self, said: Said) -> None:
        """Send without waiting: a child that reads none of its answers must not keep its host from stopping it."""
        with self._sending, contextlib.suppress(OSError):
            self._socket.send(json.dumps(said).encode() + b"\n", socket.MSG_DONTWAIT)

    def listen(self, seconds: float) -> Iterator[Printed | Said]:
        """What was said by now, or at the latest after so many seconds: text before the messages sent after it."""
        self._selector.select(seconds)
        # The child flushes its text before it sends a message, so reading in the opposite order loses nothing.
        messages = self._messages()
        for stream in self._pipes:
            yield from self._printed(stream)
        yield from messages

    def take_descriptor(self) -> int | None:
        """The one that came along with a message, if one did; it is the caller's from now on."""
        taken, self._descriptor = self._descriptor, None
        return taken

    def close(self) -> None:
        self._selector.close()
        if self._descriptor is not None:
            os.close(self._descriptor)
        for pipe in self._pipes.values():
            pipe.close()
        with self._sending:
            self._socket.close()

    def _messages(self) -> list[Said]:
        with contextlib.suppress(BlockingIOError, ConnectionError):
            for _ in range(ROUND_CHUNKS):
                chunk, along, _, _ = self._socket.recvmsg(CHUNK, ROOM_FOR_DESCRIPTOR, socket.MSG_DONTWAIT)
                for _, _, data in along:
                    self._keep_first(data)
                if not chunk:
                    self._forget(self._socket)
                    break
                self._unread += chunk
        *lines, self._unread = self._unread.split(b"\n")
        if len(self._unread) > LONGEST_MESSAGE:
            raise CellFailed(f"The cell sent Trailbook a message of more than {LONGEST_MESSAGE:,} bytes.")
        return [_parsed(bytes(line)) for line in lines]

    def _keep_first(self, descriptors: bytes) -> None:
        """The rest is not from our code, and could be more than the host can have open."""
        for (descriptor,) in struct.iter_unpack("i", descriptors):
            if self._got_descriptor:
                os.close(descriptor)
            else:
                self._descriptor, self._got_descriptor = descriptor, True

    def _printed(self, stream: Stream) -> Iterator[Printed]:
        pipe = self._pipes[stream]
        with contextlib.suppress(BlockingIOError):
            for _ in range(ROUND_CHUNKS):
                data = os.read(pipe.fileno(), CHUNK)
                if not data:
                    self._forget(pipe)
                    return
                yield Printed(stream, data)

    def _forget(self, end: IO[bytes] | socket.socket) -> None:
        """A closed end is always ready to be read; waiting on it would not wait."""
        with contextlib.suppress(KeyError):
            self._selector.unregister(end)


def _parsed(line: bytes) -> Said:
    try:
        said = json.loads(line)
        if isinstance(said, dict):
            return said
    except (ValueError, RecursionError):
        pass
    raise CellFailed(f"The cell sent Trailbook something other than a message: {line[:80]!r}.")
