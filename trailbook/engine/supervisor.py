"""The thread that keeps a Spark server going: it launches it, notices when it is gone, and launches it again."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import Protocol

from trailbook.engine.status import EngineState, EngineStatus
from trailbook.errors import EngineError, EngineUnavailable

BACK_OFF_SECONDS = 0.5

logger = logging.getLogger(__name__)


class Server(Protocol):
    """A Spark server that can be launched, again if need be."""

    name: str
    attempts: int
    """How often a launch is tried before it counts as failed."""
    retry_seconds: float | None
    """After how long a failed launch is tried again; None: only when somebody asks for it."""

    def launch(self, stopping: threading.Event) -> str:
        """Make it usable and give its URL. EngineUnavailable may pass, another EngineError won't."""

    def outlast(self, stopping: threading.Event) -> str:
        """Wait until it is gone, and say why."""

    def close(self) -> None:
        """End it, if it is ours to end."""


class Supervisor:
    """Runs a server in a thread of its own and reports each change, with the URL while the server is ready."""

    def __init__(self, server: Server, report: Callable[[EngineStatus, str], None]) -> None:
        self._server = server
        self._report = report
        self._stopping = threading.Event()
        self._wanted = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Launch the server unless it runs already; one that failed gets another chance."""
        if self._thread is not None:
            self._wanted.set()
            return
        self._stopping.clear()
        self._wanted.clear()
        self._thread = threading.Thread(target=self._run, name="engine", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        if self._thread is not None:
            self._stopping.set()
            self._wanted.set()
            self._thread.join()
            self._thread = None

    def _run(self) -> None:
        cause = ""
        try:
            while not self._stopping.is_set():
                self._say(EngineState.STARTING, f"{cause}{self._server.name} is starting.")
                if url := self._launch():
                    self._say(EngineState.READY, f"{self._server.name} is ready.", url)
                    cause = self._server.outlast(self._stopping) + "\n"
                else:
                    self._wanted.wait(self._server.retry_seconds)
                    self._wanted.clear()
        finally:
            self._server.close()
            self._say(EngineState.STOPPED, f"{self._server.name} was stopped.")

    def _launch(self) -> str:
        """The server's URL, or nothing if it can't be launched and that was reported."""
        reason = ""
        for attempt in range(self._server.attempts):
            try:
                return self._server.launch(self._stopping)
            except EngineUnavailable as error:
                reason = error.message
            except (EngineError, OSError) as error:
                reason = str(error)
                break
            except Exception as error:
                # A defect; but this thread must live, or Spark could never be started again.
                logger.exception("%s could not be launched.", self._server.name)
                reason = f"{self._server.name} could not be launched: {type(error).__name__}: {error}"
                break
            if self._stopping.wait(BACK_OFF_SECONDS * 2**attempt):
                return ""
        self._say(EngineState.FAILED, reason)
        return ""

    def _say(self, state: EngineState, message: str, url: str = "") -> None:
        self._report(EngineStatus(state=state, message=message), url)
