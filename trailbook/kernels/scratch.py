"""Reads what a run has in its scratch directory. A run that means harm may put links there, and pipes."""

from __future__ import annotations

import os
import shutil
import stat
from contextlib import suppress
from pathlib import Path
from typing import IO

from trailbook.errors import CellFailed

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK


def beginning(scratch: Path, name: str, most: int) -> bytes:
    """At most so many bytes of a plain file; none if it is something else."""
    with suppress(OSError), _opened(scratch, name) as file:
        return file.read(most)
    return b""


def copy_out(scratch: Path, path: str, target: Path) -> Path:
    """A copy of a plain file, which the run, while it goes on, may be changing or replacing."""
    try:
        with _opened(scratch, os.path.relpath(path, scratch)) as source, target.open("xb") as copy:
            shutil.copyfileobj(source, copy)
    except OSError as error:
        raise CellFailed(f"The cell gave {path} away, which is no file in the directory it has for results.") from error
    return target


def _opened(scratch: Path, name: str) -> IO[bytes]:
    """Folder by folder, none of which may be a link."""
    *folders, last = name.split("/")
    if ".." in folders:
        raise FileNotFoundError(name)
    here = os.open(scratch, os.O_RDONLY | os.O_DIRECTORY)
    try:
        for folder in folders:
            there = os.open(folder, _FOLDER, dir_fd=here)
            os.close(here)
            here = there
        file = open(os.open(last, _FILE, dir_fd=here), "rb")  # noqa: SIM115 - the caller's
    finally:
        os.close(here)
    if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        file.close()
        raise FileNotFoundError(name)
    return file
