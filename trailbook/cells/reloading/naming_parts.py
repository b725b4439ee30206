"""What a task of Spark's does to name the rows of a load: it puts down what each was called before, or is now."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from trailbook.engine.parquet import ROW_GROUP_ROWS
from trailbook.engine.tasks import Piece
from trailbook.store.row_names import LOAD, PLACE, ROWS, has_names

if TYPE_CHECKING:
    from trailbook.cells.reloading.hashing import Numbers


def write(piece: Piece) -> Piece:
    """Write the names of all rows, in their order."""
    loads, places = _names_before(Path(piece["before"]), piece["load_before"])
    of_load = np.full(piece["rows"], len(loads.dictionary), dtype=np.int32)
    place = np.arange(piece["rows"])
    numbers = loads.indices.to_numpy(zero_copy_only=False)
    for part in sorted(Path(piece["pairs"]).glob("*.npy")):
        old, new = np.load(part).T
        of_load[new] = numbers[old] if len(numbers) else 0
        place[new] = places[old] if len(places) else old
    known = pa.concat_arrays([loads.dictionary, pa.array([piece["load"]])])
    names = pa.table({LOAD: pa.DictionaryArray.from_arrays(pa.array(of_load), known).cast(pa.string()), PLACE: place})
    pq.write_table(names, f"{piece['target']}.{os.getpid()}", row_group_size=ROW_GROUP_ROWS)
    os.replace(f"{piece['target']}.{os.getpid()}", piece["target"])
    return {}


def _names_before(directory: Path, load: str) -> tuple[pa.DictionaryArray, Numbers]:
    """The names of the rows of the load before; none if it has no others than its own."""
    if not has_names(directory):
        return pa.DictionaryArray.from_arrays(pa.array([], pa.int32()), pa.array([load])), np.empty(0, dtype=np.int64)
    names = pa.concat_tables(pq.ParquetFile(path).read() for path in sorted((directory / ROWS).glob("*.parquet")))
    return names.column(LOAD).combine_chunks().dictionary_encode(), names.column(PLACE).to_numpy()
