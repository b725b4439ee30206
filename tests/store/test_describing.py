"""Datasets are read with care before anybody relies on them."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from trailbook.store import describing
from trailbook.store.describing import tell


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    """A dataset with two parts, of which something is in doubt."""
    (tmp_path / "_phantoms").mkdir()
    masked = pa.table({"v": [1, 2, 3], "__mask": pa.array([0, 2, 1], pa.int64())})
    for name in ("part-00000.parquet", "part-00001.parquet", "_phantoms/part-00000.parquet"):
        pq.write_table(masked, tmp_path / name)
    return tmp_path


def test_a_sound_dataset_is_told_as_it_is(directory: Path) -> None:
    facts = tell(directory).facts
    assert facts is not None
    assert (facts.rows, facts.doubt.values, facts.doubt.rows, facts.doubt.phantoms) == (6, {"v": 2}, 2, 3)
    assert facts.size == sum(path.stat().st_size for path in directory.rglob("*.parquet"))


@pytest.mark.parametrize("name", ["part-00001.parquet", "_phantoms/part-00000.parquet"])
def test_all_files_have_the_same_columns(directory: Path, name: str) -> None:
    pq.write_table(pa.table({"w": [1]}), directory / name)
    assert "its files don't have the same columns" in tell(directory).problem


def test_no_two_columns_have_one_name(directory: Path) -> None:
    for path in directory.rglob("*.parquet"):
        pq.write_table(pa.table([[1], [2]], names=["v", "v"]), path)
    assert "two columns of one name" in tell(directory).problem


def test_rows_come_in_groups_that_fit_into_memory(directory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(describing, "MOST_ROWS", 2)
    assert "has 3 rows in one group, and 2 are allowed" in tell(directory).problem


def test_all_of_it_is_read(directory: Path) -> None:
    path = directory / "part-00001.parquet"
    content = bytearray(path.read_bytes())
    content[4:40] = bytes(36)
    path.write_bytes(content)
    assert tell(directory).problem


@pytest.mark.parametrize("said", [b"no JSON", b'{"caveats": 5}', b"[" * 100_000])
def test_what_is_said_of_a_dataset_must_be_readable(directory: Path, said: bytes) -> None:
    (directory / "_remarks").write_bytes(said)
    assert "What is said of a dataset can't be read" in tell(directory).problem
