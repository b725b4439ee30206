"""Reading bytes as a format does, without Spark."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa

from trailbook.sources.formats.format import FORMATS, Layout
from trailbook.sources.formats.splitting import SplittableFormat
from trailbook.sources.raw_columns import LEFT_OUT, LINE, PROBLEM


@dataclass(frozen=True)
class Read:
    """What came of a file: its rows, and apart from them what was left out, both with line and problem."""

    layout: Layout[Any]
    table: pa.Table

    @property
    def columns(self) -> dict[str, str]:
        return {column.name: column.type for column in self.layout.columns}

    @property
    def guessed(self) -> str:
        return "; ".join(self.layout.guessed)

    @property
    def rows(self) -> list[tuple[Any, ...]]:
        return [row[:-3] for row in self._all(left_out=False)]

    @property
    def lines(self) -> list[int]:
        return [row[-3] for row in self._all(left_out=False)]

    @property
    def problems(self) -> dict[int, str]:
        return {row[-3]: row[-2] for row in self._all(left_out=False) if row[-2]}

    @property
    def left_out(self) -> dict[int, str]:
        return {row[-3]: row[-2] for row in self._all(left_out=True) if row[-3] is not None}

    @property
    def lost(self) -> list[str]:
        """What is told of stretches that may hold any number of records."""
        assert all(row[-3] is not None for row in self._all(left_out=False))
        return [row[-2] for row in self._all(left_out=True) if row[-3] is None]

    def _all(self, left_out: bool) -> list[tuple[Any, ...]]:
        return [tuple(row.values()) for row in self.table.to_pylist() if row[LEFT_OUT] == left_out]


class Reader:
    def __init__(self, folder: Path) -> None:
        self.path = folder / "0123abcd"

    def __call__(self, format: str, content: bytes | str, **options: Any) -> Read:
        self.path.write_bytes(content.encode() if isinstance(content, str) else content)
        found = FORMATS.get(format)
        layout = found.layout(self.path, found.Options(**options))
        path = self.path
        if isinstance(found, SplittableFormat):
            path = found.readable(path, layout, path.parent)
        batches = list(found.batches(path, layout))
        assert all(batch.num_rows <= 65_536 for batch in batches)
        assert layout.schema.names[-3:] == [LINE, PROBLEM, LEFT_OUT]
        return Read(layout, pa.Table.from_batches(batches, layout.schema))
