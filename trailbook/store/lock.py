"""The lock that one server holds on its data directory. It goes with the process, however that ends."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path

from trailbook.errors import StoreInUse


class DirectoryLock:
    """Held from construction until `release`, or until the process is gone."""

    def __init__(self, directory: Path) -> None:
        # Not inherited by child processes, so that an orphan can't keep the directory locked.
        self._file = os.open(directory / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            holder = os.read(self._file, 20).decode("ascii", "replace").strip() or "unknown"
            os.close(self._file)
            raise StoreInUse(
                f"Another Trailbook (process {holder}) uses {directory}. Stop it, or choose another --data directory.",
                pid=holder,
                directory=str(directory),
            ) from error
        os.ftruncate(self._file, 0)
        os.pwrite(self._file, f"{os.getpid()}\n".encode(), 0)

    def release(self) -> None:
        os.close(self._file)
