"""What a server and a worker say to each other about a run."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, TypeAdapter

from trailbook.cells.scope import Scope
from trailbook.model.base import Value
from trailbook.model.runs import CellError, LiveMessage, Progress, Run
from trailbook.workflow.work import Work


class Errand(Value):
    """What a worker is asked to do, on behalf of a server that is known by a file where both see it.

    Whoever hears nothing from the other for `silence` seconds takes it for dead.
    """

    work: Work
    server: str
    silence: float


class Alive(Value):
    """Nothing but that; each side says so as long as the run goes on."""

    type: Literal["alive"] = "alive"


class Taken(Value):
    """A worker begins with the run."""

    type: Literal["taken"] = "taken"
    worker: str


class Failed(Value):
    """The worker can't do what it should, or can't record what came of it."""

    type: Literal["failed"] = "failed"
    error: CellError


class Said(Value):
    type: Literal["said"] = "said"
    message: LiveMessage


class Advanced(Value):
    type: Literal["advanced"] = "advanced"
    progress: Progress


class Read(Value):
    """The cell read a name, which had this identity."""

    type: Literal["read"] = "read"
    name: str
    identity: str | None


class Asked(Value):
    """The cell waits for a name that a cell above is to write."""

    type: Literal["asked"] = "asked"
    number: int
    name: str


class Ended(Value):
    """How the run ended, without its messages: those have been said. All that it made is in the store."""

    type: Literal["ended"] = "ended"
    run: Run


class HandedBack(Value):
    """The worker has to stop, and has left the run undone."""

    type: Literal["handed_back"] = "handed_back"


class Answered(Value):
    """Where the name means what it will; nothing if there is no such place any more, and the cell should end."""

    type: Literal["answered"] = "answered"
    number: int
    scope: Scope | None


class Cancelled(Value):
    """The run should end soon; what it makes is not wanted any more."""

    type: Literal["cancelled"] = "cancelled"


Word = Alive | Taken | Failed | Said | Advanced | Read | Asked | Ended | HandedBack | Answered | Cancelled
WORDS: TypeAdapter[Word] = TypeAdapter(Annotated[Word, Field(discriminator="type")])
