"""What Spark's tasks do to read a file: find out how it is laid out, and write pieces of it as parts of a raw table.

Each function takes and gives what JSON can say, and is called in a process of Spark's.
"""

from __future__ import annotations

import base64
import os
import pickle
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from trailbook.engine.tasks import Piece
from trailbook.errors import CellFailed
from trailbook.lenses.types.counting import counted
from trailbook.lenses.types.votes import Votes
from trailbook.sources.formats.choosing import format_of, opened, options_of, with_name
from trailbook.sources.formats.format import FORMATS, Layout
from trailbook.sources.formats.records import MOST_LOST, all_lost, lost_places
from trailbook.sources.formats.splitting import SplittableFormat
from trailbook.sources.raw_columns import LEFT_OUT, PROBLEM

ROW_GROUP = 65_536
MOST_VOTERS = 50_000
"""Values of a column that speak for its type at first, in each part: with all, inference would take as long as
reading. Where values are missing, those that come later speak."""


def prepare(piece: Piece) -> Piece:
    """How the file is laid out, or why it can't be read, with its name."""
    try:
        return _prepared(piece)
    except CellFailed as error:
        raise CellFailed(with_name(error.message, piece["name"])) from error


def _prepared(piece: Piece) -> Piece:
    """How the file is laid out, and what is to be scanned of it; one that is small or can't be cut is read at once."""
    folder = Path(piece["folder"])
    found = opened(Path(piece["path"]), piece["name"], piece["member"], folder, piece["most_bytes"])
    format = format_of(piece["format"], found.path, found.name)
    layout = format.layout(found.path, options_of(format, piece["options"]))
    told = {
        "path": str(found.path),
        "format": format.name,
        "layout": base64.b64encode(pickle.dumps(layout)).decode(),
        "columns": [[column.name, column.type, column.is_text] for column in layout.columns],
        "options": layout.options.model_dump(mode="json"),
        "guessed": list(layout.guessed),
        "problem": found.problem,
        "blanks_are_null": format.blanks_are_null,
    }
    path = found.path
    if isinstance(format, SplittableFormat):
        path = format.readable(found.path, layout, folder)
        if len(stretches := format.stretches(path, layout)) > 1:
            return {**told, "path": str(path), "stretches": stretches}
    return {**told, "part": _written(piece["target"], 0, format.batches(path, layout), layout)}


def scan(piece: Piece) -> Piece:
    format, layout = _splittable(piece)
    return {"scan": format.scan(Path(piece["path"]), layout, piece["stretch"])}


def read(piece: Piece) -> Piece:
    """Write one part."""
    format, layout = _splittable(piece)
    table = format.read(Path(piece["path"]), layout, piece["range"])
    return _written(piece["target"], piece["number"], table.to_batches(), layout)


def _splittable(piece: Piece) -> tuple[SplittableFormat[Any], Layout[Any]]:
    format = FORMATS.get(piece["format"])
    assert isinstance(format, SplittableFormat)
    # The server hands on what `prepare` gave it, and does not look into it.
    return format, pickle.loads(base64.b64decode(piece["layout"]))


def _written(target: str, number: int, batches: Iterable[pa.RecordBatch], layout: Layout[Any]) -> Piece:
    """Put a part where it belongs at its end, so that a task that is tried again begins anew."""
    place = os.path.join(target, f"part-{number:05d}.parquet")
    tally = _Tally([number for number, column in enumerate(layout.columns) if column.is_text], MOST_VOTERS)
    with pq.ParquetWriter(f"{place}.{os.getpid()}", layout.schema, compression="lz4") as writer:
        for batch in tally.counted(batches):
            writer.write_batch(batch, row_group_size=ROW_GROUP)
    os.replace(f"{place}.{os.getpid()}", place)
    return tally.told


def vote(piece: Piece) -> Piece:
    """What the texts of a part speak for, of all of its records."""
    tally = _Tally(piece["texts"], sys.maxsize)
    for _ in tally.counted(pq.ParquetFile(piece["raw"]).iter_batches(ROW_GROUP)):
        pass
    return tally.told


class _Tally:
    """How many records a part has, how many have problems or were left out, and what their texts speak for."""

    def __init__(self, texts: Sequence[int], most_voters: int) -> None:
        self._votes = {number: Votes() for number in texts}
        self._most_voters = most_voters
        self._is_sample = False
        self._counts = {"rows": 0, "problems": 0, "left_out": 0}
        self._lost: list[str] = []

    def counted(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            left_out = batch.column(LEFT_OUT)
            self._counts["rows"] += batch.num_rows
            self._counts["problems"] += batch.num_rows - batch.column(PROBLEM).null_count
            self._counts["left_out"] += left_out.true_count
            self._lost = [*self._lost, *lost_places(batch)][: MOST_LOST + 1]
            self._vote(batch.filter(pa.compute.invert(left_out)) if left_out.true_count else batch)
            yield batch

    def _vote(self, batch: pa.RecordBatch) -> None:
        for number in self._votes:
            self._ask(number, batch.column(f"c{number}"))

    def _ask(self, number: int, column: pa.Array) -> None:
        """As many of the column as are still wanted, and some more for those that say nothing."""
        start = 0
        while start < len(column) and (wanted := self._most_voters - self._votes[number].telling) > 0:
            some = column.slice(start, max(wanted, self._most_voters // 10))
            self._votes[number] |= counted(some)
            start += len(some)
        self._is_sample |= start < len(column)

    @property
    def told(self) -> Piece:
        votes = [votes.as_json() for votes in self._votes.values()]
        return {**self._counts, "lost": all_lost(self._lost), "is_sample": self._is_sample, "votes": votes}
