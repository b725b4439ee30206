"""Datasets of the store on their way out."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.sinks.made import dataset
from trailbook.errors import Dropped
from trailbook.model.artifacts import Artifact, ArtifactKind, ArtifactState, Doubt
from trailbook.model.base import ArtifactId, now
from trailbook.sinks.marking import Marked
from trailbook.sinks.outgoing import MOST_ROWS, MOST_VALUES, Outgoing, stored
from trailbook.store.masks import mark_coarsely
from trailbook.store.parquet import describe


def kept(directory: Path) -> Outgoing:
    """The dataset in a directory as the store would have it."""
    found = describe(directory)
    artifact = Artifact(
        id=ArtifactId("0" * 64),
        kind=ArtifactKind.DATASET,
        state=ArtifactState.PRESENT,
        size=0,
        media_type="",
        columns=found.columns,
        rows=found.rows,
        doubt=found.doubt,
        created=now(),
    )
    return stored("sales", directory, artifact)


def marked_rows(data: Outgoing) -> list[dict[str, object]]:
    return [row for batch in Marked.of(data, "some").batches() for row in batch.to_pylist()]


def test_all_parts_are_read_in_order_with_their_marks(tmp_path: Path) -> None:
    for part, mask in enumerate((0b10, 0b01)):
        pq.write_table(
            pa.table({"a": [part], "__mask": pa.array([mask], pa.int64())}), tmp_path / f"part-{part}.parquet"
        )
    data = kept(tmp_path)
    assert (data.schema.names, data.rows) == (["a"], 2)
    assert marked_rows(data) == [
        {"a": 0, "a_in_doubt": True, "row_in_doubt": False},
        {"a": 1, "a_in_doubt": False, "row_in_doubt": True},
    ]


def test_a_dataset_in_doubt_as_a_whole_is_marked_as_a_whole(tmp_path: Path) -> None:
    pq.write_table(pa.table({"a": [1], "__mask": pa.array([0], pa.int64())}), tmp_path / "part-0.parquet")
    mark_coarsely(tmp_path)
    assert marked_rows(kept(tmp_path)) == [{"a": 1, "a_in_doubt": True, "row_in_doubt": True}]


def test_wide_datasets_come_in_batches_of_fewer_rows(tmp_path: Path) -> None:
    columns = MOST_VALUES // MOST_ROWS * 4
    values = pa.nulls(MOST_ROWS // 4 + 1, pa.int8())
    pq.write_table(pa.table({f"c{i}": values for i in range(columns)}), tmp_path / "part-0.parquet")
    assert max(batch.num_rows for batch in kept(tmp_path).batches()) == MOST_ROWS // 4


def test_files_that_are_gone_are_told(tmp_path: Path) -> None:
    pq.write_table(pa.table({"a": [1]}), tmp_path / "part-0.parquet")
    data = kept(tmp_path)
    (tmp_path / "part-0.parquet").unlink()
    with pytest.raises(Dropped, match="no longer there"):
        list(data.batches())


def test_what_is_in_doubt_of_a_table_in_memory_is_counted() -> None:
    found = dataset({"a": [1, 2, 3], "b": [4, 5, 6]}, marks=[0b010, 0b011, 0])
    assert found.doubt == Doubt(values={"a": 2}, rows=1)
