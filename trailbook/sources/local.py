"""Files of this machine, copied as they are at one moment."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from trailbook.errors import CellFailed, PathRefused
from trailbook.store.files import ARTIFACTS
from trailbook.store.outside import signs_of

ATTEMPTS = 3
CHUNK = 1024 * 1024


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


def copy_file(path: Path, target: Path, on_progress: Callable[[int, int], None]) -> None:
    """Copy a file. One that changes meanwhile is copied again, and refused if it does not stop changing."""
    if path.exists() and not path.is_file():
        raise CellFailed(f"{path} is not a file.")
    try:
        for _ in range(ATTEMPTS):
            before = signs_of(str(path))
            _copy(path, target, on_progress)
            if signs_of(str(path)) == before:
                return
    except OSError as error:
        raise CellFailed(f"{path} can't be read: {error.strerror}.") from error
    raise CellFailed(f"{path} changes while it is read. Load it again when whatever writes it is done.")


def _copy(path: Path, target: Path, on_progress: Callable[[int, int], None]) -> None:
    with path.open("rb") as source, target.open("wb") as copy:
        total = path.stat().st_size
        done = 0
        # No more than there was at first: who writes it may be as quick.
        while piece := source.read(min(CHUNK, total - done)):
            copy.write(piece)
            done += len(piece)
            on_progress(done, total)
