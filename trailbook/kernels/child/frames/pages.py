"""A dataset page by page: only the row groups that a page touches are read."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import AsyncIterator, Iterator
from functools import cached_property
from itertools import accumulate
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pyarrow as pa
    from pyarrow.parquet import ParquetFile


class Pages:
    """Arrow tables of at most `limit` rows, from row `offset` on: `for page in …`, `async for page in …`, `…[3]`."""

    def __init__(self, parts: list[str], columns: list[str], offset: int, limit: int) -> None:
        if offset < 0 or limit < 1:
            raise ValueError(f"Pages start at a row ≥ 0 and have a length ≥ 1; not {offset} and {limit}.")
        self._parts = parts
        self._columns = columns
        self._offset = offset
        self._limit = limit

    def __repr__(self) -> str:
        return f"<{len(self)} pages of {self._limit} rows, from row {self._offset} on>"

    def __len__(self) -> int:
        return math.ceil(max(0, self._starts[-1] - self._offset) / self._limit)

    def __getitem__(self, number: int) -> pa.Table:
        if not 0 <= number < len(self):
            raise IndexError(f"There is no page {number}; there are {len(self)}, counted from 0.")
        import pyarrow as pa

        start = self._offset + number * self._limit
        return pa.concat_tables(self._rows(start, min(start + self._limit, self._starts[-1])))

    def __iter__(self) -> Iterator[pa.Table]:
        return (self[number] for number in range(len(self)))

    async def __aiter__(self) -> AsyncIterator[pa.Table]:
        """The same, where reading does not keep other tasks from running."""
        from asyncio import to_thread

        for number in range(len(self)):
            yield await to_thread(self.__getitem__, number)

    def _rows(self, position: int, end: int) -> Iterator[pa.Table]:
        """The pieces of a page: one for each row group that it touches."""
        while position < end:
            i = bisect_right(self._starts, position) - 1
            file, group = self._groups[i]
            stop = min(end, self._starts[i + 1])
            table = file.read_row_group(group, columns=self._columns)
            yield table.slice(position - self._starts[i], stop - position)
            position = stop

    @cached_property
    def _groups(self) -> list[tuple[ParquetFile, int]]:
        from pyarrow.parquet import ParquetFile

        files = [ParquetFile(part, memory_map=True) for part in self._parts]
        return [(file, group) for file in files for group in range(file.num_row_groups)]

    @cached_property
    def _starts(self) -> list[int]:
        """The position of the first row of each row group, and of the end."""
        sizes = (file.metadata.row_group(group).num_rows for file, group in self._groups)
        return list(accumulate(sizes, initial=0))
