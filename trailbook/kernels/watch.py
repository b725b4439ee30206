"""Watches what a run does to the outside, from the cell's first line until its last process is gone."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from trailbook.kernels.calls import meaning
from trailbook.kernels.child.outside.notes import COMPLETE, NOTES
from trailbook.kernels.files import WRITES, snapshot
from trailbook.kernels.home import Home
from trailbook.kernels.listener import Call, Listener
from trailbook.kernels.observed import Observed
from trailbook.kernels.scratch import beginning
from trailbook.kernels.sightings import (
    KINDS,
    WORK,
    Changed,
    MadeFolder,
    Missed,
    Opened,
    Replaced,
    Sighting,
    Sightings,
    Taken,
)
from trailbook.store.outside import Signs

_NOTED: dict[str, TypeAdapter[Any]] = {kind.__name__: TypeAdapter(kind) for kind in KINDS}
_SIGNS: TypeAdapter[Signs | None] = TypeAdapter(Signs | None)
LONGEST_NOTES = 64 * 1024 * 1024
"""Bytes of notes that are read; a run that leaves more was not seen completely."""


class Watch:
    """Of one run. Where the kernel tells of its calls a thread listens; elsewhere the run's own notes must do."""

    def __init__(
        self, scratch: Path, uncounted: Sequence[Path] = (), *, native: bool = True, home: Home | None = None
    ) -> None:
        """`uncounted` are Trailbook's own folders; `native` is whether the kernel is asked at all."""
        self._home = home
        self.native = native
        self._scratch = scratch
        self._uncounted = tuple(str(folder) for folder in uncounted)
        self._expected: list[str] = []
        self._work_before: dict[str, Signs | None] = {}
        self._sightings: Sightings | None = None
        self._thread: threading.Thread | None = None
        self._stop: int | None = None

    def begin(self) -> None:
        """Before the process may do anything: see what is in its work directory."""
        self._work_before = snapshot(self._scratch / WORK, self._home)

    def follow(self, installed: list[str], descriptor: int | None) -> None:
        """The cell's code starts now; `installed` are the folders of its Python, the descriptor is from the kernel."""
        if self._sightings is not None:
            return
        self._sightings = Sightings(self._scratch, (*self._uncounted, *installed), self._work_before, self._home)
        if descriptor is not None:
            stopped, self._stop = os.pipe()
            arguments = (Listener(descriptor, stopped), self._sightings, self._home)
            self._thread = threading.Thread(target=_listen, args=arguments, name="watch", daemon=True)
            self._thread.start()

    def expect(self, url: str) -> str:
        """The run is told to connect there, so that is not its own doing. Returns the URL."""
        self._expected.append(url)
        return url

    def close(self) -> None:
        """Once the run's process is gone. What it left behind can open no files from now on."""
        if self._thread and self._stop is not None:
            os.close(self._stop)
            self._stop = None
            self._thread.join()

    def observed(self) -> Observed:
        """All that was seen, after `close`. Takes as long as it takes to read the files that the run read."""
        if self._sightings is None:
            return Observed()
        for url in self._expected:
            self._sightings.expect(url)
        _read_notes(self._scratch, self._sightings)
        return self._sightings.observed()


def _listen(listener: Listener, sightings: Sightings, home: Home | None) -> None:
    try:
        while listener.wait():
            call = listener.receive()
            if call:
                _take(listener, call, sightings, home)
    finally:
        listener.close()


def _take(listener: Listener, call: Call, sightings: Sightings, home: Home | None) -> None:
    try:
        seen = meaning(call)
        if listener.is_waiting(call):
            for sighting in seen:
                sightings.take(sighting)
                if home:
                    _detach(home, sighting)
    except Exception:
        # Whatever it is, the process waits.
        sightings.take(Missed())
    finally:
        listener.let_go(call)


def _detach(home: Home, sighting: Sighting) -> None:
    """What is about to be written to must not be a file of the notebook's folder."""
    match sighting:
        case Opened(path, flags) if flags & WRITES:
            home.detach(path, keeps_content=not flags & os.O_TRUNC)
        case Changed(path) | Taken(path):
            home.detach(path, keeps_content=True)
        case Replaced(path) | MadeFolder(path):
            home.detach(path, keeps_content=None)


def _read_notes(scratch: Path, sightings: Sightings) -> None:
    """What the run noted of itself. Its code may have written there as well: what makes no sense is left out."""
    complete = False
    for line in beginning(scratch, NOTES, LONGEST_NOTES).splitlines():
        with suppress(ValueError, TypeError, KeyError):
            note = json.loads(line)
            if note["kind"] == COMPLETE:
                complete = True
            else:
                _take_note(note, sightings)
    if not complete:
        sightings.take(Missed())


def _take_note(note: dict[str, Any], sightings: Sightings) -> None:
    sighting, signs = _NOTED[note["kind"]].validate_python(note["fields"]), _SIGNS.validate_python(note["signs"])
    sightings.take(sighting, lambda _: signs)
