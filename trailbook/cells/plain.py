"""Datasets of raw tables that are written plainly: made by Spark's tasks without the query, with the same result."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from trailbook.cells.context import RunContext
from trailbook.cells.loaded import Loaded
from trailbook.cells.meanwhile import parts_told
from trailbook.cells.results import FEW_PHANTOMS, check_names
from trailbook.engine.tasks import Piece, on_workers
from trailbook.lenses.types.electing import ENOUGH
from trailbook.store.masks import PHANTOMS

if TYPE_CHECKING:
    import pyarrow as pa

PART = "part-00000.parquet"


def stage_plainly(context: RunContext, loaded: Loaded, raw: Path) -> Path | None:
    """A staged dataset of the raw table; None if only the query can make it, or all records should speak for types."""
    from trailbook.cells import plain_parts
    from trailbook.lenses.types.plain import plain_type

    if (
        context.acknowledged
        or loaded.needs_query
        or any(plain_type(decision) is None for decision in loaded.decisions.values())
    ):
        return None
    check_names(loaded.names)
    directory = context.stage() / "dataset"
    directory.mkdir()
    parts = sorted(raw.glob("*.parquet"))
    numbers = {name: number for number, name in enumerate(loaded.names)}
    known = {
        "names": loaded.names,
        "blanks_are_null": loaded.table.blanks_are_null,
        "decisions": {numbers[name]: decision.model_dump(mode="json") for name, decision in loaded.decisions.items()},
        "has_masks": loaded.may_be_doubtful,
    }
    pieces = [{**known, "raw": str(part), "target": str(directory / part.name)} for part in parts]
    with context.workers() as session, parts_told(context.progress, "Writing", directory, len(parts)):
        done = on_workers(session, plain_parts.write, pieces)
    if not all(one["is_plain"] for one in done) or (loaded.table.is_sampled and _has_many_doubts(loaded, done)):
        shutil.rmtree(directory)
        return None
    if loaded.table.left_out:
        _write_phantoms(directory, loaded.table.left_out)
    return directory


def _has_many_doubts(loaded: Loaded, done: list[Piece]) -> bool:
    """Whether a column might be taken for something else if all of its texts were asked."""
    doubts = (sum(column) for column in zip(*(one["doubts"] for one in done), strict=True))
    return max(doubts, default=0) > (1 - ENOUGH) * loaded.table.rows


def _write_phantoms(directory: Path, left_out: int) -> None:
    """Lines of which nothing is known, should they be rows; too many of them are one that stands for any number."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    from trailbook.store.masks import ROW_BIT, is_mask, mask_columns, with_everything_marked

    schema = pq.read_schema(next(directory.glob("*.parquet")))
    fields = [field for field in schema if not is_mask(field.name)]
    is_one_for_all = left_out > FEW_PHANTOMS
    rows = 1 if is_one_for_all else left_out
    nothing = with_everything_marked(pa.table({field.name: pa.nulls(rows, field.type) for field in fields}))
    if not is_one_for_all:
        nothing = _cleared(nothing, mask_columns(len(fields))[0], 1 << ROW_BIT)
    (directory / PHANTOMS).mkdir()
    pq.write_table(nothing, directory / PHANTOMS / PART)


def _cleared(table: pa.Table, mask: str, bits: int) -> pa.Table:
    import pyarrow as pa
    import pyarrow.compute as pc

    place = table.column_names.index(mask)
    return table.set_column(place, mask, pc.bit_wise_and(table.column(mask), pa.scalar(~bits, pa.int64())))
