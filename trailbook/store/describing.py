"""Run as a process of its own (`apart.py`): reads datasets to their end, and tells what they are."""

from __future__ import annotations

import json
import resource
import sys
from collections.abc import Iterator
from pathlib import Path

import pyarrow.parquet as pq

from trailbook.errors import Invalid
from trailbook.settings import GIB
from trailbook.store.apart import Facts, Told
from trailbook.store.decisions import read_decisions
from trailbook.store.masks import PHANTOMS, is_mask
from trailbook.store.parquet import describe
from trailbook.store.remarks import read_remarks
from trailbook.store.row_names import ROWS, check_names, has_names

MOST_ROWS = 1 << 20
"""Rows of a group, all of which are read for a page: sixteen times as many as are ever written."""
MOST_MEMORY = 4 * GIB


def tell(directory: Path) -> Told:
    try:
        return Told(facts=_facts(directory))
    # Nobody knows in how many ways a file can be wrong that was made to be.
    except Exception as error:
        return Told(problem=f"it can't be read as a dataset ({type(error).__name__}: {error})")


def _facts(directory: Path) -> Facts:
    read = {path: tuple(_read(path)) for path in directory.rglob("*.parquet")}
    names = {found for path, found in read.items() if path.parent.name != ROWS}
    facts = describe(directory)
    if has_names(directory):
        check_names(directory, facts.rows)
    read_remarks(directory)
    read_decisions(directory)
    if names != {tuple(column.name for column in facts.columns)}:
        raise Invalid(f"its files don't have the same columns, those in {PHANTOMS} included")
    return Facts(size=sum(path.stat().st_size for path in directory.rglob("*") if path.is_file()), **vars(facts))


def _read(path: Path) -> list[str]:
    """The names of its columns, masks left out."""
    size = path.stat().st_size
    with pq.ParquetFile(path, memory_map=True) as file:
        for number in range(file.num_row_groups):
            group = file.metadata.row_group(number)
            if not 0 <= group.num_rows <= MOST_ROWS:
                raise Invalid(f"{path.name} has {group.num_rows:,} rows in one group, and {MOST_ROWS:,} are allowed")
            for column in _columns(group):
                _require_inside(column, size)
            file.read_row_group(number)
        names = [name for name in file.schema_arrow.names if not is_mask(name)]
    if len(set(names)) < len(names):
        raise Invalid(f"{path.name} has two columns of one name")
    return names


def _columns(group: pq.RowGroupMetaData) -> Iterator[pq.ColumnChunkMetaData]:
    return (group.column(index) for index in range(group.num_columns))


def _require_inside(chunk: pq.ColumnChunkMetaData, size: int) -> None:
    start = chunk.dictionary_page_offset if chunk.has_dictionary_page else chunk.data_page_offset
    if start < 0 or chunk.total_compressed_size < 0 or start + chunk.total_compressed_size > size:
        raise Invalid(f"values of {chunk.path_in_schema} should be where there are none")
    if chunk.statistics is not None:
        chunk.statistics.to_dict()


if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_DATA, (MOST_MEMORY, MOST_MEMORY))
    for directory in json.load(sys.stdin):
        print(tell(Path(directory)).model_dump_json(), flush=True)
