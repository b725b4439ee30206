"""Python that runs in Spark's tasks: a function called for each piece of some work, wherever Spark has room."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from trailbook.errors import CellFailed, TrailbookError

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql.connect.session import SparkSession

Piece = dict[str, Any]
"""What JSON can say."""
Workers = Callable[[Callable[[Piece], Piece], Sequence[Piece]], list[Piece]]
"""Who does some work for each piece."""


def on_workers(session: SparkSession, work: Callable[[Piece], Piece], pieces: Sequence[Piece]) -> list[Piece]:
    """What `work` gives for each piece, in their order. It is a function of a module, and gives back little.

    What it refuses with an error of ours is raised here.
    """
    if not pieces:
        return []
    told = [json.dumps(piece) for piece in pieces]
    tasks = min(len(pieces), int(session.conf.get("spark.sql.leafNodeDefaultParallelism", str(len(pieces))) or 1))

    # By itself, so that the workers need not import what the server does.
    def run(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        import pyarrow

        for number in (number for batch in batches for number in batch.column(0).to_pylist()):
            try:
                answer: Piece = {"done": work(json.loads(told[number]))}
            except TrailbookError as error:
                answer = {"refused": error.message}
            yield pyarrow.RecordBatch.from_pydict({"number": [number], "answer": [json.dumps(answer)]})

    frame = session.range(0, len(pieces), 1, tasks).mapInArrow(run, "number bigint, answer string")
    answers = {row["number"]: json.loads(row["answer"]) for row in frame.collect()}
    for number in range(len(pieces)):
        if refusal := answers[number].get("refused"):
            raise CellFailed(refusal)
    return [answers[number]["done"] for number in range(len(pieces))]
