"""A dataset on its way out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

import pyarrow as pa

from trailbook.model.artifacts import Artifact, Doubt
from trailbook.store.masks import ROW_BIT, count_bits, is_mask, with_everything_marked
from trailbook.store.parquet import batches_of, schema_of

MOST_VALUES = 4 * 1024 * 1024
"""Of a batch: one of ten thousand columns has fewer rows than others."""
MOST_ROWS = 65_536


@dataclass(frozen=True)
class Outgoing:
    """Columns and rows, with what is in doubt of them.

    Batches have mask columns after the data if something is in doubt. `reasons` says in words why values of a column
    are, if that is known.
    """

    name: str
    schema: pa.Schema
    rows: int
    doubt: Doubt
    batches: Callable[[], Iterator[pa.RecordBatch]]
    reasons: Mapping[str, str] = field(default_factory=dict)

    def watched(self, look: Callable[[int], None]) -> Outgoing:
        """The same, where `look` is told how many rows were taken: at first none, at the end all."""

        def batches() -> Iterator[pa.RecordBatch]:
            done = 0
            look(done)
            for batch in self.batches():
                yield batch
                done += batch.num_rows
                look(done)

        return replace(self, batches=batches)


def stored(name: str, directory: Path, artifact: Artifact) -> Outgoing:
    """A dataset of the store, read piece by piece."""
    # Whose types Spark wrote down is nobody's business outside, and the masks are among them.
    schema = pa.schema([field for field in schema_of(directory) if not is_mask(field.name)])
    most_rows = max(1, min(MOST_ROWS, MOST_VALUES // max(1, len(schema))))

    def batches() -> Iterator[pa.RecordBatch]:
        found = batches_of(directory, most_rows)
        if not artifact.doubt.coarse:
            return found
        return (_all_marked(batch.select(schema.names)) for batch in found)

    return Outgoing(name, schema, artifact.rows or 0, artifact.doubt, batches)


def held(name: str, table: pa.Table, may_miss_rows: bool) -> Outgoing:
    """A table in memory, with or without masks."""
    schema = pa.schema([field for field in table.schema if not is_mask(field.name)])
    masks = table.select([column for column in table.column_names if is_mask(column)])
    bits = count_bits(masks.to_batches(), len(schema))
    values = {column: bits[index + 1] for index, column in enumerate(schema.names) if bits[index + 1]}
    doubt = Doubt(values=values, rows=bits[ROW_BIT], open=may_miss_rows)
    return Outgoing(name, schema, table.num_rows, doubt, lambda: iter(table.to_batches(MOST_ROWS)))


def _all_marked(batch: pa.RecordBatch) -> pa.RecordBatch:
    return _only(with_everything_marked(pa.Table.from_batches([batch])).to_batches())


def _only(batches: Iterable[pa.RecordBatch]) -> pa.RecordBatch:
    (batch,) = batches
    return batch
