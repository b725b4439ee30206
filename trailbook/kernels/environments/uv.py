"""Running uv, which finds and installs packages."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

MOST_WORDS = 4000
"""Characters of what it says that are kept of a failure."""


class UvFailed(Exception):
    """What it said."""


class Uv:
    """One call after the other, each of which can be stopped from another thread."""

    def __init__(self, folder: Path, on_line: Callable[[str], None] = lambda _: None) -> None:
        """It works in the folder; `on_line` is told what it says while it does."""
        self._folder = folder
        self._on_line = on_line
        self._lock = threading.Lock()
        self._process: subprocess.Popen[str] | None = None
        self._stopped: str | None = None

    def run(self, *arguments: str) -> None:
        """Raises UvFailed with its own words."""
        from uv import find_uv_bin

        try:
            self.call([find_uv_bin(), *arguments])
        except OSError as error:
            raise UvFailed(f"uv can't be started: {error}") from error

    def call(self, command: Sequence[str]) -> None:
        """Another program, in the same way."""
        with self._lock:
            self.check_stopped()
            process = self._process = subprocess.Popen(
                command,
                cwd=self._folder,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                env=_environment(),
                start_new_session=True,
                text=True,
                errors="replace",
            )
        said = self._heard(process)
        self.check_stopped()
        if process.returncode:
            # Before that it only told how far it was.
            raise UvFailed(said[max(said.find("error:"), 0) :].strip() or f"It ended with code {process.returncode}.")

    def stop(self, why: str) -> None:
        """End it, and refuse to begin anew."""
        with self._lock:
            self._stopped = why
            if self._process and self._process.poll() is None:
                # With what it started to build packages.
                with suppress(ProcessLookupError):
                    os.killpg(self._process.pid, signal.SIGKILL)

    def check_stopped(self) -> None:
        """Raise UvFailed if it was."""
        if self._stopped:
            raise UvFailed(self._stopped)

    def _heard(self, process: subprocess.Popen[str]) -> str:
        said = ""
        assert process.stderr
        with process:
            for line in process.stderr:
                said = (said + line)[-MOST_WORDS:]
                if line.strip():
                    self._on_line(line.strip())
        return said


def _environment() -> dict[str, str]:
    """The server's, with what its administrator set for uv, without what is meant for the server alone."""
    inherited = {key: value for key, value in os.environ.items() if not key.startswith("TRAILBOOK_")}
    return {**inherited, "NO_COLOR": "1", "UV_NO_PROGRESS": "1", "UV_PYTHON_DOWNLOADS": "never"}
