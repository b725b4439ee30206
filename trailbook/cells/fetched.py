"""Datasets of files that are elsewhere, which the host fetches for a cell."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from trailbook.cells.context import RunContext
from trailbook.errors import AddressRefused
from trailbook.kernels.names import Wanted
from trailbook.model.runs import Progress
from trailbook.settings import ANY, NONE, PROCESS, Settings

if TYPE_CHECKING:
    # What talks to other machines takes a while to import, which the server need not wait for.
    from trailbook.sources.remote import Fetch, Fetched, Terms

OPAQUE = "application/octet-stream"
WATCH_SECONDS = 0.1


def create(context: RunContext, wanted: Wanted, over: threading.Event) -> Path:
    """A staged dataset of what is wanted, with its doubts. Gives up once the cell is `over`."""
    from trailbook.cells.loading import load, notes
    from trailbook.cells.raw import FileToRead
    from trailbook.store.parquet import describe

    fetched = _fetched(context, wanted.url, over)
    kept = context.keep_file(fetched.path, OPAQUE)
    context.note(f"{wanted.name} was {fetched.told}, SHA-256 {kept}. What is there may change.")
    file = FileToRead(
        path=context.files.path(kept),
        name=fetched.name,
        format=wanted.format,
        options=wanted.options,
        most_bytes=context.settings.upload_limit,
    )
    directory, loaded = load(context, wanted.name, file, {})
    for note in notes(loaded):
        context.note(f"{wanted.name}: {note}")
    if not describe(directory).doubt.is_none:
        context.doubtful_created.add(wanted.name)
    return directory


def _fetched(context: RunContext, url: str, over: threading.Event) -> Fetched:
    from trailbook.sources.remote import Fetch

    def on_progress(done: int, total: int | None) -> None:
        context.progress(Progress(label="Fetching", done=done, total=total))

    fetch = Fetch(url, _terms(context.settings), on_progress)
    try:
        with context.stopped_by(fetch.stop), _stopped_when(over, fetch):
            return fetch.to_file(context.stage() / "fetched")
    finally:
        context.hosts_asked |= fetch.hosts


@contextmanager
def _stopped_when(over: threading.Event, fetch: Fetch) -> Iterator[None]:
    """The cell may end without being cancelled: its process may die, or take too long."""
    is_here = threading.Event()

    def watch() -> None:
        while not is_here.wait(WATCH_SECONDS):
            if over.is_set():
                fetch.stop()

    thread = threading.Thread(target=watch, name="fetch", daemon=True)
    thread.start()
    try:
        yield
    finally:
        is_here.set()
        thread.join()


def _terms(settings: Settings) -> Terms:
    from trailbook.sources.remote import Terms

    is_isolated = settings.isolation != PROCESS
    if settings.fetch == NONE or (is_isolated and not settings.fetch):
        where = f" from a {settings.isolation}" if is_isolated and not settings.fetch else ""
        raise AddressRefused(f"Nothing may be fetched{where} (setting fetch; public allows it).")
    return Terms(settings.upload_limit, allow_private=settings.fetch == ANY, anonymously=is_isolated)
