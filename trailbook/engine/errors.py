"""What Spark raises, in words that help the person who wrote the query."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from trailbook.errors import CellCancelled, CellFailed, EngineLost, StoreFull, TrailbookError

if TYPE_CHECKING:
    from pyspark.errors.exceptions.base import PySparkException

CANCELLED = ("OPERATION_CANCELED", "INVALID_HANDLE.SESSION_CLOSED", "INVALID_HANDLE.OPERATION_ABANDONED")
LOST = (
    "INVALID_HANDLE.SESSION_CHANGED",
    "INVALID_HANDLE.SESSION_NOT_FOUND",
    "INVALID_HANDLE.OPERATION_NOT_FOUND",
    "RESPONSE_ALREADY_RECEIVED",
)

_BEFORE_MESSAGE = (
    re.compile(r"^\([\w.$]+\) "),
    re.compile(r"^Job aborted due to stage failure:.*?\(TID \d+\) \([^)]*\): ", re.DOTALL),
    re.compile(r"^An exception was thrown from the Python worker\. Please see the stack trace below\.\s*"),
    re.compile(r"^[\w.$]*\.([A-Z]\w*(?:Exception|Error)): (?=\[)"),
    re.compile(r"^\[[A-Z0-9_.]+\] "),
    re.compile(r"^An exception was thrown from the Python worker: "),
)
_AFTER_MESSAGE = re.compile(r"\s*SQLSTATE: \w{5}.*|\n\s+at [\w.$/]+\(.*|\n\nDriver stacktrace:.*", re.DOTALL)
_USELESS_ADVICE = re.compile(
    r" If necessary set \S+ to \S+ to bypass this error\."
    r"| Verify the spelling and correctness of the schema and catalog\..*",
    re.DOTALL,
)
_DISK_FULL = re.compile(r"java\.io\.\w+: .*(No space left on device|Disk quota exceeded|File too large)")
_POSITION_IN_MESSAGE = re.compile(r"line (\d+),? pos (\d+)")
_POSITION_IN_CONTEXT = re.compile(r"\(line (\d+), position (\d+)\)")


@contextmanager
def spark_errors() -> Iterator[None]:
    """Raise what Spark raises inside as CellFailed, CellCancelled, EngineLost or StoreFull."""
    try:
        yield
    except Exception as error:
        translated = translate(error)
        if translated is None:
            raise
        raise translated from error


def translate(error: Exception) -> TrailbookError | None:
    """The error of ours that says the same, or None if this one isn't Spark's."""
    import grpc
    from pyspark.errors.exceptions.base import PySparkException
    from pyspark.errors.exceptions.connect import SparkConnectGrpcException

    if isinstance(error, grpc.RpcError):
        return _lost()
    if not isinstance(error, PySparkException):
        return None
    condition = error.getCondition() or ""
    unreachable = (
        isinstance(error, SparkConnectGrpcException) and error.getGrpcStatusCode() == grpc.StatusCode.UNAVAILABLE
    )
    if unreachable or condition in LOST:
        return _lost()
    if condition in CANCELLED:
        return CellCancelled("The query was cancelled.")
    # The message says only that a task failed; what made it fail is among its causes.
    causes = error.getStackTrace() if isinstance(error, SparkConnectGrpcException) else ""
    if full := _DISK_FULL.search(causes or ""):
        return StoreFull(f"Spark could not write: {full[1].lower()}. Free some space, or run `trailbook gc`.")
    line, column = _position(error)
    return CellFailed(readable(str(error)), line=line, column=column, condition=condition)


def readable(message: str) -> str:
    """The message without what only Spark's own developers need: error classes, plans and stack traces."""
    message = message.strip()
    for noise in _BEFORE_MESSAGE:
        message = noise.sub("", message, count=1)
    message = _AFTER_MESSAGE.sub("", message)
    return _USELESS_ADVICE.sub("", message).strip()


def _lost() -> EngineLost:
    return EngineLost("Spark ended while it worked on this. It is started again: run it once more.")


def _position(error: PySparkException) -> tuple[int | None, int | None]:
    """Line and column, from 1, in the text of the query."""
    for context in error.getQueryContext():
        found = _POSITION_IN_CONTEXT.search(context.summary())
        if found:
            return int(found[1]), int(found[2])
    found = _POSITION_IN_MESSAGE.search(str(error))
    return (int(found[1]), int(found[2]) + 1) if found else (None, None)
