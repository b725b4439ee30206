"""What a database gives is written as it is; what has no place in its column's type is kept as a text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from trailbook.errors import TooLarge
from trailbook.sources.databases.answer import BATCH_BYTES, FEW, PART_ROWS, ROW_GROUP, Answer, Rows, fitted, write


@pytest.mark.parametrize(
    ("values", "kind", "fits"),
    [
        (["2026-05-01", "infinity", None, "0044-03-15 BC"], pa.date32(), [True, False, True, False]),
        (["2026-05-01 10:00:00.000001", "-infinity"], pa.timestamp("us"), [True, False]),
        (["2026-05-01 10:00:00+00"], pa.timestamp("us", "UTC"), [True]),
        (["1.5", "NaN", "0." + "1" * 19, "1" * 21, "1" * 45], pa.decimal128(38, 18), [True, *[False] * 4]),
        ([1, 2.5, 2**60 + 1], pa.float64(), [True, True, False]),
        ([1, "n/a", 1.5, b"x"], pa.int64(), [True, False, False, False]),
        ([[1, None], [[1], [2]], []], pa.list_(pa.int32()), [True, False, True]),
    ],
    ids=["days", "moments", "moments with zones", "decimals", "numbers", "whole numbers", "lists"],
)
def test_a_value_fits_or_is_kept_as_its_text(values: list[Any], kind: pa.DataType, fits: list[bool]) -> None:
    array, texts = fitted(values, kind)
    assert array.type == kind
    assert texts.to_pylist() == [None if fit else str(value) for value, fit in zip(values, fits, strict=True)]
    assert [one is not None for one in array.to_pylist()] == [
        fit and value is not None for value, fit in zip(values, fits, strict=True)
    ]


def answer(rows: Sequence[tuple[Any, ...]]) -> Answer:
    few = (rows[start : start + FEW] for start in range(0, len(rows), FEW))
    return Answer([("a", pa.int64()), ("A", pa.date32())], few)


def test_rows_come_in_batches_and_are_numbered(tmp_path: Path) -> None:
    told: list[int] = []
    rows = [(number, "2026-05-01") for number in range(100_000)]
    written = write(answer(rows), tmp_path, 10**9, told.append)
    assert (written.rows, written.texts) == (100_000, ())
    assert [column.name for column in written.columns] == ["a", "A_2"]
    assert written.changed_names == ("the name 'A' was changed to A_2",)
    assert told == [ROW_GROUP - ROW_GROUP % FEW + FEW, 100_000]
    table = pq.read_table(tmp_path)
    assert table.column_names == ["c0", "c1", "t0", "t1", "__line", "__problem", "__left_out"]
    assert table.column("__line").to_pylist() == list(range(1, 100_001))


def test_many_rows_are_several_files(tmp_path: Path) -> None:
    rows = [(number, None) for number in range(PART_ROWS + ROW_GROUP + 1)]
    write(answer(rows), tmp_path, 10**9, lambda rows: None)
    assert len(list(tmp_path.iterdir())) == 2
    assert pq.read_table(tmp_path).column("c0").to_pylist() == [number for number, _ in rows]


def test_long_rows_are_written_as_soon_as_they_are_many_bytes(tmp_path: Path) -> None:
    waiting: list[int] = []

    def rows() -> Iterator[Rows]:
        for number in range(10):
            waiting.append(number)
            yield [("x" * (BATCH_BYTES // 4),)] * 2

    write(Answer([("a", pa.string())], rows()), tmp_path, 10**9, lambda rows: waiting.clear())
    assert pq.read_metadata(tmp_path / "part-00000.parquet").num_row_groups == 5
    assert waiting == []


def test_no_rows_are_a_table_too(tmp_path: Path) -> None:
    written = write(answer([]), tmp_path, 10**9, lambda rows: None)
    assert written.rows == 0
    assert pq.read_table(tmp_path).num_rows == 0


def test_there_is_a_limit_to_what_is_kept(tmp_path: Path) -> None:
    with pytest.raises(TooLarge, match="upload_limit"):
        write(answer([(1, None)]), tmp_path, 2, lambda rows: None)
