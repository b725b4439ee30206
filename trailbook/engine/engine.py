"""The engine: one Spark for everybody, started in the background, watched, and started again when it dies."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING
from uuid import uuid4

from trailbook.engine.config import SESSION_SETTINGS
from trailbook.engine.embedded import EmbeddedSpark
from trailbook.engine.errors import spark_errors
from trailbook.engine.remote import RemoteSpark
from trailbook.engine.sessions import close_session, is_alive, open_session
from trailbook.engine.shipping import ship
from trailbook.engine.status import EngineState, EngineStatus
from trailbook.engine.supervisor import Supervisor
from trailbook.engine.warmup import warm_up
from trailbook.errors import EngineUnavailable
from trailbook.settings import Settings

if TYPE_CHECKING:
    from pyspark.sql.connect.session import SparkSession

logger = logging.getLogger(__name__)


class Engine:
    """Spark for the whole process: `with engine.session() as spark: spark.sql("SELECT 1").toArrow()`."""

    def __init__(self, settings: Settings) -> None:
        self._wait = settings.engine_wait
        self._waiting = 0
        self._scratch = settings.data / "engine" / "tmp"
        self._remote = bool(settings.spark)
        server = RemoteSpark(settings.spark) if settings.spark else EmbeddedSpark(settings)
        self._supervisor = Supervisor(server, self._change)
        self._changed = threading.Condition()
        self._changes = 0
        self._status = EngineStatus(state=EngineState.STOPPED, message="Spark was not started.")
        self._url = ""
        self._sharing = threading.Lock()
        self._shared: tuple[str, SparkSession] | None = None
        self._callbacks: list[Callable[[EngineStatus], None]] = []

    def start(self) -> None:
        """Start Spark in the background. One that failed before is tried again."""
        self._supervisor.start()

    def stop(self) -> None:
        """End Spark, if it is embedded, and with it all work on it."""
        with self._sharing:
            if self._shared:
                close_session(self._shared[1])
                self._shared = None
        self._supervisor.stop()

    @property
    def status(self) -> EngineStatus:
        return self._status

    def on_change(self, callback: Callable[[EngineStatus], None]) -> None:
        """Have `callback` called, from the engine's own thread, with each status from now on."""
        self._callbacks.append(callback)

    def url(self, wait: float | None = None) -> str:
        """Where another process finds Spark, token included; a secret. Waits until Spark is ready."""
        deadline = time.monotonic() + (self._wait if wait is None else wait)
        with self._changed, self._counted_waiting():
            if self._remote and self._status.state == EngineState.FAILED:
                self._supervisor.start()
                seen = self._changes
                self._changed.wait_for(lambda: self._changes > seen, deadline - time.monotonic())
            self._changed.wait_for(
                lambda: self._status.state != EngineState.STARTING, max(0.0, deadline - time.monotonic())
            )
            if self._status.state != EngineState.READY:
                raise EngineUnavailable(self._status.message, state=self._status.state)
            return self._url

    @contextmanager
    def session(self, wait: float | None = None) -> Iterator[SparkSession]:
        """A Spark session of its own, with nothing in it; gone at exit, with what still runs in it.

        What Spark says against a query is raised as CellFailed, its death as EngineLost. Another thread may call
        `interruptAll()` on the session.
        """
        session = open_session(self.url(wait))
        try:
            with spark_errors():
                for key, value in SESSION_SETTINGS.items() if self._remote else ():
                    session.conf.set(key, value)
                yield session
        finally:
            close_session(session)

    @contextmanager
    def workers(self, wait: float | None = None) -> Iterator[SparkSession]:
        """A session for Python in Spark's tasks, shared by all: for another one, Spark would start Python anew.

        Whoever uses it leaves nothing in it, and interrupts by a tag of its own.
        """
        url = self.url(wait)
        with self._sharing:
            if self._shared is None or self._shared[0] != url or not is_alive(self._shared[1]):
                self._shared = (url, open_session(url))
                if self._remote:
                    ship(self._shared[1])
            session = self._shared[1]
        with spark_errors():
            yield session

    @contextmanager
    def lease(self, wait: float | None = None) -> Iterator[str]:
        """A URL that gives another process one session; at exit the session ends, whatever became of the process."""
        url = f"{self.url(wait)};session_id={uuid4()}"
        try:
            yield url
        finally:
            close_session(open_session(url))

    @contextmanager
    def _counted_waiting(self) -> Iterator[None]:
        self._waiting += 1
        try:
            yield
        finally:
            self._waiting -= 1

    def _change(self, status: EngineStatus, url: str) -> None:
        with self._changed:
            if status.state == EngineState.READY and not self._remote and not self._waiting:
                # Whoever waits warms Spark up with a query of their own, and sooner.
                threading.Thread(target=warm_up, args=(url, self._scratch), name="warm-up", daemon=True).start()
            self._status, self._url = status, url
            self._changes += 1
            self._changed.notify_all()
        for callback in self._callbacks:
            try:
                callback(status)
            except Exception:
                # Whoever listens must not end the thread that keeps Spark going.
                logger.exception("A listener failed on the status %r of the engine.", status)
