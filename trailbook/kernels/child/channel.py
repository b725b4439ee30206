"""The child's end of the talk with its host: JSON, a line for each message.

Functions are imported here by name, so that code which puts others in their place does not change the talk.
"""

from __future__ import annotations

import os
import socket
import struct
import sys
import threading
from json import dumps, loads
from typing import Any

LONGEST_TEXT = 100_000
"""Characters of an error or a note that anybody would read."""


class Channel:
    """Sends messages, and waits for the answers to those that have one. Any thread may use it."""

    def __init__(self, descriptor: int) -> None:
        self._lines = open(descriptor, "rb", closefd=False)  # noqa: SIM115 - open as long as the process
        self._sink = open(descriptor, "wb", buffering=0, closefd=False)  # noqa: SIM115
        self._sending = threading.Lock()
        self._asking = threading.Lock()
        self._asked = 0

    def receive(self) -> dict[str, Any]:
        message: dict[str, Any] = loads(self._lines.readline())
        return message

    def send(self, type: str, **fields: Any) -> None:
        # Half of a surrogate pair is a character to Python, and to nobody else.
        text = dumps({"type": type, **fields}, ensure_ascii=False)
        line = memoryview(text.encode("utf-8", "replace") + b"\n")
        with self._sending:
            while line:
                line = line[self._sink.write(line) :]

    def hand_over(self, descriptor: int, type: str, **fields: Any) -> None:
        """Send, along with a descriptor, which stays open here as well."""
        line = dumps({"type": type, **fields}).encode() + b"\n"
        with self._sending, socket.socket(fileno=os.dup(self._sink.fileno())) as talk:
            sent = talk.sendmsg([line], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, struct.pack("i", descriptor))])
            talk.sendall(line[sent:])

    def ask(self, type: str, **fields: Any) -> dict[str, Any]:
        """Send, and wait for the answer. What was printed before is there before it."""
        flush_output()
        with self._asking:
            self._asked += 1
            self.send(type, id=self._asked, **fields)
            # An answer to an older question can only be one whose wait was interrupted.
            while (answer := self.receive())["id"] != self._asked:
                pass
            return answer

    def note(self, text: str) -> None:
        self.ask("note", text=shortened(text))


def shortened(text: str) -> str:
    """The text, or its beginning and how much more there was."""
    left_out = len(text) - LONGEST_TEXT
    return text if left_out <= 0 else f"{text[:LONGEST_TEXT]}… ({left_out:,} more characters)"


def flush_output() -> None:
    for stream in (sys.stdout, sys.stderr):
        # A cell may have closed a stream, or put something else in its place.
        if stream and not getattr(stream, "closed", False):
            stream.flush()
