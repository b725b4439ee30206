"""Datasets of raw tables that are written plainly: made by Spark's tasks without the query, with the same result."""

from __future__ import annotations

import shutil
from collections.abc import Collection, Sequence
from pathlib import Path

from trailbook.cells.context import RunContext
from trailbook.cells.loaded import Loaded
from trailbook.cells.meanwhile import parts_told
from trailbook.cells.results import FEW_PHANTOMS, check_names
from trailbook.engine.tasks import Piece, on_workers
from trailbook.lenses.types.electing import ENOUGH
from trailbook.store.masks import PHANTOMS
from trailbook.store.parquet import part_starts

PART = "part-00000.parquet"


def stage_plainly(context: RunContext, loaded: Loaded, raw: Path) -> Path | None:
    """A staged dataset of the raw table; None if only the query can make it, or all records should speak for types."""
    from trailbook.lenses.types.plain import plain_type

    if (
        context.acknowledged
        or loaded.needs_query
        or any(plain_type(decision) is None for decision in loaded.decisions.values())
    ):
        return None
    directory, done = write_parts(context, loaded, raw)
    if not all(one["is_plain"] for one in done) or (loaded.table.is_sampled and _has_many_doubts(loaded, done)):
        shutil.rmtree(directory)
        return None
    if left_out := loaded.table.left_out:
        # Too many of them are one that stands for any number.
        write_phantoms(directory, [True] if left_out > FEW_PHANTOMS else [False] * left_out)
    return directory


def write_parts(
    context: RunContext, loaded: Loaded, raw: Path, answers: Sequence[Piece] = ()
) -> tuple[Path, list[Piece]]:
    """A staged dataset without phantoms, and what the tasks say of its parts. The `answers` are those of queries."""
    from trailbook.cells import plain_parts

    check_names(loaded.names)
    directory = context.stage() / "dataset"
    directory.mkdir()
    answered = {number for answer in answers for number in answer["numbers"]}
    pieces = [
        {**piece, "answers": list(answers), "target": str(directory / Path(piece["raw"]).name)}
        for piece in pieces_of(loaded, raw, but=answered)
    ]
    with context.workers() as session, parts_told(context.progress, "Writing", directory, len(pieces)):
        return directory, on_workers(session, plain_parts.write, pieces)


def pieces_of(loaded: Loaded, raw: Path, but: Collection[int] = ()) -> list[Piece]:
    """The parts of the raw table, each with how its columns are read, `but` for some."""
    decisions = {n: loaded.decisions[name] for n, name in enumerate(loaded.names) if name in loaded.decisions}
    known = {
        "names": loaded.names,
        "blanks_are_null": loaded.table.blanks_are_null,
        "decisions": {n: decision.model_dump(mode="json") for n, decision in decisions.items() if n not in but},
        "has_masks": loaded.may_be_doubtful or bool(loaded.drift),
    }
    return [{**known, "raw": str(raw / part), "start": start} for part, start in part_starts(raw).items()]


def _has_many_doubts(loaded: Loaded, done: list[Piece]) -> bool:
    """Whether a column might be taken for something else if all of its texts were asked."""
    doubts = (sum(column) for column in zip(*(one["doubts"] for one in done), strict=True))
    return max(doubts, default=0) > (1 - ENOUGH) * loaded.table.rows


def write_phantoms(directory: Path, are_open: Sequence[bool]) -> None:
    """As many phantoms of which nothing is known; one that is open stands for any number of rows."""
    import numpy as np
    import pyarrow as pa
    import pyarrow.parquet as pq

    from trailbook.store.masks import ROW_BIT, is_mask, mask_columns, with_everything_marked

    schema = pq.read_schema(next(directory.glob("*.parquet")))
    fields = [field for field in schema if not is_mask(field.name)]
    nothing = with_everything_marked(pa.table({field.name: pa.nulls(len(are_open), field.type) for field in fields}))
    mask = mask_columns(len(fields))[0]
    place = nothing.column_names.index(mask)
    words = nothing.column(mask).to_numpy() & ~(1 << ROW_BIT) | (np.array(are_open) << ROW_BIT)
    (directory / PHANTOMS).mkdir()
    pq.write_table(nothing.set_column(place, mask, pa.array(words)), directory / PHANTOMS / PART)
