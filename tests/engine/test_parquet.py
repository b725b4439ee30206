from __future__ import annotations

from pathlib import Path

import pyarrow.parquet as pq

from trailbook.engine import Engine
from trailbook.engine.parquet import PARQUET_WRITE_OPTIONS, ROW_GROUP_ROWS


def test_row_groups_are_small(engine: Engine, tmp_path: Path) -> None:
    rows = 3 * ROW_GROUP_ROWS + 1
    with engine.session() as spark:
        frame = spark.range(0, rows, 1, 1).selectExpr("id", "cast(id AS string) AS s")
        frame.write.options(**PARQUET_WRITE_OPTIONS).parquet(str(tmp_path / "out"))
    [part] = (tmp_path / "out").glob("*.parquet")
    metadata = pq.read_metadata(part)
    groups = [metadata.row_group(i).num_rows for i in range(metadata.num_row_groups)]
    assert sum(groups) == rows
    assert max(groups) <= ROW_GROUP_ROWS
