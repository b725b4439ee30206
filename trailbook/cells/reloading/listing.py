"""Rows that were added, removed or altered: the first of them, with their values as texts."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from trailbook.cells.reloading.aligning import Alignment, Loads
from trailbook.cells.reloading.changes import RowChange
from trailbook.cells.reloading.hashing import as_texts
from trailbook.engine.tasks import Piece, on_workers
from trailbook.store.parquet import part_starts

if TYPE_CHECKING:
    from pyspark.sql.connect.session import SparkSession

MOST_VALUES = 10_000
"""Of each kind of rows."""
LONGEST = 200
"""Characters of a value."""


@dataclass(frozen=True)
class Listed:
    """Some of the rows that are not as they were."""

    added: tuple[RowChange, ...]
    removed: tuple[RowChange, ...]
    altered: tuple[RowChange, ...]


def listed(
    session: SparkSession, loads: Loads, alignment: Alignment, before: Sequence[str], now: Sequence[str]
) -> Listed:
    """The first rows of each kind; `before` and `now` are all columns of the two loads."""
    most = MOST_VALUES // max(1, len(before), len(now))
    added, removed, altered = alignment.added[:most], alignment.removed[:most], alignment.altered[:most]
    wanted = [
        (loads.before, before, [*removed, *(one.was for one in altered)]),
        (loads.now, now, [*added, *(one.now for one in altered)]),
    ]
    pieces = [{"directory": str(path), "columns": list(names), "rows": rows} for path, names, rows in wanted]
    old, new = ({row: tuple(texts) for row, texts in one["rows"]} for one in on_workers(session, texts, pieces))
    places = {name: place for place, name in enumerate(before)}
    return Listed(
        added=tuple(RowChange(row=row, values=new[row]) for row in added),
        removed=tuple(RowChange(row=row, values=old[row]) for row in removed),
        altered=tuple(
            RowChange(
                row=one.now,
                values=new[one.now],
                before={name: old[one.was][places[name]] for name in (loads.columns[n] for n in one.columns)},
            )
            for one in altered
        ),
    )


def texts(piece: Piece) -> Piece:
    """The rows at some positions of a dataset; called in a task of Spark's."""
    directory = Path(piece["directory"])
    starts = part_starts(directory)
    parts, begins = list(starts), list(starts.values())
    found: list[tuple[int, list[str | None]]] = []
    for number, positions in groupby(sorted(piece["rows"]), lambda row: bisect_right(begins, row) - 1):
        file = pq.ParquetFile(directory / parts[number])
        found += _read(file, piece["columns"], begins[number], list(positions))
    return {"rows": found}


def _read(
    file: pq.ParquetFile, columns: list[str], start: int, positions: Iterable[int]
) -> Iterable[tuple[int, list[str | None]]]:
    """The rows at these positions, of which the first of the file is `start`; whole groups are decoded for that."""
    ends = [start]
    for number in range(file.metadata.num_row_groups):
        ends.append(ends[-1] + file.metadata.row_group(number).num_rows)
    for group, rows in groupby(positions, lambda row: bisect_right(ends, row) - 1):
        wanted = list(rows)
        table = file.read_row_group(group, columns=columns).take(pa.array([row - ends[group] for row in wanted]))
        values = [_cut(table.column(name)) for name in columns]
        yield from zip(wanted, map(list, zip(*values, strict=True)), strict=True)


def _cut(column: pa.ChunkedArray) -> list[str | None]:
    found: list[str | None] = pc.utf8_slice_codeunits(as_texts(column), 0, LONGEST).to_pylist()
    return found
