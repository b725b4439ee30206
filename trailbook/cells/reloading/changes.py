"""What changed since the last load: how many rows and columns, some of them, and all that in words."""

from __future__ import annotations

from collections.abc import Iterator

from pydantic import Field

from trailbook.cells.reloading.drift import Drift
from trailbook.model.base import Value

MEDIA_TYPE = "application/vnd.trailbook.changes+json"
MOST_TOLD = 5
"""Columns that are named in words."""


class RowChange(Value):
    """A row as it is, or if it was removed, as it was. `before` has those values of an altered row that were others."""

    row: int
    values: tuple[str | None, ...]
    before: dict[str, str | None] = Field(default_factory=dict)


class Changes(Value):
    """What changed. Of rows that were added, removed or altered, the first ones are listed.

    `altered_values` counts those of each column, `drift` tells of columns that are new, gone or of another type; it
    may go back to an earlier load. `moved`: rows are in another order, and nothing else. `has_given_up`: so many rows
    differ that those altered could not be told from those added and removed.
    """

    columns: tuple[str, ...]
    columns_before: tuple[str, ...]
    added: int = 0
    removed: int = 0
    altered: int = 0
    same: int = 0
    altered_values: dict[str, int] = Field(default_factory=dict)
    drift: tuple[Drift, ...] = ()
    moved: bool = False
    has_given_up: bool = False
    added_rows: tuple[RowChange, ...] = ()
    removed_rows: tuple[RowChange, ...] = ()
    altered_rows: tuple[RowChange, ...] = ()

    @property
    def words(self) -> str:
        return f"Reloaded: {'; '.join(self._words())}."

    def _words(self) -> Iterator[str]:
        if self.added or self.removed or self.altered:
            rows = "row" if self.added == 1 else "rows"
            altered = f"{self.altered:,} altered{_told(self.altered_values)}"
            yield f"{self.added:,} {rows} added, {self.removed:,} removed, {altered}, {self.same:,} as before"
        else:
            yield "the rows are as before" + (", in another order" if self.moved else "")
        if self.has_given_up:
            yield "too many differ to look for those that were altered: without a key they count as removed and added"
        yield from (one.message for one in self.drift)


def _told(altered: dict[str, int]) -> str:
    if not altered:
        return ""
    most = sorted(altered.items(), key=lambda item: -item[1])
    told = [f"{column} {count:,}" for column, count in most[:MOST_TOLD]]
    more = [f"{len(most) - MOST_TOLD} more columns"] if len(most) > MOST_TOLD else []
    return f" ({', '.join((*told, *more))})"
