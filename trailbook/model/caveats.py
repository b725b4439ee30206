"""Caveats as people give them, and what they say of those they are shown."""

from __future__ import annotations

from datetime import datetime

from pydantic.dataclasses import dataclass

from trailbook.model.base import PersonId, Value


@dataclass(frozen=True)
class Caveat:
    """A doubt about data that is given: `Caveat("typed by hand", row=3, column="price")`.

    `row` is the position in the table, from 0. With a row and a column, that value is in doubt; with a row alone,
    whether that row belongs there; with a column alone, every value of it; with neither, every row.
    """

    message: str
    row: int | None = None
    column: str | None = None


class Acknowledged(Value):
    """Caveats of a cell that somebody accepts: they stay listed and mark nothing.

    `place` is the text of the call that raises them, or of what raises them by itself. With a message, those of that
    text; without one, all of them.
    """

    place: str
    message: str | None = None


class Acknowledgement(Acknowledged):
    """The same, with who said so."""

    note: str = ""
    person: PersonId
    time: datetime
