"""Reading stored datasets: what they are, and any page of their rows."""

from __future__ import annotations

import hashlib
import json
import threading
from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from trailbook.errors import Dropped, Invalid, StoreDamaged
from trailbook.model.artifacts import Column, Doubt
from trailbook.model.base import Digest, digest_of
from trailbook.store.masks import COARSE, PHANTOMS, ROW_BIT, count_bits, is_form, is_mask, rows_with_marks
from trailbook.store.sparktypes import of_arrow, of_field

SPARK_SCHEMA = b"org.apache.spark.sql.parquet.row.metadata"
"""Where Spark writes down the columns, and looks for them when it reads."""


@dataclass(frozen=True)
class Description:
    """What a dataset is."""

    columns: tuple[Column, ...]
    rows: int
    doubt: Doubt
    data: Digest
    """The same for two datasets only if they have the same data, whatever is in doubt of it."""


def describe(directory: Path) -> Description:
    """A dataset's columns, number of rows and doubts, from the footers of its files and its masks alone."""
    footers = _Footers.of(directory)
    columns = tuple(column for column in _columns(footers.parts[0].metadata) if not is_mask(column.name))
    doubt = _doubt(directory, footers, [column.name for column in columns])
    with _failures_told(directory):
        data = _digest_of_data(footers, columns, _forms(directory))
    return Description(columns, footers.starts[-1], doubt, data)


def _forms(directory: Path) -> list[Path]:
    return sorted(path for path in directory.iterdir() if is_form(path.name))


def _digest_of_data(footers: _Footers, columns: tuple[Column, ...], forms: list[Path]) -> Digest:
    """The digest of the files without their masks: those are chunks of bytes of their own."""
    # The zone of moments is in the footers alone: in another one, the same bytes are other times of day.
    types = [str(field.type) for field in footers.parts[0].metadata.schema.to_arrow_schema() if not is_mask(field.name)]
    found = hashlib.sha256(digest_of([column.model_dump() for column in columns], types).encode("ascii"))
    for part in footers.parts:
        with open(part.path, "rb") as file:
            for group in range(part.metadata.num_row_groups):
                for start, size in part.data_chunks(group):
                    file.seek(start)
                    found.update(file.read(size))
    for form in forms:
        with open(form, "rb") as file:
            found.update(form.name.encode("ascii") + hashlib.file_digest(file, "sha256").digest())
    return Digest(found.hexdigest())


def shape(directory: Path) -> tuple[list[str], int]:
    """The columns of a dataset, and the number of its rows."""
    footers = _Footers.of(directory)
    return [column.name for column in _columns(footers.parts[0].metadata) if not is_mask(column.name)], footers.starts[
        -1
    ]


def count_rows(directory: Path) -> int:
    return _Footers.of(directory).starts[-1]


def schema_of(directory: Path) -> pa.Schema:
    """The columns of a dataset as Arrow has them, masks included."""
    return _Footers.of(directory).parts[0].metadata.schema.to_arrow_schema()


def batches_of(directory: Path, most_rows: int) -> Iterator[pa.RecordBatch]:
    """All rows of a dataset, in order. Masks come last."""
    parts = _Footers.of(directory).parts
    with _failures_told(directory):
        for part in parts:
            yield from part.open().iter_batches(most_rows)


def part_starts(directory: Path) -> dict[str, int]:
    """The part files of a dataset, each with the position of its first row."""
    parts = _Footers.of(directory).parts
    starts = accumulate((part.metadata.num_rows for part in parts), initial=0)
    return {part.path.name: start for part, start in zip(parts, starts, strict=False)}


def _doubt(directory: Path, footers: _Footers, names: list[str]) -> Doubt:
    rows = footers.starts[-1]
    if (directory / COARSE).exists():
        return Doubt(values=dict.fromkeys(names, rows) if rows else {}, rows=rows, open=True, coarse=True)
    phantoms = _Footers.of(directory / PHANTOMS) if (directory / PHANTOMS).exists() else None
    with _failures_told(directory):
        bits = count_bits(footers.masks(), len(names))
        open_phantoms = count_bits(phantoms.masks(), len(names))[ROW_BIT] if phantoms else 0
    values = {name: bits[index + 1] for index, name in enumerate(names) if bits[index + 1]}
    left_out = phantoms.starts[-1] if phantoms else 0
    return Doubt(values=values, rows=bits[ROW_BIT], phantoms=left_out, open=bool(open_phantoms))


def _columns(metadata: pq.FileMetaData) -> tuple[Column, ...]:
    by_spark = (metadata.metadata or {}).get(SPARK_SCHEMA)
    if by_spark is not None:
        fields = json.loads(by_spark)["fields"]
        return tuple(Column(name=f["name"], type=of_field(f), nullable=f["nullable"]) for f in fields)
    schema = metadata.schema.to_arrow_schema()
    return tuple(Column(name=f.name, type=of_arrow(f.type), nullable=f.nullable) for f in schema)


@dataclass(frozen=True)
class _Part:
    """A part file with its footer."""

    path: Path
    metadata: pq.FileMetaData

    def data_chunks(self, group: int) -> Iterator[tuple[int, int]]:
        """Where the values of a row group lie in the file, column by column, and how long they are."""
        row_group = self.metadata.row_group(group)
        for index in range(row_group.num_columns):
            chunk = row_group.column(index)
            if not is_mask(chunk.path_in_schema):
                start = chunk.dictionary_page_offset if chunk.has_dictionary_page else chunk.data_page_offset
                yield start, chunk.total_compressed_size

    def open(self) -> pq.ParquetFile:
        return pq.ParquetFile(self.path, metadata=self.metadata, memory_map=True)


@dataclass(frozen=True)
class _Footers:
    """The footers of a dataset. Row group i holds the rows from starts[i] up to starts[i + 1]."""

    parts: tuple[_Part, ...]
    groups: tuple[tuple[_Part, int], ...]
    starts: tuple[int, ...]

    @classmethod
    def of(cls, directory: Path) -> _Footers:
        with _failures_told(directory):
            parts = tuple(_Part(path, pq.read_metadata(path)) for path in sorted(directory.glob("*.parquet")))
        if not parts:
            raise _dropped(directory)
        groups = tuple((part, i) for part in parts for i in range(part.metadata.num_row_groups))
        sizes = (part.metadata.row_group(i).num_rows for part, i in groups)
        return cls(parts, groups, tuple(accumulate(sizes, initial=0)))

    def masks(self) -> Iterator[pa.RecordBatch]:
        """The mask columns, piece by piece."""
        names = [name for name in self.parts[0].metadata.schema.to_arrow_schema().names if is_mask(name)]
        if names:
            for part in self.parts:
                yield from part.open().iter_batches(columns=names)

    def next_marked(self, row: int, backwards: bool) -> int | None:
        """The next row with a mark after this one, or before it."""
        names = [name for name in self.parts[0].metadata.schema.to_arrow_schema().names if is_mask(name)]
        order = range(len(self.groups))
        for i in reversed(order) if backwards else order:
            start, end = self.starts[i], self.starts[i + 1]
            if (start < row if backwards else end > row + 1) and self._has_marks(i, names):
                part, group = self.groups[i]
                found = rows_with_marks(part.open().read_row_group(group, columns=names)) + start
                wanted = found[found < row] if backwards else found[found > row]
                if len(wanted):
                    return int(wanted[-1 if backwards else 0])
        return None

    def _has_marks(self, i: int, names: list[str]) -> bool:
        """Whether there may be any in the row group, by what its footer says."""
        part, group = self.groups[i]
        row_group = part.metadata.row_group(group)
        chunks = [row_group.column(index) for index in range(row_group.num_columns)]
        statistics = [chunk.statistics for chunk in chunks if chunk.path_in_schema in names]
        return any(known is None or not known.has_min_max or known.max != 0 for known in statistics)

    def rows(self, offset: int, limit: int) -> Iterator[pa.Table]:
        """The pieces of the page: at most one for each row group that it touches."""
        end = min(offset + limit, self.starts[-1])
        position = offset
        while position < end:
            i = bisect_right(self.starts, position) - 1
            part, group = self.groups[i]
            table = part.open().read_row_group(group)
            stop = min(end, self.starts[i + 1])
            yield table.slice(position - self.starts[i], stop - position)
            position = stop


class PageReader:
    """Reads pages of stored datasets; remembers the footers of those read last. Safe to share among threads."""

    def __init__(self, remembered: int = 64) -> None:
        self._remembered = remembered
        self._footers: OrderedDict[Path, _Footers] = OrderedDict()
        self._lock = threading.Lock()

    def read(self, directory: Path, offset: int, limit: int) -> pa.Table:
        """The rows from `offset` on, at most `limit` of them; none if the dataset ends before. Masks come last."""
        if offset < 0 or limit < 0:
            raise Invalid(f"A page starts at a row and has a length, both ≥ 0; not {offset} and {limit}.")
        footers = self._footers_of(directory)
        with _failures_told(directory):
            pieces = list(footers.rows(offset, limit))
            return pa.concat_tables(pieces) if pieces else footers.parts[0].open().schema_arrow.empty_table()

    def next_marked(self, directory: Path, row: int, backwards: bool) -> int | None:
        """The next row with a mark after this one, or before it, in a dataset that has masks."""
        with _failures_told(directory):
            return self._footers_of(directory).next_marked(row, backwards)

    def _footers_of(self, directory: Path) -> _Footers:
        with self._lock:
            known = self._footers.get(directory)
            if known is not None:
                self._footers.move_to_end(directory)
                return known
        footers = _Footers.of(directory)
        with self._lock:
            self._footers[directory] = footers
            while len(self._footers) > self._remembered:
                self._footers.popitem(last=False)
        return footers


@contextmanager
def _failures_told(directory: Path) -> Iterator[None]:
    try:
        yield
    except FileNotFoundError as error:
        raise _dropped(directory) from error
    except (OSError, pa.ArrowException) as error:
        raise StoreDamaged(f"The files of dataset {directory.name} can't be read: {error}.") from error


def _dropped(directory: Path) -> Dropped:
    return Dropped(f"The files of dataset {directory.name} are no longer there; run the cell that made it again.")
