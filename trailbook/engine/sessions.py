"""Sessions of Spark Connect: quick to make, released on the server too, and quick to notice that it died."""

from __future__ import annotations

import atexit
import logging
import warnings
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pyspark.sql.connect.session import SparkSession

RETRIES = 2
NOISY_LOGGERS = ("SQLQueryContextLogger", "DataFrameQueryContextLogger")


def load_pyspark() -> None:
    """Import what sessions need: a second or more, the first time."""
    import pyspark.sql.connect.session  # noqa: F401

    # PySpark tells of each error and then raises it; whoever gets it decides what to say.
    warnings.filterwarnings("ignore", message=r"\[RETRIES_EXCEEDED\]")
    for name in NOISY_LOGGERS:
        logging.getLogger(name).disabled = True


def open_session(url: str) -> SparkSession:
    """A session of its own on the server behind `url`."""
    from pyspark.sql.connect.client.retries import DefaultPolicy
    from pyspark.sql.connect.session import SparkSession

    session = SparkSession(connection=url)
    # PySpark would go on asking a dead server for ten minutes.
    session.client.set_retry_policies([DefaultPolicy(max_retries=RETRIES, initial_backoff=50)])
    return session


def close_session(session: SparkSession) -> None:
    """End what still runs in the session and forget it, here and on the server."""
    session.stop()
    # PySpark registers every client for the end of the process, and so would keep them all.
    atexit.unregister(session.client._on_exit)


def is_alive(session: SparkSession) -> bool:
    """Whether the server still knows the session: it forgets those that were idle for long."""
    try:
        session.conf.get("spark.sql.session.timeZone")
    except Exception:
        return False
    return True


def report_progress(session: SparkSession, callback: Callable[[int, int], None]) -> None:
    """Call `callback(done, total)` with the numbers of tasks while queries of this session run."""

    def handler(stages: Any, inflight_tasks: int, operation_id: str | None, done: bool) -> None:
        known = list(stages or ())
        if known and not done:
            callback(sum(stage.num_completed_tasks for stage in known), sum(stage.num_tasks for stage in known))

    session.registerProgressHandler(handler)  # type: ignore[arg-type]
