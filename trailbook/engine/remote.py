"""A Spark Connect server that somebody else runs."""

from __future__ import annotations

import contextlib
import re
import threading

from trailbook.engine.sessions import close_session, load_pyspark, open_session
from trailbook.errors import BadSetting, EngineError, EngineUnavailable

CONNECT_SECONDS = 10.0
POLL_SECONDS = 0.1
CHECK_SECONDS = 15.0


class RemoteSpark:
    """Nothing is started or ended here: the server is only asked, now and then, whether it still answers."""

    attempts = 1
    retry_seconds: float | None = CHECK_SECONDS

    def __init__(self, url: str) -> None:
        if not url.startswith("sc://"):
            raise BadSetting(f"spark = {url!r} is not the address of a Spark Connect server, such as sc://host:15002.")
        self._url = url
        self.name = f"Spark at {_without_token(url)}"

    def launch(self, stopping: threading.Event) -> str:
        """The URL, once the server has answered."""
        load_pyspark()
        self._check(stopping)
        return self._url

    def outlast(self, stopping: threading.Event) -> str:
        """Wait until the server no longer answers, and say why."""
        while not stopping.wait(CHECK_SECONDS):
            try:
                self._check(stopping)
            except EngineError as error:
                return error.message
        return "Spark is no longer used."

    def close(self) -> None:
        """There is nothing to end."""

    def _check(self, stopping: threading.Event) -> None:
        from pyspark.errors.exceptions.base import PySparkException

        self._reach(stopping)
        session = open_session(self._url)
        try:
            session.version  # noqa: B018
        except PySparkException as error:
            raise EngineUnavailable(f"{self.name} refuses to work: {error}") from error
        finally:
            close_session(session)

    def _reach(self, stopping: threading.Event) -> None:
        """Wait until there is a connection."""
        import grpc
        from pyspark.errors.exceptions.base import PySparkException
        from pyspark.sql.connect.client import DefaultChannelBuilder

        try:
            channel = DefaultChannelBuilder(self._url).toChannel()
        except PySparkException as error:
            reason = _without_token(str(error))
            raise EngineError(f"{self.name} is no address of a Spark Connect server: {reason}") from error
        ready = grpc.channel_ready_future(channel)
        try:
            for _ in range(round(CONNECT_SECONDS / POLL_SECONDS)):
                with contextlib.suppress(grpc.FutureTimeoutError):
                    ready.result(POLL_SECONDS)
                    return
                if stopping.is_set():
                    raise EngineUnavailable("Spark is no longer used.")
        finally:
            ready.cancel()
            channel.close()
        raise EngineUnavailable(
            f"{self.name} can't be reached: no answer within {CONNECT_SECONDS:g} seconds."
            " Check the setting spark, and that the server runs; empty the setting to use the embedded Spark."
        )


def _without_token(url: str) -> str:
    return re.sub(r"token=[^;]*", "token=…", url)
