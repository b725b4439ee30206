"""What a Load cell does when there was a load before: it finds rows again, names them, and tells what changed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from trailbook.cells.context import RunContext
from trailbook.cells.loaded import Loaded
from trailbook.cells.reloading.aligning import Alignment, Loads, align
from trailbook.cells.reloading.changes import MEDIA_TYPE, Changes
from trailbook.cells.reloading.drift import Drift, drift_between
from trailbook.cells.reloading.listing import listed
from trailbook.cells.reloading.naming import keep_names, write_names
from trailbook.cells.reloading.previous import Previous
from trailbook.errors import CellFailed
from trailbook.model.artifacts import Artifact
from trailbook.model.base import Digest, digest_of
from trailbook.model.runs import CAPTURED, DisplayMessage, Progress
from trailbook.store.parquet import describe
from trailbook.store.row_names import LENGTH

if TYPE_CHECKING:
    from pyspark.sql.connect.session import SparkSession


@dataclass(frozen=True)
class Current:
    """What is loaded now: where its rows are, which and how many, the types of its columns, and how those drifted."""

    directory: Path
    data: Digest | None
    rows: int
    columns: Mapping[str, str]
    drift: tuple[Drift, ...]


def reload(context: RunContext, previous: Previous, directory: Path, loaded: Loaded, key: Sequence[str]) -> None:
    """Name the rows of a staged dataset as those before, where they are the same, and tell what changed."""
    found = describe(directory)
    now = Current(directory, found.data, found.rows, loaded.types, loaded.drift)

    def name_rows(session: SparkSession, alignment: Alignment) -> None:
        write_names(session, previous, directory, _called(context, previous, loaded), alignment)

    if now.data == previous.artifact.data:
        keep_names(previous, directory)
    _tell(context, _compared(context, previous, now, key, name_rows))


def compare(context: RunContext, previous: Previous, artifact: Artifact, key: Sequence[str]) -> None:
    """Tell what changed where the dataset is one that is there: its rows stay called as they are."""
    before, columns = ({one.name: one.type for one in each.columns} for each in (previous.artifact, artifact))
    # What drifted earlier is a doubt of where it was published, and told there.
    drift = drift_between(before, columns, known=(), since=previous.when, settled=())
    now = Current(context.files.path(artifact.id), artifact.data, artifact.rows or 0, columns, drift)
    _tell(context, _compared(context, previous, now, key))


def _tell(context: RunContext, changes: Changes) -> None:
    report = context.stage() / "changes.json"
    report.write_text(changes.model_dump_json(), "utf-8")
    kept = context.keep_file(report, MEDIA_TYPE)
    context.say(DisplayMessage(data={"text/plain": changes.words}, artifacts={MEDIA_TYPE: kept}))


def _compared(
    context: RunContext,
    previous: Previous,
    current: Current,
    key: Sequence[str],
    name_rows: Callable[[SparkSession, Alignment], None] | None = None,
) -> Changes:
    before, now = previous.columns, current.columns
    keys = _keys(context, key, before, now)
    if current.data == previous.artifact.data:
        return Changes(columns=tuple(now), columns_before=tuple(before), drift=current.drift, same=current.rows)
    loads = Loads(
        previous.directory,
        current.directory,
        (previous.artifact.rows or 0, current.rows),
        [name for name in now if name in before],
        keys,
    )
    context.progress(Progress(label="Comparing with the load before", done=0))
    with context.workers() as session:
        alignment = align(session, loads, context.stage())
        if name_rows:
            name_rows(session, alignment)
        rows = listed(session, loads, alignment, list(before), list(now))
    counts = alignment.counts
    return Changes(
        columns=tuple(now),
        columns_before=tuple(before),
        drift=current.drift,
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
