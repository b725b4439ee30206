"""What a run notes of itself for the host, in a file that outlives any crash."""

from __future__ import annotations

import os
from contextlib import suppress
from json import dumps
from typing import Any

NOTES = "notes.jsonl"
COMPLETE = "Complete"
"""The last note of a run that can't have done anything unseen."""


class Notes:
    """Lines of JSON, each once. Neither locks nor buffers: anything may be interrupted to add one."""

    def __init__(self, path: str) -> None:
        self._descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        self._added: set[str] = set()

    def add(self, kind: str, *fields: Any, signs: tuple[int, ...] | None = None) -> None:
        """Only the first of two with equal fields counts, whatever the signs."""
        key = dumps([kind, *fields])
        if key not in self._added:
            self._added.add(key)
            line = dumps({"kind": kind, "fields": fields, "signs": signs})
            # The cell's code may have closed it.
            with suppress(OSError):
                os.write(self._descriptor, line.encode() + b"\n")
