"""What the rows of a dataset are called, so that they can be found again when their source is loaded anew.

A row is called by the load that it was first seen in and its position there. Those of a dataset without a folder
`_rows` are all of its own load, in their places; where some are older, the folder has the name of each row, in order.
"""

from __future__ import annotations

from pathlib import Path

from trailbook.errors import Invalid
from trailbook.model.artifacts import Artifact
from trailbook.store.decisions import read_decisions

ROWS = "_rows"
LOAD, PLACE = "load", "row"
"""The columns of a name; among what was decided, `load` is the dataset's own."""
LENGTH = 16
"""Digits of what a load is called."""


def own_load(directory: Path, artifact: Artifact) -> str:
    """What the load of a dataset is called; one that was not loaded is called by its data."""
    told = read_decisions(directory).get(LOAD)
    return (told if isinstance(told, str) and told else artifact.data or artifact.id)[:LENGTH]


def has_names(directory: Path) -> bool:
    """Whether the names of its rows are written down."""
    return (directory / ROWS).exists()


def check_names(directory: Path, rows: int) -> None:
    """Refuse names that are not those of so many rows."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    wanted = pa.schema([(LOAD, pa.string()), (PLACE, pa.int64())])
    found = 0
    for part in sorted((directory / ROWS).glob("*.parquet")):
        names = pq.read_table(part)
        if not names.schema.remove_metadata().equals(wanted):
            raise Invalid(f"{ROWS} has other columns than {LOAD} and {PLACE}")
        if any(column.null_count for column in names.columns):
            raise Invalid(f"{ROWS} holds a row without a name")
        found += names.num_rows
    if found != rows:
        raise Invalid(f"{ROWS} names {found:,} rows, and there are {rows:,}")
