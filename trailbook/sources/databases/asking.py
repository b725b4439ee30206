"""A query on its way, in a process of its own: what a database gives may be larger than the memory, or never end."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from trailbook.errors import AddressRefused, CellCancelled, NotFetched, TooLarge, TrailbookError
from trailbook.sources.databases.connections import Connection
from trailbook.sources.databases.reader import Order

_REFUSALS = {error.code: error for error in (AddressRefused, TooLarge)}


class Asking:
    """One query. May be stopped from another thread; the database is told to stop as well."""

    def __init__(self, connection: Connection, order: Order, on_rows: Callable[[int], None]) -> None:
        self._connection = connection
        self._order = order
        self._on_rows = on_rows
        self._process: subprocess.Popen[str] | None = None
        self._is_stopped = False

    def stop(self) -> None:
        self._is_stopped = True
        if self._process and self._process.stdin:
            with suppress(OSError):
                self._process.stdin.close()

    def to_file(self) -> dict[str, Any]:
        """What was written: how many rows, and of which columns."""
        command = [sys.executable, "-m", "trailbook.sources.databases.reader"]
        with subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=self._environment
        ) as process:
            self._process = process
            told = self._heard(process)
        return self._checked(told, process.returncode)

    @property
    def _environment(self) -> dict[str, str]:
        """What the server's own environment says of databases is for the owner's."""
        is_kept = self._order.is_owners
        kept = {name: value for name, value in os.environ.items() if is_kept or not name.startswith("PG")}
        # Others take more memory at once than they need, and there is a limit.
        return {**kept, "ARROW_DEFAULT_MEMORY_POOL": "system"}

    def _heard(self, process: subprocess.Popen[str]) -> dict[str, Any]:
        assert process.stdin
        assert process.stdout
        told: dict[str, Any] = {}
        with suppress(OSError, ValueError):
            process.stdin.write(self._order.model_dump_json() + "\n")
            process.stdin.flush()
        # It may have been stopped before there was anything to end.
        if self._is_stopped:
            self.stop()
        for line in process.stdout:
            told = json.loads(line)
            if "rows" in told:
                self._on_rows(told["rows"])
        return told

    def _checked(self, told: dict[str, Any], code: int) -> dict[str, Any]:
        if self._is_stopped:
            raise CellCancelled("The query of the database was stopped.")
        if "refused" in told:
            raise _refused(told["code"])(f"The database {self._connection.name} could not be read: {told['refused']}")
        if "columns" not in told:
            raise NotFetched(f"The database {self._connection.name} could not be read: its reader ended with {code}.")
        return told


def _refused(code: str) -> type[TrailbookError]:
    return _REFUSALS.get(code, NotFetched)
