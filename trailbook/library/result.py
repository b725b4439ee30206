"""What a query gives: the data, and what of it is in doubt."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import pyarrow as pa

from trailbook.store.masks import ROW_BIT, read_bit


@dataclass(frozen=True, eq=False)
class Result:
    """Rows of a query's result, as it was fetched."""

    table: pa.Table
    """The data: what the query gives without caveats."""
    marked: pa.Table
    """Of each value, whether it is in doubt: the same columns and rows."""
    row_marked: list[bool]
    """Of each row, whether it may not belong there."""
    _has_phantoms: Callable[[], bool]

    @cached_property
    def rows_may_be_missing(self) -> bool:
        """Whether rows that are not there may belong there: anywhere in the whole result, however much was fetched.

        It takes another query, which runs when this is first asked.
        """
        return self._has_phantoms()

    def is_marked(self, row: int, column: str | None = None) -> bool:
        """Whether the value is in doubt; without a column, whether anything of the row is."""
        if column is not None:
            return bool(self.marked.column(column)[row].as_py())
        return self.row_marked[row] or any(marks[row].as_py() for marks in self.marked.columns)

    def __repr__(self) -> str:
        rows, columns = self.table.shape
        doubtful = sum(self.row_marked)
        parts = [_counted(rows, "row") + " × " + _counted(columns, "column"), f"{_counted(doubtful, 'row')} in doubt"]
        return f"Result({', '.join(parts)})"


def read_result(fetched: pa.Table, names: Sequence[str], has_phantoms: Callable[[], bool]) -> Result:
    """A result from rows with or without masks."""
    marked = [pa.array(read_bit(fetched, position + 1)) for position in range(len(names))]
    return Result(
        table=fetched.select(range(len(names))),
        marked=pa.table(marked, names=list(names)),
        row_marked=read_bit(fetched, ROW_BIT).tolist(),
        _has_phantoms=has_phantoms,
    )


def _counted(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"
