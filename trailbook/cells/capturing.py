"""Where the file of a Load cell is, and how its bytes, as they are now, get into the store."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from trailbook.cells.context import RunContext
from trailbook.cells.meanwhile import meanwhile
from trailbook.errors import AddressRefused, CellFailed
from trailbook.model.base import ArtifactId
from trailbook.model.runs import CAPTURED, FILE_READ, Progress
from trailbook.settings import ANY, NONE, PROCESS, Settings
from trailbook.sources.local import allowed_path, copy_file

if TYPE_CHECKING:
    # What talks to other machines takes a while to import, which the server need not wait for.
    from trailbook.sources.remote import Fetch, Terms

OPAQUE = "application/octet-stream"
MAY_CHANGE = "What is there may change."
"""How the notes end that say where data was taken from."""
WATCH_SECONDS = 0.1
_CONTENT = re.compile(r"[^?#]*/artifacts/([0-9a-f]{64})/content")

Captured = tuple[Path, str]
"""A file of the store, and what its owner calls it."""


def uploaded(context: RunContext, id: ArtifactId, name: str) -> Captured:
    path = context.files.path(id)
    if not path.is_file():
        # Uploaded once more, it is there again.
        context.reads[FILE_READ + str(path)] = None
        raise CellFailed(f"The uploaded file {name or id} is no longer in the store.")
    return path, name or path.name


def copied(context: RunContext, text: str) -> Captured:
    """A file of this machine. What is read later can't differ from what was loaded."""
    path = allowed_path(text, context.settings.readable_folders, context.settings.data)
    # Not where links lead: they may lead elsewhere the next time.
    read = FILE_READ + str(Path(text).expanduser())
    context.reads[read] = None
    if id := _stored(context, path.name, path):
        context.reads[read] = id
        return path, path.name
    copy = context.stage() / "captured"

    def on_progress(done: int, total: int) -> None:
        context.check_cancelled()
        context.progress(Progress(label="Copying", done=done, total=total, in_bytes=True))

    copy_file(path, copy, on_progress)
    kept = context.keep_file(copy, OPAQUE)
    context.reads[read] = kept
    return context.files.path(kept), path.name


def fetched(context: RunContext, name: str, url: str, over: threading.Event | None = None) -> Captured:
    """A file from elsewhere, for the dataset of that name. Gives up once the cell is `over`.

    An artifact is known by its content, so one of the store is used in place, whoever else may have it.
    """
    from trailbook.sources.remote import Fetch

    if (content := _CONTENT.match(url)) and (id := _stored(context, content[1])):
        context.reads[CAPTURED + url] = id
        return context.files.path(id), id

    def on_progress(done: int, total: int | None) -> None:
        context.progress(Progress(label="Fetching", done=done, total=total, in_bytes=True))

    fetch = Fetch(url, terms_of(context.settings), on_progress)
    try:
        with context.stopped_by(fetch.stop), _stopped_when(over, fetch):
            found = fetch.to_file(context.stage() / "fetched")
    finally:
        context.hosts_asked |= fetch.hosts
    kept = context.keep_file(found.path, OPAQUE)
    context.reads[CAPTURED + url] = kept
    context.note(f"{name} was {found.told}, SHA-256 {kept}. {MAY_CHANGE}")
    return context.files.path(kept), found.name


def terms_of(settings: Settings) -> Terms:
    """What cells may fetch."""
    from trailbook.sources.remote import Terms

    is_isolated = settings.isolation != PROCESS
    if settings.fetch == NONE or (is_isolated and not settings.fetch):
        where = f" from a {settings.isolation}" if is_isolated and not settings.fetch else ""
        raise AddressRefused(f"Nothing may be fetched{where} (setting fetch; public allows it).")
    return Terms(settings.upload_limit, allow_private=settings.fetch == ANY, anonymously=is_isolated)


def _stored(context: RunContext, id: str, path: Path | None = None) -> ArtifactId | None:
    """The artifact of that id, if it is a file of the store; and at that path, if one is given."""
    if not re.fullmatch("[0-9a-f]{64}", id):
        return None
    place = context.files.path(ArtifactId(id))
    return ArtifactId(id) if place.is_file() and path in (None, place.resolve()) else None


@contextmanager
def _stopped_when(over: threading.Event | None, fetch: Fetch) -> Iterator[None]:
    """The cell may end without being cancelled: its process may die, or take too long."""
    if over is None:
        yield
        return

    def look() -> None:
        if over.is_set():
            fetch.stop()

    with meanwhile(look, WATCH_SECONDS):
        yield
