"""A Spark Connect server that somebody else runs."""

from __future__ import annotations

import re
import threading

from trailbook.engine.sessions import close_session, open_session
from trailbook.errors import BadSetting, EngineError, EngineUnavailable

CONNECT_SECONDS = 10.0
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
        self._check()
        return self._url

    def outlast(self, stopping: threading.Event) -> str:
        """Wait until the server no longer answers, and say why."""
        while not stopping.wait(CHECK_SECONDS):
            try:
                self._check()
            except EngineError as error:
                return error.message
        return "Spark is no longer used."

    def close(self) -> None:
        """There is nothing to end."""

    def _check(self) -> None:
        import grpc
        from pyspark.errors.exceptions.connect import SparkConnectException
        from pyspark.sql.connect.client import DefaultChannelBuilder

        channel = DefaultChannelBuilder(self._url).toChannel()
        try:
            grpc.channel_ready_future(channel).result(CONNECT_SECONDS)
        except grpc.FutureTimeoutError:
            raise EngineUnavailable(
                f"{self.name} can't be reached: no answer within {CONNECT_SECONDS:g} seconds."
                " Check the setting spark, and that the server runs; empty the setting to use the embedded Spark."
            ) from None
        finally:
            channel.close()
        session = open_session(self._url)
        try:
            session.version  # noqa: B018
        except SparkConnectException as error:
            raise EngineUnavailable(f"{self.name} refuses to work: {error}") from error
        finally:
            close_session(session)


def _without_token(url: str) -> str:
    return re.sub(r"token=[^;]*", "token=…", url)
