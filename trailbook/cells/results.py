"""Writing what a Spark query yields as a dataset."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trailbook.cells.context import RunContext
from trailbook.engine.parquet import find_twins, write_parquet
from trailbook.engine.sessions import report_progress
from trailbook.errors import CellFailed
from trailbook.model.runs import Progress

if TYPE_CHECKING:
    from pyspark.sql import DataFrame
    from pyspark.sql.connect.session import SparkSession


def write_frame(context: RunContext, session: SparkSession, name: str, frame: DataFrame) -> None:
    """Run the query and store its result as the dataset `name`."""
    twins = find_twins(frame.columns)
    if twins:
        raise CellFailed(f"Two columns are called {twins}. Give one of them another name with AS.")
    report_progress(
        session, lambda done, total: context.progress(Progress(label="Spark tasks", done=done, total=total))
    )
    directory = context.stage() / "dataset"
    as_text = write_parquet(frame, str(directory))
    if as_text:
        context.note(f"Stored as text, since Parquet has no such types: {', '.join(as_text)}.")
    context.write_dataset(name, directory)
