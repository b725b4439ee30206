"""The text that a cell prints: decoded, gathered into pieces worth sending, and cut at a limit."""

from __future__ import annotations

import codecs
import time
from collections.abc import Callable
from typing import Literal

from trailbook.model.runs import NoteMessage, TextMessage

Stream = Literal["stdout", "stderr"]

PIECE_CHARACTERS = 16_384
GATHER_SECONDS = 0.05


class OutputText:
    """Takes bytes as they come from the two streams and emits messages, in order."""

    def __init__(self, limit: int, emit: Callable[[TextMessage | NoteMessage], None]) -> None:
        self._limit = limit
        self._left = limit
        self._cut = 0
        self._emit = emit
        self._decoders = {stream: codecs.getincrementaldecoder("utf-8")("replace") for stream in ("stdout", "stderr")}
        self._stream: Stream = "stdout"
        self._pieces: list[str] = []
        self._characters = 0
        self._since = 0.0

    def feed(self, stream: Stream, data: bytes) -> None:
        kept = data[: self._left]
        self._left -= len(kept)
        self._cut += len(data) - len(kept)
        if kept:
            self._gather(stream, self._decoders[stream].decode(kept))

    def _gather(self, stream: Stream, text: str) -> None:
        if stream != self._stream:
            self.flush()
        if not self._pieces:
            self._stream, self._since = stream, time.monotonic()
        self._pieces.append(text)
        self._characters += len(text)
        if self._characters >= PIECE_CHARACTERS:
            self.flush()

    def flush_if_due(self) -> None:
        """Emit what was gathered, once it has waited long enough for more."""
        if time.monotonic() - self._since >= GATHER_SECONDS:
            self.flush()

    def flush(self) -> None:
        text = "".join(self._pieces)
        self._pieces, self._characters = [], 0
        if text:
            self._emit(TextMessage(stream=self._stream, text=text))

    def start_over(self) -> None:
        """What came until now does not count towards the limit."""
        self._left, self._cut = self._limit, 0

    def close(self) -> None:
        """Emit the rest, and say how much was left out."""
        # What is left in a decoder after the cut is half a character that the cut itself made.
        if not self._cut:
            for stream in ("stdout", "stderr"):
                self._gather(stream, self._decoders[stream].decode(b"", final=True))
        self.flush()
        if self._cut:
            self._emit(NoteMessage(text=f"The first {self._limit:,} bytes of output are kept; {self._cut:,} were cut."))
