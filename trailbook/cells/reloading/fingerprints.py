"""What tasks of Spark's do first to compare two loads: put down for each row what stands for its key and its values."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from trailbook.cells.reloading.hashing import together, tokens_of
from trailbook.engine.tasks import Piece

if TYPE_CHECKING:
    from trailbook.cells.reloading.hashing import Numbers

OLD, NEW = "old", "new"
POSITION, IS_KEYED, KEY, CONTENT, TOKENS = range(5)
"""The columns of a fingerprint; tokens are all from there on."""


def fingerprint(piece: Piece) -> Piece:
    """Write the fingerprints of a part of a load, as matrices; rows that may be the same are in one bucket."""
    path, folder = Path(piece["part"]), Path(piece["folder"])
    tokens, sketches = _tokens(path, piece["columns"], Path(piece["other"]))
    rows = pq.read_metadata(path).num_rows
    keys = [tokens[piece["columns"].index(name)] for name in piece["keys"]]
    fixed = [
        np.arange(piece["start"], piece["start"] + rows),
        _is_keyed(path, piece["keys"], rows),
        together(keys, rows),
        together(tokens, rows),
    ]
    found = np.column_stack([*fixed, *tokens])
    bucket = found[:, KEY if keys else CONTENT] % piece["buckets"]
    for number in range(piece["buckets"]):
        save(found[bucket == number], folder / f"{piece['side']}-{number}", path.stem)
    return {"sketches": sketches}


def save(rows: Numbers, folder: Path, name: str) -> None:
    """Tasks may be tried again, so a file is there as a whole or not at all."""
    folder.mkdir(exist_ok=True)
    aside = folder / f"{name}.{os.getpid()}"
    with aside.open("wb") as file:
        np.save(file, rows)
    aside.replace(folder / f"{name}.npy")


def read(folder: Path, columns: int) -> Numbers:
    """The fingerprints in a folder, in the order of their rows."""
    found = [np.load(path) for path in sorted(folder.glob("*.npy"))]
    rows: Numbers = np.concatenate([np.empty((0, TOKENS + columns), dtype=np.int64), *found])
    return rows[np.argsort(rows[:, POSITION], kind="stable")]


def _tokens(path: Path, columns: list[str], other: Path) -> tuple[list[Numbers], list[list[int]]]:
    file, types = pq.ParquetFile(path), pq.read_schema(other)
    found = [tokens_of(_column(file, name), number, types.field(name).type) for number, name in enumerate(columns)]
    return [tokens for tokens, _ in found], [least for _, least in found]


def _is_keyed(path: Path, keys: list[str], rows: int) -> Numbers:
    """Whether no part of the key is missing."""
    found = np.full(rows, bool(keys))
    for name in keys:
        found &= pc.is_valid(_column(pq.ParquetFile(path), name)).to_numpy()
    return found.astype(np.int64)


def _column(file: pq.ParquetFile, name: str) -> pa.ChunkedArray:
    # By its name, since `a` brings `a.b` along.
    return file.read(columns=[name]).column(name)
