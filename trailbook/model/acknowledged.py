"""What people say of the caveats that they are shown."""

from __future__ import annotations

from datetime import datetime

from trailbook.model.base import PersonId, Value


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
