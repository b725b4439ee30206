"""Caveats as people give them with data."""

from __future__ import annotations

# Not one of pydantic's: cells use it, for which those would take too long to import.
from dataclasses import dataclass


@dataclass(frozen=True)
class Caveat:
    """A doubt about data that is given: `Caveat("typed by hand", row=3, column="price")`.

    `row` is the position in the table, from 0. With a row and a column, that value is in doubt; with a row alone,
    whether that row belongs there; with a column alone, every value of it; with neither, every row.
    """

    message: str
    row: int | None = None
    column: str | None = None
