"""Writes the masks of a staged dataset."""

from __future__ import annotations

import os
from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.parquet as pq
import pyarrow.types as pt

from trailbook.model.caveat import Caveat
from trailbook.store.masks import is_mask, masks_of
from trailbook.store.parquet import SPARK_SCHEMA

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Masks = dict[str, NDArray[np.int64]]


def mark_anew(directory: Path, names: list[str], rows: int, caveats: Collection[Caveat]) -> None:
    """Mark what these caveats put in doubt, and nothing else. Values are written the same whatever is marked."""
    masks = masks_of(caveats, names, rows) if caveats else {}
    start = 0
    for part in sorted(directory.glob("*.parquet")):
        file = pq.ParquetFile(part)
        aside = part.with_suffix(".marked")
        _write(file, {name: words[start : start + file.metadata.num_rows] for name, words in masks.items()}, aside)
        # The part may be linked to that of another dataset, and stays as it is there.
        os.replace(aside, part)
        start += file.metadata.num_rows


def _write(file: pq.ParquetFile, masks: Masks, target: Path) -> None:
    schema = _schema(file.schema_arrow, masks)
    texts = [field.name for field in schema if pt.is_string(field.type)]
    start = 0
    with pq.ParquetWriter(target, schema, compression="zstd", use_dictionary=texts) as writer:
        for group in range(file.num_row_groups):
            table = file.read_row_group(group)
            columns = [table.column(field.name) for field in schema if not is_mask(field.name)]
            words = [pa.chunked_array([mask[start : start + table.num_rows]]) for mask in masks.values()]
            writer.write_table(pa.table([*columns, *words], schema=schema))
            start += table.num_rows


def _schema(given: pa.Schema, masks: Masks) -> pa.Schema:
    kept = {key: value for key, value in (given.metadata or {}).items() if key != SPARK_SCHEMA}
    fields = [field for field in given if not is_mask(field.name)]
    return pa.schema([*fields, *(pa.field(name, pa.int64(), nullable=False) for name in masks)], metadata=kept)
