"""What a Load cell does when there was a load before: it finds rows again, names them, and tells what changed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from trailbook.cells.context import RunContext
from trailbook.cells.loaded import Loaded
from trailbook.cells.reloading.aligning import Loads, align
from trailbook.cells.reloading.changes import MEDIA_TYPE, Changes
from trailbook.cells.reloading.listing import listed
from trailbook.cells.reloading.naming import keep_names, write_names
from trailbook.cells.reloading.previous import Previous
from trailbook.errors import CellFailed
from trailbook.model.base import digest_of
from trailbook.model.runs import CAPTURED, DisplayMessage, Progress
from trailbook.store.parquet import describe
from trailbook.store.row_names import LENGTH


def reload(context: RunContext, previous: Previous, directory: Path, loaded: Loaded, key: Sequence[str]) -> None:
    """Name the rows of a staged dataset as those before, where they are the same, and tell what changed."""
    changes = _compared(context, previous, directory, loaded, key)
    report = context.stage() / "changes.json"
    report.write_text(changes.model_dump_json(), "utf-8")
    kept = context.keep_file(report, MEDIA_TYPE)
    context.say(DisplayMessage(data={"text/plain": changes.words}, artifacts={MEDIA_TYPE: kept}))


def _compared(context: RunContext, previous: Previous, directory: Path, loaded: Loaded, key: Sequence[str]) -> Changes:
    before, now = previous.columns, loaded.types
    keys = _keys(context, key, before, now)
    described = describe(directory)
    if described.data == previous.artifact.data:
        keep_names(previous, directory)
        return Changes(columns=tuple(now), columns_before=tuple(before), drift=loaded.drift, same=described.rows)
    loads = Loads(
        previous.directory,
        directory,
        (previous.artifact.rows or 0, described.rows),
        [name for name in now if name in before],
        keys,
    )
    context.progress(Progress(label="Comparing with the load before", done=0))
    with context.workers() as session:
        alignment = align(session, loads, context.stage())
        write_names(session, previous, directory, _called(context, previous, loaded), alignment)
        rows = listed(session, loads, alignment, list(before), list(now))
    counts = alignment.counts
    return Changes(
        columns=tuple(now),
        columns_before=tuple(before),
        drift=loaded.drift,
        added=counts.added,
        removed=counts.removed,
        altered=counts.altered,
        same=counts.same,
        altered_values=alignment.altered_values,
        moved=bool(counts.moved) and not (counts.added or counts.removed),
        has_given_up=alignment.has_given_up,
        added_rows=rows.added,
        removed_rows=rows.removed,
        altered_rows=rows.altered,
    )


def _keys(context: RunContext, key: Sequence[str], before: Mapping[str, str], now: Mapping[str, str]) -> Sequence[str]:
    """The columns that name a row, if both loads have them."""
    for name in key:
        if name not in now and name not in before:
            raise CellFailed(f"There is no column {name} to know rows by. There are: {', '.join(now)}.")
        if name not in now or name not in before:
            context.note(f"Rows can't be known by {name}, which only one of the two loads has.")
            return ()
    return key


def _called(context: RunContext, previous: Previous, loaded: Loaded) -> str:
    """What the rows are called by that were not there before: the same for the same source, loaded after the same."""
    return digest_of(context.reads[CAPTURED + loaded.source], previous.artifact.id)[:LENGTH]
