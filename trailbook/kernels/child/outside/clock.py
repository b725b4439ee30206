"""Notes when the cell's code asks what time it is. System calls don't show it: the kernel need not be asked."""

from __future__ import annotations

import functools
import sys
import time
from collections.abc import Callable
from typing import Any

from trailbook.kernels.child.outside.notes import Notes

ARGUMENTS_WITH_TIME = {"time": 0, "time_ns": 0, "localtime": 1, "gmtime": 1, "ctime": 1, "asctime": 1, "strftime": 2}
"""Functions that tell the time of now, unless they get so many arguments; not those that measure durations."""


def note_clock(notes: Notes, installed: list[str]) -> None:
    """Wrap the functions of `time`; libraries, which ask for logs and the like, don't count."""
    libraries = ("<frozen", *installed)
    for name, enough in ARGUMENTS_WITH_TIME.items():
        setattr(time, name, _noting(getattr(time, name), enough, notes, libraries))


def _noting(function: Callable[..., Any], enough: int, notes: Notes, libraries: tuple[str, ...]) -> Callable[..., Any]:
    @functools.wraps(function)
    def noting(*arguments: Any) -> Any:
        tells_now = not enough or len(arguments) < enough or arguments[enough - 1] is None
        if tells_now and not sys._getframe(1).f_code.co_filename.startswith(libraries):
            notes.add("ReadClock")
        return function(*arguments)

    return noting
