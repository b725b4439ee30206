"""The names of rows over loads: those that are found again keep theirs, and new ones get names that nobody had."""

from __future__ import annotations

import os
import shutil
from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING

from trailbook.algebra.identity import ROW
from trailbook.algebra.print_expression import quoted
from trailbook.cells.reloading import naming_parts
from trailbook.cells.reloading.aligning import Alignment
from trailbook.cells.reloading.previous import Previous
from trailbook.cells.tables import position_of
from trailbook.engine.tasks import on_workers
from trailbook.store.decisions import read_decisions, write_decisions
from trailbook.store.row_names import LOAD, PLACE, ROWS, has_names, own_load

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame
    from pyspark.sql.connect.session import SparkSession

    from trailbook.model.artifacts import Artifact
    from trailbook.store.files import ArtifactFiles

POSITION = "__position"


def with_row_names(session: SparkSession, files: ArtifactFiles, artifact: Artifact) -> DataFrame:
    """The rows of a dataset, with the columns `__row`, which names each over all loads, and `__position`."""
    directory = files.path(artifact.id)
    rows = session.read.parquet(str(directory))
    columns = [quoted(column.name) for column in artifact.columns]
    placed = rows.select(*columns, position_of(rows, directory).alias(POSITION))
    return placed.join(_names(session, directory, artifact), POSITION).select(*columns, ROW, POSITION)


def positions_of(
    session: SparkSession, files: ArtifactFiles, artifact: Artifact, names: Collection[str]
) -> dict[str, int]:
    """Where the rows of these names are in a dataset; those that are gone are left out."""
    from pyspark.sql.connect.functions import col

    known = _names(session, files.path(artifact.id), artifact)
    return {row[ROW]: row[POSITION] for row in known.where(col(ROW).isin(*names)).collect()}


def _names(session: SparkSession, directory: Path, artifact: Artifact) -> DataFrame:
    from pyspark.sql.connect.functions import col, concat_ws, lit

    def named(load: Column, place: Column) -> Column:
        return concat_ws(":", load, place).alias(ROW)

    if not has_names(directory):
        rows = session.range(artifact.rows or 0)
        return rows.select(col("id").alias(POSITION), named(lit(own_load(directory, artifact)), col("id")))
    found = session.read.parquet(str(directory / ROWS))
    return found.select(position_of(found, directory / ROWS).alias(POSITION), named(col(LOAD), col(PLACE)))


def write_names(session: SparkSession, previous: Previous, directory: Path, load: str, alignment: Alignment) -> None:
    """Put the names of its rows beside a staged dataset, of which `load` is a name that no other load has."""
    if alignment.counts.is_in_place:
        keep_names(previous, directory)
        return
    call(directory, load)
    (directory / ROWS).mkdir()
    piece = {
        "pairs": str(alignment.pairs),
        "rows": alignment.counts.now,
        "load": load,
        "before": str(previous.directory),
        "load_before": previous.load,
        "target": str(directory / ROWS / "part-00000.parquet"),
    }
    on_workers(session, naming_parts.write, [piece])


def keep_names(previous: Previous, directory: Path) -> None:
    """Each row is where it was, and called as it was."""
    call(directory, previous.load)
    if has_names(previous.directory):
        shutil.copytree(previous.directory / ROWS, directory / ROWS, copy_function=os.link)


def call(directory: Path, load: str) -> None:
    """Say what the rows of a staged dataset are called by."""
    write_decisions(directory, {**read_decisions(directory), LOAD: load})
