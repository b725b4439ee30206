"""Caveats that come with data: whether they fit it."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Sequence
from typing import Any

from trailbook.errors import Invalid
from trailbook.model.caveat import Caveat
from trailbook.model.unknown_names import no_such


def checked(name: str, caveats: Iterable[Caveat], columns: Sequence[str], rows: int | None) -> tuple[Caveat, ...]:
    """The caveats with columns spelt as in the table. Those about single rows need to know how many there are."""
    return tuple(_fitted(name, caveat, columns, rows) for caveat in caveats)


def _fitted(name: str, caveat: Any, columns: Sequence[str], rows: int | None) -> Caveat:
    if not isinstance(caveat, Caveat):
        raise Invalid(f"{caveat!r} is no caveat. Write Caveat(message, row=…, column=…).")
    if not isinstance(caveat.message, str):
        raise Invalid(f"A caveat says what is in doubt as text; {caveat.message!r} is none.")
    row = None if caveat.row is None else _position(caveat)
    if row is not None and rows is not None and not 0 <= row < rows:
        there = f"rows 0 to {rows - 1}" if rows else "no rows"
        raise Invalid(f"The caveat {caveat.message!r} is about row {row}; {name} has {there}.")
    return Caveat(caveat.message, row, None if caveat.column is None else spelt(caveat.column, columns))


def _position(caveat: Caveat) -> int:
    """Numbers of numpy's are as good as Python's."""
    try:
        return operator.index(caveat.row)  # type: ignore[arg-type]
    except TypeError:
        raise Invalid(
            f"The caveat {caveat.message!r} is about row {caveat.row!r}. Give a position, counted from 0."
        ) from None


def spelt(column: str, columns: Sequence[str]) -> str:
    """The column as the table has it; case does not count, as in SQL."""
    if column in columns:
        return column
    found = next((known for known in columns if known.lower() == str(column).lower()), None)
    if found is None:
        raise Invalid(no_such("column", str(column), columns))
    return found
