"""Parquet with the types and nothing of Trailbook's own."""

from __future__ import annotations

from decimal import Decimal

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.sinks.made import dataset, written


def test_types_and_values_stay_as_they_are() -> None:
    table = pa.table(
        {
            "d": pa.array([Decimal("1.10"), None], pa.decimal128(20, 2)),
            "t": pa.array([1, 2], pa.timestamp("us", "Europe/Zurich")),
            "s": [{"a": [1]}, None],
        }
    )
    content, notes = written("parquet", dataset(dict(zip(table.column_names, table.columns, strict=True))))
    assert pq.read_table(pa.BufferReader(content)).equals(table)
    assert notes == []


def test_marks_are_columns_of_booleans_and_masks_are_not_there() -> None:
    content, _ = written("parquet", dataset({"a": [1, 2]}, marks=[0b11, 0]))
    found = pq.read_table(pa.BufferReader(content))
    assert found.to_pydict() == {"a": [1, 2], "a_in_doubt": [True, False], "row_in_doubt": [True, False]}


@pytest.mark.parametrize(("compression", "told"), [("zstd", "ZSTD"), ("snappy", "SNAPPY"), ("none", "UNCOMPRESSED")])
def test_values_are_packed_as_was_wanted(compression: str, told: str) -> None:
    content, _ = written("parquet", dataset({"a": [1]}), compression=compression)
    metadata = pq.ParquetFile(pa.BufferReader(content)).metadata
    assert metadata.row_group(0).column(0).compression == told
