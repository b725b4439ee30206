"""What Python cells do with files and beyond. What one leaves in its working directory, the cells below find.

Such a file is a name like any other, `./path`; an empty folder is `./path/.`. That a file is in doubt is said by a name
beside it.
"""

from __future__ import annotations

import mimetypes
import os
import shutil
from collections.abc import Mapping
from pathlib import Path

from trailbook.cells.context import RunContext
from trailbook.errors import CellFailed
from trailbook.kernels.home import Home
from trailbook.kernels.observed import CHANGED, Observed
from trailbook.model.artifacts import About
from trailbook.model.base import ArtifactId
from trailbook.model.runs import DOUBT_OF, FILE, FILE_READ, VARIABLE_READ, Outside
from trailbook.store.outside import variable_digest

OPAQUE = "application/octet-stream"
EMPTY = "/."


def lay_out(context: RunContext, work: Path) -> Home | None:
    """Put the files of the cells above where a cell finds them, and behind them those of the notebook's folder.

    The former are copies, since it may change them.
    """
    work.mkdir()
    for name, id in context.scope.artifacts.items():
        if name.startswith(FILE):
            place = work / name.removeprefix(FILE)
            is_folder = name.endswith(EMPTY)
            (place if is_folder else place.parent).mkdir(parents=True, exist_ok=True)
            if not is_folder:
                shutil.copyfile(context.files.path(id), place)
    folder = context.settings.home_folder
    if folder is None:
        return None
    home = Home(folder, work)
    try:
        home.lay_out(context.files.staging)
    except OSError as error:
        raise CellFailed(f"{folder} (setting home) can't be read: {error.strerror}.") from error
    return home


def record(context: RunContext, observed: Observed) -> None:
    """Note what a run read and did beyond the names of the notebook, however it ended."""
    for name in (*(FILE + path for path in observed.work_read), *map(folder_name, observed.work_listed)):
        for read in (name, *_doubts(context, name)):
            context.reads[read] = context.scope.identity(read)
    for path, digest in observed.files_read.items():
        # What it changed itself is not what it found; that it did so is noted.
        if digest != CHANGED or path not in observed.files_written:
            context.reads[FILE_READ + path] = digest
    for name in observed.variables_read:
        context.reads[VARIABLE_READ + name] = variable_digest(name)
    context.outside = Outside(
        network=tuple(sorted({*observed.network, *context.hosts_asked})),
        programs=observed.subprocesses,
        files_written=observed.files_written,
        clock=observed.clock,
        randomness=observed.randomness,
        complete=observed.complete,
    )
    if observed.files_written:
        context.note(f"It made, changed or deleted files elsewhere: {', '.join(observed.files_written)}.")


def keep(context: RunContext, work: Path, observed: Observed, *, doubtful: bool) -> None:
    """Take over the files that a cell made or changed."""
    _keep_folders(context, work)
    for path in observed.work_written:
        place = work / path
        if place.is_symlink() or not place.is_file():
            context.note(f"{path} is not a plain file, so it is not kept for other cells.")
            continue
        context.writes[FILE + path] = context.keep_file(place, mimetypes.guess_type(path)[0] or OPAQUE)
        _say_doubt(context, FILE + path, doubtful)
    context.deletes |= {prefix + FILE + path for path in observed.work_deleted for prefix in ("", DOUBT_OF)}


def _keep_folders(context: RunContext, work: Path) -> None:
    """Those without files in them; the others come with their files."""
    for folder, folders, files in os.walk(work):
        name = f"{FILE}{os.path.relpath(folder, work)}{EMPTY}"
        if not folders and not files and folder != str(work) and name not in context.scope.artifacts:
            nothing = context.stage() / "nothing"
            nothing.touch()
            context.writes[name] = context.keep_file(nothing, OPAQUE)
    known = (name for name in context.scope.artifacts if name.startswith(FILE) and name.endswith(EMPTY))
    context.deletes |= {name for name in known if not (work / name.removeprefix(FILE)).is_dir()}


def keep_again(context: RunContext, written: Mapping[str, ArtifactId], *, doubtful: bool) -> None:
    """The same files once more; only what is in doubt may differ."""
    for name, id in written.items():
        if name.startswith(FILE):
            context.writes[name] = id
            _say_doubt(context, name, doubtful)


def folder_name(path: str) -> str:
    """The name by which the files of a folder are listed; `./` for the work directory itself."""
    return f"{FILE}{path}/" if path else FILE


def is_file(name: str) -> bool:
    """Whether it stands for a file, or for the doubt of one."""
    return name.startswith((FILE, DOUBT_OF))


def _doubts(context: RunContext, name: str) -> list[str]:
    """What says that the file is in doubt, or one of those below, if it is a folder."""
    below = (other for other in context.scope.artifacts if other.startswith(f"{name.rstrip('/')}/"))
    return [DOUBT_OF + other for other in (name, *below)]


def _say_doubt(context: RunContext, name: str, doubtful: bool) -> None:
    if doubtful:
        said = f"{name} rests on doubtful data"
        context.write_value({DOUBT_OF + name: About(type="doubt", text=said)}, said.encode(), doubtful=True)
    elif DOUBT_OF + name in context.scope.artifacts:
        context.deletes.add(DOUBT_OF + name)
