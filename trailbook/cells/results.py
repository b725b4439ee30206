"""Writing what a Spark query yields as a dataset."""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from trailbook.cells.context import RunContext
from trailbook.engine.parquet import find_twins, write_parquet
from trailbook.engine.sessions import report_progress
from trailbook.errors import CellFailed
from trailbook.model.runs import Progress
from trailbook.store.masks import MASK, PHANTOMS, is_mask, taken_name, with_everything_marked

if TYPE_CHECKING:
    from pyspark.sql import DataFrame
    from pyspark.sql.connect.session import SparkSession

    from trailbook.caveats.slots import Slots


FEW_PHANTOMS = 1000
MOST_PHANTOMS = 1_000_000


def write_frame(context: RunContext, session: SparkSession, name: str, frame: DataFrame) -> None:
    """Run the query and store its result as the dataset `name`."""
    context.write_dataset(name, stage_frame(context, session, frame))


def stage_frame(context: RunContext, session: SparkSession, frame: DataFrame) -> Path:
    """Run the query and write its result aside."""
    twins = find_twins(frame.columns)
    if twins:
        raise CellFailed(f"Two columns are called {twins}. Give one of them another name with AS.")
    check_names(frame.columns)
    directory = context.stage() / "dataset"
    _write(context, session, frame, directory)
    return directory


def write_slots(context: RunContext, session: SparkSession, name: str, slots: Slots) -> None:
    """Run the query and store its result as the dataset `name`, with masks and phantoms."""
    context.write_dataset(name, stage_slots(context, session, slots))


def stage_slots(context: RunContext, session: SparkSession, slots: Slots) -> Path:
    """Run the query and write its result aside, with masks and phantoms."""
    from trailbook.algebra.spark_frame import frame
    from trailbook.caveats.tables import PHANTOM, all_slots, data

    check_names(slots.columns)
    directory = context.stage() / "dataset"
    if not slots.has_phantoms:
        _write(context, session, frame(session, data(slots)), directory)
    else:
        # Two files are open at a time in each task; otherwise Spark would sort the rows first.
        session.conf.set("spark.sql.maxConcurrentOutputFileWriters", "2")
        both = frame(session, all_slots(slots))
        _write(context, session, both, directory, split_by=PHANTOM)
        _arrange(session, both.drop(PHANTOM), directory, PHANTOM)
    return directory


def check_names(columns: Iterable[str]) -> None:
    """Refuse columns that are called what marks are."""
    if taken := taken_name(columns):
        raise CellFailed(f"The column {taken} needs another name: this one is for columns with marks.")


def _write(
    context: RunContext, session: SparkSession, frame: DataFrame, directory: Path, split_by: str | None = None
) -> None:
    report_progress(
        session, lambda done, total: context.progress(Progress(label="Spark tasks", done=done, total=total))
    )
    as_text = write_parquet(frame, str(directory), split_by)
    if as_text:
        context.note(f"Stored as text, since Parquet has no such types: {', '.join(as_text)}.")


def _arrange(session: SparkSession, frame: DataFrame, directory: Path, split_by: str) -> None:
    """Put the files of the data and of the phantoms where a dataset has them."""
    data, phantoms = directory / f"{split_by}=false", directory / f"{split_by}=true"
    if phantoms.exists():
        _condense(session, phantoms)
        phantoms.rename(directory / PHANTOMS)
    if not data.exists():
        write_parquet(frame.limit(0), str(data))
    for part in data.glob("*.parquet"):
        part.rename(directory / part.name)


def _condense(session: SparkSession, directory: Path) -> None:
    """Make one of phantoms that say the same, and one that says nothing of too many.

    Otherwise joins by doubtful keys, one after the other, would square their number each time.
    """
    from trailbook.store.parquet import count_rows

    if count_rows(directory) <= FEW_PHANTOMS:
        return
    from pyspark.sql.connect.functions import col, count, lit, when

    from trailbook.algebra.print_expression import quoted

    found = session.read.parquet(str(directory))
    times, mask = "__phantom", col(MASK)
    counted = found.groupBy(*map(quoted, found.columns)).agg(count(lit(1)).alias(times))
    opened = when(col(times) > 1, mask.bitwiseOR(lit(1))).otherwise(mask)
    anew = directory.with_name("condensed")
    write_parquet(counted.withColumn(MASK, opened).drop(times), str(anew))
    shutil.rmtree(directory)
    anew.rename(directory)
    if count_rows(directory) > MOST_PHANTOMS:
        _say_nothing(directory)


def _say_nothing(directory: Path) -> None:
    """Put one phantom in place of all, of which nothing is known."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    parts = sorted(directory.glob("*.parquet"))
    fields = [field for field in pq.read_schema(parts[0]) if not is_mask(field.name)]
    nothing = pa.table({field.name: pa.nulls(1, field.type) for field in fields})
    for part in parts:
        part.unlink()
    pq.write_table(with_everything_marked(nothing), parts[0])
