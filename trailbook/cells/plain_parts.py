"""What Spark's tasks do to make a dataset of a raw table that is written plainly: the same that the query would give.

As in `raw_parts.py`, what is taken and given is what JSON can say.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from trailbook.engine.parquet import ROW_GROUP_ROWS
from trailbook.engine.tasks import Piece
from trailbook.lenses.types.decision import Decision
from trailbook.lenses.types.plain import plain_type, read_plainly
from trailbook.sources.raw_columns import LEFT_OUT, PROBLEM
from trailbook.store.masks import ROW_BIT, WORD, mask_columns


def write(piece: Piece) -> Piece:
    """Write one part, unless it holds something that is not written plainly; whether it is done, and how many doubts
    each column has."""
    part = _Part(piece)
    target = Path(piece["target"])
    aside = target.with_suffix(f".{os.getpid()}")
    texts = [field.name for field in part.schema if pa.types.is_string(field.type)]
    is_plain = True
    with pq.ParquetWriter(aside, part.schema, compression="zstd", use_dictionary=texts) as writer:
        for batch in part.batches():
            if batch is None:
                is_plain = False
                break
            writer.write_batch(batch, row_group_size=ROW_GROUP_ROWS)
    if is_plain:
        os.replace(aside, target)
    else:
        aside.unlink()
    return {"is_plain": is_plain, "doubts": part.doubts}


class _Part:
    """A part of a raw table, and what its columns are called and read as."""

    def __init__(self, piece: Piece) -> None:
        self._raw = pq.ParquetFile(piece["raw"])
        self._names: list[str] = piece["names"]
        self._blanks_are_null: bool = piece["blanks_are_null"]
        kinds = {int(number): plain_type(Decision(**decision)) for number, decision in piece["decisions"].items()}
        self._kinds = {number: kind for number, kind in kinds.items() if kind is not None}
        self._masks = mask_columns(len(self._names)) if piece["has_masks"] else ()
        self.doubts = [0] * len(self._names)

    @property
    def schema(self) -> pa.Schema:
        raw = self._raw.schema_arrow
        kinds = [self._kinds.get(number, raw.field(f"c{number}").type) for number in range(len(self._names))]
        masks = [pa.field(name, pa.int64(), nullable=False) for name in self._masks]
        return pa.schema([*map(pa.field, self._names, kinds), *masks])

    def batches(self) -> Iterator[pa.RecordBatch | None]:
        """Rows with their masks; None where something is not written plainly."""
        schema = self.schema
        for batch in self._raw.iter_batches(ROW_GROUP_ROWS):
            left_out = batch.column(LEFT_OUT)
            columns = self._columns(batch.filter(pa.compute.invert(left_out)) if left_out.true_count else batch)
            yield columns and pa.RecordBatch.from_arrays(columns, schema=schema)

    def _columns(self, rows: pa.RecordBatch) -> list[pa.Array] | None:
        values, doubtful = [], {}
        for number in range(len(self._names)):
            column = rows.column(f"c{number}")
            if kind := self._kinds.get(number):
                read = read_plainly(column, kind, blanks_are_null=self._blanks_are_null)
                if read is None:
                    return None
                column = read.values
                if read.doubtful is not None:
                    doubtful[number + 1] = read.doubtful
                    self.doubts[number] += read.doubtful.true_count
            values.append(column)
        if rows.column(PROBLEM).null_count < rows.num_rows:
            wrong = rows.column(PROBLEM).is_valid()
            # The line might mean another row, so that none of its values is sure either.
            doubtful = {bit: _either(wrong, doubtful.get(bit)) for bit in range(ROW_BIT, len(values) + 1)}
        return [*values, *self._words(doubtful, rows.num_rows)]

    def _words(self, doubtful: Mapping[int, pa.BooleanArray], rows: int) -> Sequence[pa.Array]:
        words = np.zeros((len(self._masks), rows), dtype=np.int64)
        for bit, marks in doubtful.items():
            words[bit // WORD] |= marks.to_numpy(zero_copy_only=False).astype(np.int64) << bit % WORD
        return [pa.array(word) for word in words]


def _either(one: pa.BooleanArray, other: pa.BooleanArray | None) -> pa.BooleanArray:
    return one if other is None else pa.compute.or_(one, other)
