"""Datasets of raw tables with very many columns: read plainly where that can be, else by queries of some columns each.

Spark plans each column of a query: for thousands of them at once, that takes minutes.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from trailbook.cells.context import RunContext
from trailbook.cells.loaded import Loaded
from trailbook.cells.plain import pieces_of, write_parts, write_phantoms
from trailbook.cells.raw import RawTable
from trailbook.cells.results import stage_slots
from trailbook.cells.tables import position_of
from trailbook.engine.errors import spark_errors
from trailbook.engine.tasks import on_workers
from trailbook.model.acknowledged import Acknowledged
from trailbook.model.artifacts import Artifact
from trailbook.model.runs import Progress
from trailbook.sources.raw_columns import LEFT_OUT, PROBLEM
from trailbook.store.masks import MASK, PHANTOMS, ROW_BIT, read_bit

if TYPE_CHECKING:
    from pyspark.sql.connect.session import SparkSession

    from trailbook.algebra.plan import Scan

MOST_AT_ONCE = 500
"""Columns of one query."""


def is_wide(table: RawTable) -> bool:
    return len(table.columns) > MOST_AT_ONCE


def stage_widely(context: RunContext, loaded: Loaded, raw: Artifact, most_at_once: int = MOST_AT_ONCE) -> Path:
    """A staged dataset of the raw table, whatever is in it."""
    path = context.files.path(raw.id)
    wanted = sorted(_to_ask_for(loaded, context.acknowledged) | find_odd(context, loaded, path))
    blocks = [wanted[start : start + most_at_once] for start in range(0, len(wanted), most_at_once)] or [[]]
    folders: list[Path] = []
    for block in blocks:
        done = len(folders) * most_at_once
        context.progress(Progress(label="Columns read by queries", done=done, total=len(wanted)))
        folders.append(_asked(context, loaded, path, block))
    answers = [{"numbers": block, "folder": str(folder)} for block, folder in zip(blocks, folders, strict=True)]
    directory, _ = write_parts(context, loaded, path, answers)
    # Nothing is known of any phantom, so that all answers have the same.
    if (phantoms := folders[0] / PHANTOMS).exists():
        import pyarrow.parquet as pq

        write_phantoms(directory, read_bit(pq.read_table(phantoms, columns=[MASK]), ROW_BIT).tolist())
    return directory


def find_odd(context: RunContext, loaded: Loaded, raw: Path) -> set[int]:
    """The columns that hold something that is not written plainly."""
    from trailbook.cells import plain_parts

    context.progress(Progress(label="Looking for columns that are not written plainly", done=0))
    with context.workers() as session:
        found = on_workers(session, plain_parts.find_odd, pieces_of(loaded, raw))
    return {number for part in found for number in part["odd"]}


def _to_ask_for(loaded: Loaded, acknowledged: Collection[Acknowledged]) -> set[int]:
    """The columns about which more is to be said than what their texts are."""
    from trailbook.lenses.types.expressions import place_of_type

    drifted, types = {one.column for one in loaded.drift}, loaded.types
    places = {one.place for one in acknowledged}
    return {
        number
        for number, column in enumerate(loaded.table.columns)
        if column.texts or column.name in drifted or place_of_type(column.name, types[column.name]) in places
    }


def _asked(context: RunContext, loaded: Loaded, raw: Path, numbers: Sequence[int]) -> Path:
    """A staged dataset of these columns and of the positions of records."""
    from trailbook.caveats.instrument import instrument

    with context.session() as session, spark_errors():
        plan = loaded.narrowed(numbers).over(_opened(session, loaded.table, raw, numbers))
        return stage_slots(context, session, instrument(plan, {}, context.acknowledged))


def _opened(session: SparkSession, table: RawTable, raw: Path, numbers: Sequence[int]) -> Scan:
    """These columns of the raw table, with numbers anew, after which comes the position of each record."""
    from pyspark.sql.connect.functions import col

    from trailbook.algebra.plan import Scan
    from trailbook.algebra.print_expression import quoted
    from trailbook.algebra.spark_frame import columns_of

    columns = [table.columns[number] for number in numbers]
    beside = {PROBLEM: "string", LEFT_OUT: "boolean", **{column.texts: "string" for column in columns if column.texts}}
    kinds = {**{f"c{n}": column.type for n, column in zip(numbers, columns, strict=True)}, **beside}
    # What is not named here is not even looked at.
    rows = session.read.schema(", ".join(f"{quoted(name)} {kind}" for name, kind in kinds.items())).parquet(str(raw))
    chosen = rows.select(
        *(col(f"c{number}").alias(f"c{place}") for place, number in enumerate(numbers)),
        position_of(rows, raw).alias(f"c{len(numbers)}"),
        *beside,
    )
    chosen.createOrReplaceTempView("__raw")
    return Scan("__raw", columns_of(chosen))
