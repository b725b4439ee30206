"""Notes which variables of the environment the cell's code reads, where it reads what the server was started with."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from typing import Any

from trailbook.kernels.child.outside.callers import caller_behind
from trailbook.kernels.child.outside.notes import Notes

WAYS = frozenset({"os", "collections", "pathlib", "posixpath", "string"})
"""The packages through which code reads a variable: `os.getenv`, `environ.get`, `in`, `expandvars`, `Path.home`."""


def note_variables(notes: Notes, installed: list[str], inherited: Mapping[str, str]) -> None:
    """Wrap the look-up; libraries, of which most ask for something, don't count, nor what a cell has set itself."""
    libraries = ("<frozen", *installed)
    kind = type(os.environ)
    look_up = kind.__getitem__

    def noting(environ: Any, key: Any) -> Any:
        caller = caller_behind(sys._getframe(1), WAYS)
        if caller and not caller.startswith(libraries):
            name = os.fsdecode(key)
            if environ._data.get(os.fsencode(key), b"") == os.fsencode(inherited.get(name, "")):
                notes.add("ReadVariable", name)
        return look_up(environ, key)

    kind.__getitem__ = noting  # type: ignore[method-assign]
