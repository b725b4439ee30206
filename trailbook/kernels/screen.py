"""What a cell says and shows, on its way to those who watch. What is replaced at once need not get there."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from trailbook.model.base import Json
from trailbook.model.runs import ClearMessage, DisplayMessage, NoteMessage, TextMessage

MOST_SHOWN = 1000
"""Things that a cell shows and notes that are kept; an endless loop would fill the memory with them."""
PAUSE_SECONDS = 0.05
"""Code changes what it shows faster than anybody sees."""


@dataclass(frozen=True)
class BinaryDisplay:
    """What a cell showed, where some of it is bytes or too long for a message: those are files under `scratch`."""

    text: dict[str, Json] = field(default_factory=dict)
    files: dict[str, Path] = field(default_factory=dict)
    id: str | None = None


Shown = DisplayMessage | BinaryDisplay


@dataclass(frozen=True)
class Update:
    """In place of what was shown under the same id."""

    shown: Shown


Telling = TextMessage | NoteMessage | Shown | Update | ClearMessage


class Screen:
    """Emits what it is told in order: the first at once, what follows together after a pause."""

    def __init__(self, emit: Callable[[Telling], None]) -> None:
        self._emit = emit
        self._unsent: list[Telling] = []
        self._sent_at = float("-inf")
        self._clears_next = False
        self._notes = 0
        self._things = 0
        self._left_out = 0
        self._ids: set[str] = set()
        self._visible: set[str] = set()

    def write(self, text: TextMessage) -> None:
        self._make_room()
        self._add(text)

    def note(self, note: NoteMessage) -> None:
        self._notes += 1
        self._add_counted(note)

    def show(self, shown: Shown) -> None:
        self._make_room()
        self._things += 1
        if shown.id is not None:
            self._ids.add(shown.id)
            self._visible.add(shown.id)
        self._add_counted(shown)

    def update(self, shown: Shown) -> None:
        """What this cell did not show itself is shown below the rest; what it took back stays away, as in Jupyter."""
        if shown.id not in self._ids:
            self.show(shown)
        elif shown.id in self._visible:
            overtaken = [each for each in self._unsent if isinstance(each, Update) and each.shown.id == shown.id]
            self._drop(overtaken)
            self._add(Update(shown))
        else:
            _delete_files(shown)

    def clear(self, *, wait: bool) -> None:
        self._clears_next = True
        if not wait:
            self._make_room()
            self.flush_if_due()

    def flush_if_due(self) -> None:
        if time.monotonic() - self._sent_at >= PAUSE_SECONDS:
            self._flush()

    def close(self) -> None:
        """Emit the rest, and say how much was left out."""
        if self._left_out:
            text = f"The first {MOST_SHOWN:,} things shown are kept, {self._left_out:,} are not."
            self._unsent.append(NoteMessage(text=text))
        self._flush()

    def _make_room(self) -> None:
        if not self._clears_next:
            return
        self._clears_next = False
        self._things = self._left_out = 0
        self._visible.clear()
        self._drop([each for each in self._unsent if not isinstance(each, NoteMessage)])
        self._unsent.insert(0, ClearMessage())

    def _add_counted(self, telling: NoteMessage | Shown) -> None:
        if self._things + self._notes <= MOST_SHOWN:
            self._add(telling)
            return
        self._left_out += 1
        _delete_files(telling)

    def _add(self, telling: Telling) -> None:
        self._unsent.append(telling)
        self.flush_if_due()

    def _drop(self, overtaken: Sequence[Telling]) -> None:
        self._unsent = [each for each in self._unsent if each not in overtaken]
        for each in overtaken:
            _delete_files(each.shown if isinstance(each, Update) else each)

    def _flush(self) -> None:
        unsent, self._unsent = self._unsent, []
        for each in unsent:
            self._sent_at = time.monotonic()
            self._emit(each)


def _delete_files(telling: Telling) -> None:
    for path in telling.files.values() if isinstance(telling, BinaryDisplay) else ():
        path.unlink(missing_ok=True)
