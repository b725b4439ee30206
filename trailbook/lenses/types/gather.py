"""The votes of columns that Spark reads: counted where the data is, so that only the counts travel."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from trailbook.algebra.print_expression import quoted
from trailbook.lenses.types.votes import Votes

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql.dataframe import DataFrame

ROWS = 1 << 17
"""Counted at a time: enough that what is done once for each array does not matter."""
BYTES = 1 << 26
"""Of texts that wait to be counted."""


def votes_of(frame: DataFrame, columns: Sequence[str]) -> dict[str, Votes]:
    """The votes of some columns of text."""
    if not columns:
        return {}
    texts = frame.select(*map(quoted, columns))
    total = [Votes() for _ in columns]
    for row in texts.mapInArrow(_count, "votes string").collect():
        total = [votes | Votes.of_json(more) for votes, more in zip(total, json.loads(row["votes"]), strict=True)]
    return dict(zip(columns, total, strict=True))


def _count(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    import pyarrow as pa

    from trailbook.lenses.types.counting import counted

    total: list[Votes] = []
    for table in _large(batches):
        found = [counted(column) for column in table.columns]
        total = [votes | more for votes, more in zip(total, found, strict=True)] if total else found
    if total:
        yield pa.RecordBatch.from_pydict({"votes": [json.dumps([votes.as_json() for votes in total])]})


def _large(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.Table]:
    import pyarrow as pa

    waiting: list[pa.RecordBatch] = []
    for batch in batches:
        waiting.append(batch)
        if sum(one.num_rows for one in waiting) >= ROWS or sum(one.nbytes for one in waiting) >= BYTES:
            yield pa.Table.from_batches(waiting)
            waiting = []
    if waiting:
        yield pa.Table.from_batches(waiting)
