"""Datasets as the tables of a query: what it is bound to, what is in doubt of them, and where Spark reads them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from trailbook.algebra.identity import ROW
from trailbook.algebra.plan import Scan
from trailbook.algebra.print_expression import quoted
from trailbook.caveats.tables import TableDoubt
from trailbook.model.artifacts import Artifact
from trailbook.store.files import ArtifactFiles
from trailbook.store.masks import PHANTOMS
from trailbook.store.parquet import part_starts

if TYPE_CHECKING:
    from pyspark.sql import Column as SparkColumn
    from pyspark.sql import DataFrame
    from pyspark.sql.connect.session import SparkSession

Inputs = Mapping[str, Artifact]
"""The datasets that a query reads, by their names in lower case, as Spark knows them."""


def scans(inputs: Inputs) -> dict[str, Scan]:
    """What the names in a query stand for."""
    return {name: Scan(view_of(name), artifact.columns, called=name) for name, artifact in inputs.items()}


def doubts(inputs: Inputs) -> dict[str, TableDoubt]:
    """What is in doubt of each table, by the name of its view."""
    return {view_of(name): _doubt(name, artifact) for name, artifact in inputs.items()}


def _doubt(name: str, artifact: Artifact) -> TableDoubt:
    doubt = artifact.doubt
    if doubt.coarse:
        return TableDoubt(coarse=True)
    return TableDoubt(frozenset(doubt.values), bool(doubt.rows), _phantoms(name) if doubt.phantoms else None)


def with_row_names(inputs: Inputs) -> frozenset[str]:
    """The views whose rows have names, if they were opened for that."""
    return frozenset(map(view_of, inputs))


def open_views(session: SparkSession, files: ArtifactFiles, inputs: Inputs, name_rows: bool = False) -> None:
    """Let Spark read the datasets: as a query sees them under their own names, with masks under others."""
    # Otherwise a quoted path in FROM would read any file that the server can.
    session.conf.set("spark.sql.runSQLOnFiles", "false")
    # Otherwise ${env:HOME} would be put in after the text was checked.
    session.conf.set("spark.sql.variable.substitute", "false")
    for name, artifact in inputs.items():
        directory = files.path(artifact.id)
        rows = session.read.parquet(str(directory))
        named = named_rows(rows, name, directory) if name_rows else rows
        named.createOrReplaceTempView(quoted(view_of(name)))
        columns = [quoted(column.name) for column in artifact.columns]
        rows.select(*columns).createOrReplaceTempView(quoted(name))
        if artifact.doubt.phantoms:
            phantoms = session.read.parquet(str(directory / PHANTOMS))
            phantoms.createOrReplaceTempView(quoted(_phantoms(name)))


def named_rows(rows: DataFrame, name: str, directory: Path) -> DataFrame:
    """With the column `__row`: the dataset's name and the row's position in it."""
    from pyspark.sql.connect.functions import concat, lit

    return rows.select("*", concat(lit(f"{name}:"), position_of(rows, directory)).alias(ROW))


def position_of(rows: DataFrame, directory: Path) -> SparkColumn:
    """The row's position in the dataset of that directory, from which the rows were read."""
    from pyspark.sql.connect.functions import element_at, expr

    starts = ", ".join(f"'{file}', {start}" for file, start in part_starts(directory).items())
    # Not by its name: the data may have a column that is called the same.
    read = rows.metadataColumn("_metadata")
    return element_at(expr(f"map({starts})"), read.getField("file_name")) + read.getField("row_index")


def dataset_of(view: str) -> str:
    """The dataset that a scan reads."""
    return view.removeprefix("__")


def view_of(name: str) -> str:
    return f"__{name}"


def _phantoms(name: str) -> str:
    # One underscore: the view of a dataset has two, and its name none.
    return f"_phantoms_of_{name}"
