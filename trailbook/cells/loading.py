"""How a captured file becomes a dataset: read as a raw table, its columns decided about, then written by a query."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from trailbook.cells.context import RunContext
from trailbook.cells.dataflow import none_asked
from trailbook.cells.loaded import Loaded
from trailbook.cells.raw import FileToRead, RawTable, read_raw
from trailbook.cells.results import stage_slots
from trailbook.cells.tables import open_views
from trailbook.engine.errors import spark_errors
from trailbook.errors import CellFailed
from trailbook.lenses.types.choose import choose
from trailbook.lenses.types.decision import NOTHING_GIVEN, Decision, Given
from trailbook.lenses.types.telling import told
from trailbook.lenses.types.votes import Votes
from trailbook.store.decisions import write_decisions

if TYPE_CHECKING:
    pass


def load(context: RunContext, name: str, file: FileToRead, types: Mapping[str, Given]) -> tuple[Path, Loaded]:
    """A staged dataset of what is in the file, and what was decided about it."""
    scratch = context.stage()
    target = scratch / "raw"
    target.mkdir()
    with context.workers() as session:
        table, votes = read_raw(session, file, scratch, target)
    with context.session() as session, spark_errors():
        raw = context.capture(file.name, target)
        decisions = _decided(file.name, table, votes, types)
        loaded = Loaded(name=name, source=file.name, table=table, decisions=decisions)
        inputs = loaded.inputs(lambda _: raw, lambda _: raw)
        open_views(session, context.files, inputs)
        directory = stage_slots(context, session, loaded.trace(inputs, context.acknowledged, none_asked).slots)
    write_decisions(directory, loaded.kept)
    return directory, loaded


def notes(loaded: Loaded) -> Iterator[str]:
    """What a person should know, besides the caveats."""
    table = loaded.table
    if table.guessed:
        yield f"Found out: {table.format}; {'; '.join(table.guessed)}."
    if table.problems:
        yield f"Rows with something wrong, in doubt: {table.wrong:,}; lines left out in doubt: {table.left_out:,}."
    if table.cut_off:
        yield f"{loaded.source} could not be read to its end: {table.cut_off}."
    for column, decision in loaded.decisions.items():
        if _is_worth_telling(decision):
            yield told(column, decision)


def _is_worth_telling(decision: Decision) -> bool:
    counts = decision.counts
    is_typed = decision.type != "string"
    return bool(
        decision.proposed or decision.guesses or (is_typed and (counts.misfits + counts.unusual + counts.codes))
    )


def _decided(
    source: str, table: RawTable, votes: Mapping[int, Votes], types: Mapping[str, Given]
) -> dict[str, Decision]:
    """What the data says, over which goes what somebody said."""
    texts = {table.columns[number].name: each for number, each in votes.items()}
    for name in types:
        if name not in texts:
            raise CellFailed(f"{source} has no column of text called {name}. It has: {', '.join(texts) or 'none'}.")
    return {name: choose(each, types.get(name, NOTHING_GIVEN)) for name, each in texts.items()}
