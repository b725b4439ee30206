"""Writing what a Spark query yields as a dataset."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trailbook.cells.context import RunContext
from trailbook.engine.parquet import PARQUET_WRITE_OPTIONS
from trailbook.engine.sessions import report_progress
from trailbook.errors import CellFailed
from trailbook.model.runs import Progress

if TYPE_CHECKING:
    from pyspark.sql import DataFrame
    from pyspark.sql.connect.session import SparkSession
    from pyspark.sql.types import StructType

# Parquet has no such columns; text loses nothing of them.
STORED_AS_TEXT = frozenset({"void", "interval"})


def write_frame(context: RunContext, session: SparkSession, name: str, frame: DataFrame) -> None:
    """Run the query and store its result as the dataset `name`."""
    directory = context.stage() / "dataset"
    report_progress(
        session, lambda done, total: context.progress(Progress(label="Spark tasks", done=done, total=total))
    )
    _storable(frame).write.options(**PARQUET_WRITE_OPTIONS).parquet(str(directory))
    context.write_dataset(name, directory)


def _storable(frame: DataFrame) -> DataFrame:
    """The frame as Parquet can hold it."""
    schema = frame.schema
    _refuse_twins(schema)
    types = {field.name: field.dataType.simpleString() for field in schema}
    if not STORED_AS_TEXT.intersection(types.values()):
        return frame
    from pyspark.sql.connect import functions as F

    columns = [F.col("`" + name.replace("`", "``") + "`") for name in types]
    return frame.select(
        *(
            column.cast("string").alias(name) if type in STORED_AS_TEXT else column
            for column, (name, type) in zip(columns, types.items(), strict=True)
        )
    )


def _refuse_twins(schema: StructType) -> None:
    seen: set[str] = set()
    for name in schema.names:
        if name.lower() in seen:
            raise CellFailed(f"Two columns are called {name}. Give one of them another name with AS.")
        seen.add(name.lower())
