"""Parquet carries its own types; only nanoseconds have to give way."""

from __future__ import annotations

import io
from datetime import datetime

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.sources.conftest import Reader
from trailbook.errors import CellFailed


def parquet(table: pa.Table) -> bytes:
    buffer = io.BytesIO()
    pq.write_table(table, buffer)
    return buffer.getvalue()


def test_types_and_rows_are_those_of_the_file(read: Reader) -> None:
    table = pa.table({"a.b": pa.array([1, None], pa.int16()), "c`d": ["x", "y"], "e": [[1.5], []]})
    loaded = read("a.parquet", parquet(table))
    assert loaded.columns == ["a.b", "c`d", "e"]
    assert loaded.types == ["smallint", "string", "array<double>"]
    assert loaded.rows == [(1, "x", [1.5]), (None, "y", [])]
    assert loaded.findings == []


def test_nanoseconds_are_cut_downwards_and_told(read: Reader) -> None:
    times = pa.array([-1, 1_999, None], pa.timestamp("ns"))
    loaded = read("a.pq", parquet(pa.table({"t`1": times, "u": times.cast(pa.timestamp("ns", "UTC"))})))
    assert loaded.types == ["timestamp_ntz", "timestamp"]
    before, after = datetime(1969, 12, 31, 23, 59, 59, 999_999), datetime(1970, 1, 1, 0, 0, 0, 1)
    assert [row[0] for row in loaded.rows] == [before, after, None]
    assert loaded.findings == ["Read to the microsecond, not the nanosecond: t`1, u."]


@pytest.mark.parametrize(
    ("content", "message"),
    [(b"", "is empty"), (b"a,b\n", "not a Parquet file"), (b"PAR1 and no more", "not a Parquet file")],
)
def test_what_is_not_parquet_is_refused(read: Reader, content: bytes, message: str) -> None:
    with pytest.raises(CellFailed, match=message):
        read("a.parquet", content)
