"""How a file, or a table of a database, becomes a dataset: read as a raw table, decided about, then written."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import ValidationError

from trailbook.cells.asked import TableToRead, ask
from trailbook.cells.capturing import MAY_CHANGE
from trailbook.cells.context import RunContext
from trailbook.cells.dataflow import none_asked
from trailbook.cells.loaded import Loaded
from trailbook.cells.plain import stage_plainly
from trailbook.cells.raw import FileToRead, RawTable, all_votes, read_raw
from trailbook.cells.results import stage_slots
from trailbook.cells.tables import open_views
from trailbook.cells.wide import MOST_AT_ONCE, find_odd, is_wide, stage_widely
from trailbook.engine.errors import spark_errors
from trailbook.engine.tasks import on_workers
from trailbook.errors import CellFailed, Invalid
from trailbook.lenses.types.choose import choose
from trailbook.lenses.types.decision import NOTHING_GIVEN, Given
from trailbook.lenses.types.telling import is_worth_telling, told
from trailbook.lenses.types.votes import Votes
from trailbook.model.artifacts import Artifact
from trailbook.model.base import ArtifactId
from trailbook.model.runs import CAPTURED, NoteMessage, Run
from trailbook.store.decisions import read_decisions, write_decisions
from trailbook.store.row_names import LENGTH

if TYPE_CHECKING:
    from trailbook.cells.reloading.previous import Previous

AS_TEXT = Given.model_validate({"type": "string"})
MOST_TOLD = 200
"""Columns that have a note of their own."""
MOST_LISTED = 20


def load(
    context: RunContext,
    name: str,
    source: FileToRead | TableToRead,
    types: Mapping[str, Given],
    previous: Previous | None = None,
) -> tuple[Path, Loaded]:
    """A staged dataset of what is in the source, and what was decided about it; `previous` is the load before."""
    scratch = context.stage()
    target = scratch / "raw"
    target.mkdir()
    table, votes = _read(context, source, scratch, target)
    raw = context.capture(source.name, target)
    path = context.files.path(raw.id)
    if previous:
        types = previous.still_given(types, table)

    def decided(as_text: Collection[str] = ()) -> Loaded:
        loaded = loaded_as(name, source.name, table, votes, {**types, **dict.fromkeys(as_text, AS_TEXT)})
        drift = previous.drift_to(loaded, types) if previous else ()
        return loaded.model_copy(update={"load": raw.id[:LENGTH], "drift": drift, "as_text": tuple(as_text)})

    loaded = decided()
    directory = stage_plainly(context, loaded, path)
    if directory is None and table.is_sampled:
        with context.workers() as session:
            votes = all_votes(partial(on_workers, session), path, table)
        table = table.model_copy(update={"is_sampled": False})
        loaded = decided()
        directory = stage_plainly(context, loaded, path)
    if directory is None and is_wide(table):
        odd, names = find_odd(context, loaded, path), loaded.names
        as_text = [names[number] for number in sorted(odd) if names[number] not in types]
        if len(as_text) > MOST_AT_ONCE:
            loaded = decided(as_text)
            directory = stage_plainly(context, loaded, path)
    directory = directory or _stage_by_queries(context, loaded, raw)
    write_decisions(directory, loaded.kept)
    return directory, loaded


def load_again(context: RunContext, name: str, twin: Run) -> tuple[Path, Loaded] | None:
    """The same of what another run took in, where only what is acknowledged differs; None if that is gone."""
    try:
        loaded = Loaded.model_validate({"name": name, **read_decisions(context.files.path(twin.writes[name]))})
    except (Invalid, KeyError, ValidationError):
        # It came from elsewhere, with what we can't read.
        return None
    id = ArtifactId(twin.reads.get(CAPTURED + loaded.source) or "")
    if not id or not context.files.has(id):
        return None
    context.reads.update(twin.reads)
    context.hosts_asked |= set(twin.outside.network)
    for message in twin.messages:
        if isinstance(message, NoteMessage) and message.text.endswith(MAY_CHANGE):
            context.say(message)
    directory = stage_plainly(context, loaded, context.files.path(id))
    directory = directory or _stage_by_queries(context, loaded, context.known(id))
    write_decisions(directory, loaded.kept)
    return directory, loaded


def _read(
    context: RunContext, source: FileToRead | TableToRead, scratch: Path, target: Path
) -> tuple[RawTable, Mapping[int, Votes]]:
    if isinstance(source, TableToRead):
        return ask(context, source, target), {}
    with context.workers() as session:
        return read_raw(partial(on_workers, session), source, scratch, target, context.progress)


def _stage_by_queries(context: RunContext, loaded: Loaded, raw: Artifact) -> Path:
    return (stage_widely if is_wide(loaded.table) else stage_by_query)(context, loaded, raw)


def stage_by_query(context: RunContext, loaded: Loaded, raw: Artifact) -> Path:
    """A staged dataset of the raw table, whatever is in it."""
    with context.session() as session, spark_errors():
        inputs = loaded.inputs(lambda _: raw, lambda _: raw)
        open_views(session, context.files, inputs)
        return stage_slots(context, session, loaded.trace(inputs, context.acknowledged, none_asked).slots)


def notes(loaded: Loaded) -> Iterator[str]:
    """What a person should know, besides the caveats."""
    table = loaded.table
    if table.guessed:
        yield f"Found out: {table.format}; {'; '.join(table.guessed)}."
    if table.problems:
        yield f"Rows with something wrong, in doubt: {table.wrong:,}; lines left out in doubt: {table.left_out:,}."
    if table.cut_off:
        yield f"Not all of {loaded.source} could be read: {table.cut_off}."
    if loaded.as_text:
        yield (
            f"Left as text: {_listed(loaded.as_text)}. So many columns that are not written plainly are not read as "
            "numbers, dates or truth values. Say the types of those that you need."
        )
    telling = [column for column, decision in loaded.decisions.items() if is_worth_telling(decision)]
    for column in telling[:MOST_TOLD]:
        yield told(column, loaded.decisions[column])
    if others := telling[MOST_TOLD:]:
        yield f"There is something to tell of other columns, too: {_listed(others)}."


def _listed(columns: Sequence[str]) -> str:
    some = ", ".join(columns[:MOST_LISTED])
    return some if len(columns) <= MOST_LISTED else f"{some} and {len(columns) - MOST_LISTED:,} more"


def loaded_as(
    name: str, source: str, table: RawTable, votes: Mapping[int, Votes], types: Mapping[str, Given]
) -> Loaded:
    """What is made of the raw table: what the data says of its columns, over which goes what somebody said."""
    texts = {table.columns[number].name: each for number, each in votes.items()}
    for column in types:
        if column not in texts:
            raise CellFailed(f"{source} has no column of text called {column}. It has: {', '.join(texts) or 'none'}.")
    decisions = {column: choose(each, types.get(column, NOTHING_GIVEN)) for column, each in texts.items()}
    return Loaded(name=name, source=source, table=table, decisions=decisions)
