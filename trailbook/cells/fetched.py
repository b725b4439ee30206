"""Datasets of files that are elsewhere, which the host loads for a Python cell."""

from __future__ import annotations

import threading
from pathlib import Path

from trailbook.cells.capturing import fetched
from trailbook.cells.context import RunContext
from trailbook.kernels.names import Wanted


def create(context: RunContext, wanted: Wanted, over: threading.Event) -> Path:
    """A staged dataset of what is wanted, with its doubts. Gives up once the cell is `over`."""
    from trailbook.cells.loading import load, notes
    from trailbook.cells.raw import FileToRead
    from trailbook.store.parquet import describe

    path, name = fetched(context, wanted.name, wanted.url, over)
    file = FileToRead(
        path=path,
        name=name,
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
