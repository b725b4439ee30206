"""Writing what a Spark query yields as a dataset."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from trailbook.cells.context import RunContext
from trailbook.engine.parquet import PARQUET_WRITE_OPTIONS
from trailbook.engine.sessions import report_progress
from trailbook.model.runs import Progress

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame
    from pyspark.sql.connect.session import SparkSession


def write_frame(
    context: RunContext,
    session: SparkSession,
    name: str,
    frame: DataFrame,
    *,
    checks: Mapping[str, Column] | None = None,
    drop: tuple[str, ...] = (),
) -> None:
    """Run the query and store its result; messages whose check counts something are said."""
    from pyspark.sql.connect.observation import Observation

    directory = context.stage() / "dataset"
    observation = Observation() if checks else None
    if observation and checks:
        aggregates = [check.alias(f"check_{i}") for i, check in enumerate(checks.values())]
        frame = frame.observe(observation, *aggregates)  # type: ignore[arg-type]
    report_progress(
        session, lambda done, total: context.progress(Progress(label="Spark tasks", done=done, total=total))
    )
    frame.drop(*drop).write.options(**PARQUET_WRITE_OPTIONS).parquet(str(directory))
    if observation and checks:
        for message, count in zip(checks, observation.get.values(), strict=True):
            if count:
                context.note(message.format(count))
    context.write_dataset(name, directory)
