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

from trailbook.cells.answers import Answer, Marks
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


def find_odd(piece: Piece) -> Piece:
    """The columns that hold something that is not written plainly."""
    raw = pq.ParquetFile(piece["raw"])
    kinds = _kinds(piece)
    odd = {number for number, kind in kinds.items() if kind is None}
    for batch in raw.iter_batches(ROW_GROUP_ROWS):
        rows = _without_left_out(batch)
        for number, kind in kinds.items():
            if number not in odd and kind is not None:
                column = rows.column(f"c{number}")
                if read_plainly(column, kind, blanks_are_null=piece["blanks_are_null"]) is None:
                    odd.add(number)
    return {"odd": sorted(odd)}


class _Part:
    """A part of a raw table, what its columns are called and read as, and what queries said of some of them."""

    def __init__(self, piece: Piece) -> None:
        self._raw = pq.ParquetFile(piece["raw"])
        self._start: int = piece["start"]
        self._names: list[str] = piece["names"]
        self._blanks_are_null: bool = piece["blanks_are_null"]
        self._kinds = {number: kind for number, kind in _kinds(piece).items() if kind is not None}
        self._masks = mask_columns(len(self._names)) if piece["has_masks"] else ()
        end = self._start + self._raw.metadata.num_rows
        self._answers = [Answer(answer["folder"], answer["numbers"], self._start, end) for answer in piece["answers"]]
        self._types = {**self._kinds, **{n: kind for answer in self._answers for n, kind in answer.types.items()}}
        raw = self._raw.schema_arrow
        kinds = [self._types.get(number, raw.field(f"c{number}").type) for number in range(len(self._names))]
        masks = [pa.field(name, pa.int64(), nullable=False) for name in self._masks]
        self.schema = pa.schema([*map(pa.field, self._names, kinds), *masks])
        self.doubts = [0] * len(self._names)

    def batches(self) -> Iterator[pa.RecordBatch | None]:
        """Rows with their masks; None where something is not written plainly."""
        position = self._start
        for batch in self._raw.iter_batches(ROW_GROUP_ROWS):
            rows = _without_left_out(batch)
            kept = np.arange(position, position + batch.num_rows)[~_numpy(batch.column(LEFT_OUT))]
            position += batch.num_rows
            columns = self._columns(rows, kept)
            yield columns and pa.RecordBatch.from_arrays(columns, schema=self.schema)

    def _columns(self, rows: pa.RecordBatch, positions: np.ndarray) -> list[pa.Array] | None:
        said = [answer.of(positions) for answer in self._answers]
        known = {number: column for one in said for number, column in one.values.items()}
        doubtful = {number + 1: marks for one in said for number, marks in one.doubtful.items()}
        values = []
        for number in range(len(self._names)):
            column = known[number] if number in known else rows.column(f"c{number}")
            if kind := self._kinds.get(number):
                read = read_plainly(column, kind, blanks_are_null=self._blanks_are_null)
                if read is None:
                    return None
                column = read.values
                if read.doubtful is not None:
                    doubtful[number + 1] = _numpy(read.doubtful)
                    self.doubts[number] += read.doubtful.true_count
            values.append(column)
        wrong = said[0].wrong if said else _numpy(rows.column(PROBLEM).is_valid())
        if wrong.any():
            # The line might mean another row, so that none of its values is sure either.
            for bit in {*range(1, len(values) + 1)} - {number + 1 for number in known}:
                doubtful[bit] = wrong | doubtful[bit] if bit in doubtful else wrong
        doubtful[ROW_BIT] = said[0].rows if said else wrong
        return [*values, *self._words(doubtful, rows.num_rows)]

    def _words(self, doubtful: Mapping[int, Marks], rows: int) -> Sequence[pa.Array]:
        words = np.zeros((len(self._masks), rows), dtype=np.int64)
        if self._masks:
            for bit, marks in doubtful.items():
                words[bit // WORD] |= marks.astype(np.int64) << bit % WORD
        return [pa.array(word) for word in words]


def _kinds(piece: Piece) -> dict[int, pa.DataType | None]:
    """What columns are read as, by their numbers; None for those that can't be read plainly."""
    return {int(number): plain_type(Decision(**decision)) for number, decision in piece["decisions"].items()}


def _without_left_out(batch: pa.RecordBatch) -> pa.RecordBatch:
    left_out = batch.column(LEFT_OUT)
    return batch.filter(pa.compute.invert(left_out)) if left_out.true_count else batch


def _numpy(marks: pa.BooleanArray) -> Marks:
    found: Marks = marks.to_numpy(zero_copy_only=False)
    return found
