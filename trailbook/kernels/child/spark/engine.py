"""The cell's own Spark session, made when it is first asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trailbook.kernels.child.channel import Channel
from trailbook.kernels.child.errors import NoEngine
from trailbook.kernels.child.scope import Scope

if TYPE_CHECKING:
    from trailbook.kernels.child.spark.session import CellSession


class Engine:
    """Knows where Spark is through the host, which may still be starting it."""

    def __init__(self, channel: Channel) -> None:
        self._channel = channel
        self._session: CellSession | None = None

    def session(self, scope: Scope) -> CellSession:
        if self._session is None:
            answer = self._channel.ask("spark")
            if "error" in answer:
                raise NoEngine(f"Spark can't be used: {answer['error']}")
            from trailbook.kernels.child.spark.session import open_session

            self._session = open_session(answer["url"], scope)
        return self._session

    def close(self) -> None:
        """End the session and what still runs in it."""
        if self._session is not None:
            self._session.stop()
