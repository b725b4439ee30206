"""Runs: executions of cells, with everything they read, wrote and said."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field

from trailbook.model.base import ArtifactId, CellHandle, Digest, Json, PersonId, RunId, Value

FILE_READ = "file:"
"""In a run's reads: what stands before the path of a file, to tell it from a name."""
VARIABLE_READ = "variable:"
"""In a run's reads: what stands before the name of a variable of the environment."""
OUTSIDE_READS = (FILE_READ, VARIABLE_READ)
CASELESS_READ = "caseless:"
"""In a run's reads: stands before a name that was looked for in any spelling; what it met are the names alike."""
FILE = "./"
"""What begins the name of a file that a cell left for those below; `./folder/` stands for the names in a folder."""
DOUBT_OF = "doubt:"
"""What stands before the name of a file in the name that says that it is in doubt."""
CAPTURED = "captured:"
"""In a run's reads: what stands before the name of a file or table from elsewhere, as the run itself took it in."""
PUBLISHED = "published:"
"""In a run's reads: what stands before the name and the edition of a published dataset."""
PREVIOUS = "previous:"
"""In a run's reads: what stands before the name of a dataset, for what was loaded under it before, to be compared."""
TAKEN_IN = (CAPTURED, PUBLISHED, PREVIOUS)
"""What no cell above made."""
STATE = "@"
"""What the names of the state of libraries, and of classes, begin with."""
CLASS_STATE = "@class:"
"""What stands before the name of a class in that of its state."""
ALL_NAMES = "names:"
"""In a run's reads: that code looked which names there are."""


def changed_through(read: str) -> str | None:
    """The name by which code changes what was read; None for the state of a library, which needs no name.

    Nor is there one for what the run took in itself.

    >>> changed_through("sales"), changed_through("@class:Shape.Corner:3fa9:0"), changed_through("@random")
    ('sales', 'Shape', None)
    """
    if read.startswith(CLASS_STATE):
        return read.removeprefix(CLASS_STATE).partition(":")[0].partition(".")[0]
    return None if read.startswith((STATE, *TAKEN_IN)) else read


class CellState(StrEnum):
    """How a cell of a version stands. A run is never waiting or stale; those are states of a cell without one."""

    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    ERROR = "error"
    CANCELLED = "cancelled"
    STALE = "stale"


_ENDED_BADLY = frozenset({CellState.WAITING, CellState.RUNNING, CellState.STALE, CellState.DONE})
NEXT_STATES: Mapping[CellState, frozenset[CellState]] = {
    CellState.STALE: frozenset({CellState.WAITING, CellState.RUNNING, CellState.DONE}),
    CellState.WAITING: frozenset(CellState) - {CellState.WAITING},
    CellState.RUNNING: frozenset(CellState) - {CellState.RUNNING},
    CellState.DONE: frozenset({CellState.WAITING, CellState.RUNNING, CellState.STALE}),
    CellState.ERROR: _ENDED_BADLY,
    CellState.CANCELLED: _ENDED_BADLY,
}
"""What a cell of a version may become: it fails only if it runs. In another version it may be in any state."""


class TextMessage(Value):
    """What a cell printed."""

    type: Literal["text"] = "text"
    stream: Literal["stdout", "stderr"]
    text: str


class DisplayMessage(Value):
    """What a cell showed: one thing, in each media type it can be shown as.

    Small text is inline in `data`; bytes and long text are artifacts, named in `artifacts` by media type. `id` is what
    the cell changes it by later.
    """

    type: Literal["display"] = "display"
    id: str | None = None
    data: dict[str, Json] = Field(default_factory=dict)
    artifacts: dict[str, ArtifactId] = Field(default_factory=dict)


class NoteMessage(Value):
    """What Trailbook itself has to say about a run: output that was cut, a name that was changed."""

    type: Literal["note"] = "note"
    text: str


class UpdateMessage(Value):
    """In place of what a running cell showed under this id, or after the rest if that was elsewhere. Not stored."""

    type: Literal["update"] = "update"
    display: DisplayMessage


class ClearMessage(Value):
    """What a running cell said so far counts no more, but for what Trailbook itself noted. Not stored."""

    type: Literal["clear"] = "clear"


Message = Annotated[TextMessage | DisplayMessage | NoteMessage, Field(discriminator="type")]
LiveMessage = Annotated[
    TextMessage | DisplayMessage | NoteMessage | UpdateMessage | ClearMessage, Field(discriminator="type")
]
"""What a cell says while it runs: a message, or what becomes of earlier ones."""


def heard(messages: Sequence[Message], new: LiveMessage) -> list[Message]:
    """What is there to be seen after one more was said. Text that goes on in the same stream is one message."""
    match new:
        case ClearMessage():
            return [message for message in messages if isinstance(message, NoteMessage)]
        case UpdateMessage(display=display):
            changed = [display if _shows(message, display.id) else message for message in messages]
            return changed if display in changed else [*changed, display]
        case TextMessage(stream=stream) if messages:
            last = messages[-1]
            if isinstance(last, TextMessage) and last.stream == stream:
                return [*messages[:-1], TextMessage(stream=stream, text=last.text + new.text)]
    return [*messages, new]


def _shows(message: Message, id: str | None) -> bool:
    return isinstance(message, DisplayMessage) and message.id == id


class CellError(Value):
    """Why a run failed; `line` and `column` (from 1) point into the cell's text.

    `offer` is the package that would bring the `missing_module`.
    """

    code: str
    message: str
    line: int | None = None
    column: int | None = None
    traceback: str | None = None
    missing_module: str | None = None
    offer: str | None = None


class Progress(Value):
    """How far a running cell is. Not stored."""

    label: str
    done: int
    total: int | None = None
    in_bytes: bool = False


class Outside(Value):
    """What a run did beyond the notebook, so that it might come out otherwise the next time.

    `files_written` are files outside its own directory that it made, changed or deleted; `digests` of those that were
    made to last. Of the datasets `published` it took the newest edition. `complete`: nothing it did with files can have
    gone unseen.
    """

    network: tuple[str, ...] = ()
    programs: tuple[str, ...] = ()
    files_written: tuple[str, ...] = ()
    digests: dict[str, Digest] = Field(default_factory=dict)
    published: tuple[str, ...] = ()
    clock: bool = False
    randomness: bool = False
    complete: bool = True

    @property
    def is_repeatable(self) -> bool:
        """Whether nothing but what it read decided what it did."""
        return self == Outside()


class Run(Value):
    """One execution of a cell.

    `reads` maps what it read to the identity it had then: a name to its artifact (None: looked for and absent),
    `file:PATH` to the digest of the file. `writes` maps names to the artifacts it made; `deletes` are the names that
    mean nothing after it. Together with the spec and the environment, `reads` decides whether the run can stand for
    another one.
    """

    id: RunId
    cell: CellHandle
    spec: Digest
    environment: Digest
    person: PersonId
    state: CellState
    started: datetime
    finished: datetime | None = None
    reads: dict[str, str | None] = Field(default_factory=dict)
    writes: dict[str, ArtifactId] = Field(default_factory=dict)
    deletes: tuple[str, ...] = ()
    messages: tuple[Message, ...] = ()
    error: CellError | None = None
    outside: Outside = Outside()

    @property
    def seconds(self) -> float | None:
        """How long it took; nothing while it runs."""
        return (self.finished - self.started).total_seconds() if self.finished else None

    @property
    def spellings(self) -> dict[str, str]:
        """The names that it looked up and found, each with the name as it was written."""
        found = {
            key.removeprefix(CASELESS_READ): met for key, met in self.reads.items() if key.startswith(CASELESS_READ)
        }
        alike = {name: met for name, met in found.items() if met in self.reads}
        return alike | {name: name for name, id in self.reads.items() if id and ":" not in name}

    @property
    def made(self) -> frozenset[ArtifactId]:
        """The artifacts without which it can't be shown: datasets, and what was displayed."""
        shown = {id for m in self.messages if isinstance(m, DisplayMessage) for id in m.artifacts.values()}
        return frozenset({*self.writes.values(), *shown})


def artifacts_among(reads: Mapping[str, str | None]) -> dict[str, ArtifactId]:
    """The names that met an artifact: not a file of the machine, nor what a cell failed to make."""
    kept = {name: id for name, id in reads.items() if id and ":" not in id}
    return {
        name: ArtifactId(id) for name, id in kept.items() if ":" not in name or name.startswith((DOUBT_OF, *TAKEN_IN))
    }
