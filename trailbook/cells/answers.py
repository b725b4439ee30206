"""What a query said of some columns of a raw table, as Spark's tasks put it beside the columns that they read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from numpy.typing import NDArray

from trailbook.store.masks import ROW_BIT, is_mask, read_bit

Marks = NDArray[np.bool_]


@dataclass(frozen=True)
class Answered:
    """What is said of some rows: values and doubts of columns by their numbers, and of the rows themselves.

    `wrong` are the rows of which no value is sure.
    """

    values: Mapping[int, pa.Array]
    doubtful: Mapping[int, Marks]
    wrong: Marks
    rows: Marks


class Answer:
    """The answer about the records from `start` up to `end`: a dataset of the columns of these numbers, after which
    comes the position of the record."""

    def __init__(self, folder: str, numbers: Sequence[int], start: int, end: int) -> None:
        self._numbers = numbers
        names = [name for name in pq.ParquetDataset(folder).schema.names if not is_mask(name)]
        position = pc.field(names[-1])
        table = pq.read_table(folder, filters=(position >= start) & (position < end))
        self._table = table.sort_by(names[-1])
        self._positions = self._table.column(names[-1]).to_numpy()
        self.types = dict(zip(numbers, self._table.schema.types, strict=False))

    def of(self, positions: NDArray[np.int64]) -> Answered:
        """What is said of the records at these positions."""
        places = np.searchsorted(self._positions, positions)
        rows = self._table.take(places)
        if not np.array_equal(self._positions[places], positions):
            raise AssertionError("A query left out records of a raw table.")
        return Answered(
            {number: rows.column(place).combine_chunks() for place, number in enumerate(self._numbers)},
            {number: read_bit(rows, place + 1) for place, number in enumerate(self._numbers)},
            wrong=read_bit(rows, len(self._numbers) + 1),
            rows=read_bit(rows, ROW_BIT),
        )
