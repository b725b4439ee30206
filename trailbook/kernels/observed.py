"""What a run did to the outside, as it is known at its end."""

from __future__ import annotations

from dataclasses import dataclass, field

CHANGED = "changed"
"""In place of a digest, when a file was not the same from the first look to the end of the run; equals none."""


@dataclass(frozen=True)
class Observed:
    """What a run did to the outside.

    `files_read`: path → digest; None if there was no such file, `CHANGED` if what was read can't be told any more.
    `files_written`: paths created, changed or deleted. Those in the run's own work directory are apart from both, and
    relative to it: looked at before the run itself made them (`work_read`, found or not, folders too), folders whose
    names were listed (`work_listed`), new or changed at the end (`work_written`), and gone (`work_deleted`).
    `variables_read`: the variables of the environment that were read as the server has them.
    `complete`: no file can have been read or written unseen.
    """

    files_read: dict[str, str | None] = field(default_factory=dict)
    files_written: tuple[str, ...] = ()
    work_read: tuple[str, ...] = ()
    work_listed: tuple[str, ...] = ()
    work_written: tuple[str, ...] = ()
    work_deleted: tuple[str, ...] = ()
    variables_read: tuple[str, ...] = ()
    network: tuple[str, ...] = ()
    subprocesses: tuple[str, ...] = ()
    randomness: bool = False
    clock: bool = False
    complete: bool = True
