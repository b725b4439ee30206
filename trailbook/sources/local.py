"""Files of this machine, copied as they are at one moment."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from trailbook.errors import CellFailed, PathRefused
from trailbook.store.files import ARTIFACTS

ATTEMPTS = 3
CHUNK = 1024 * 1024
_FOLDER = getattr(os, "O_PATH", os.O_RDONLY) | os.O_DIRECTORY | os.O_NOFOLLOW
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK


def allowed_path(text: str, folders: Sequence[Path], own: Path) -> Path:
    """The file that a path from outside means, links followed, if it lies inside an allowed folder.

    Of what is in `own`, Trailbook's, only the artifacts are anybody's; and below a folder, nothing that people don't
    see, such as keys.
    """
    try:
        path = Path(text).expanduser().resolve()
    except (OSError, RuntimeError, ValueError) as error:
        raise PathRefused(f"{text!r} is no path: {error}.") from error
    roots = [root for folder in folders if path.is_relative_to(root := folder.resolve())]
    if not roots:
        allowed = ", ".join(map(str, folders)) or "none"
        raise PathRefused(f"{text} is outside the folders that may be read ({allowed}). See the setting `folders`.")
    if path.is_relative_to(own.resolve()):
        if not path.is_relative_to(own.resolve() / ARTIFACTS):
            raise PathRefused(f"{text} is where Trailbook keeps its own files.")
    elif all(any(part.startswith(".") for part in path.relative_to(root).parts) for root in roots):
        raise PathRefused(
            f"{text} is no file that people see: its name, or that of a folder, starts with a dot. To read it, name"
            " its folder in the setting `folders`."
        )
    return path


def opened(path: Path) -> BinaryIO:
    """The file at a path that has no links in it: if there is one now, somebody put it there since it was allowed."""
    folder = os.open(path.anchor, _FOLDER)
    try:
        for part in path.parts[1:-1]:
            inner = os.open(part, _FOLDER, dir_fd=folder)
            os.close(folder)
            folder = inner
        file = os.open(path.name, _FILE, dir_fd=folder)
    finally:
        os.close(folder)
    if not stat.S_ISREG(os.fstat(file).st_mode):
        os.close(file)
        raise CellFailed(f"{path} is not a file.")
    return os.fdopen(file, "rb")


@contextmanager
def held(path: Path) -> Iterator[Path]:
    """A name that means this file for as long, also to other processes, whatever is put in its place meanwhile."""
    with opened(path) as file:
        name = Path(f"/proc/{os.getpid()}/fd/{file.fileno()}")
        yield name if name.exists() else path


def copy_file(path: Path, target: Path, on_progress: Callable[[int, int], None]) -> None:
    """Copy a file, of a path without links. One that changes meanwhile is copied again, and refused if it does not
    stop changing."""
    try:
        for _ in range(ATTEMPTS):
            with opened(path) as source:
                before = _state(source)
                _copy(source, target, on_progress)
                if _state(source) == before:
                    return
    except OSError as error:
        raise CellFailed(f"{path} can't be read: {error.strerror}.") from error
    raise CellFailed(f"{path} changes while it is read. Load it again when whatever writes it is done.")


def _state(file: BinaryIO) -> tuple[int, ...]:
    """What can't all stay the same if it is changed, or another one takes its place."""
    found = os.fstat(file.fileno())
    return found.st_size, found.st_mtime_ns, found.st_ctime_ns


def _copy(source: BinaryIO, target: Path, on_progress: Callable[[int, int], None]) -> None:
    total = os.fstat(source.fileno()).st_size
    done = 0
    with target.open("wb") as copy:
        # No more than there was at first: who writes it may be as quick.
        while piece := source.read(min(CHUNK, total - done)):
            copy.write(piece)
            done += len(piece)
            on_progress(done, total)
