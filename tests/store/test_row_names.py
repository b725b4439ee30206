"""The names of rows are part of a dataset, and read with care."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from trailbook.errors import Invalid
from trailbook.model.base import ArtifactId
from trailbook.store.describing import tell
from trailbook.store.files import ArtifactFiles
from trailbook.store.parquet import describe
from trailbook.store.row_names import ROWS

Names = Mapping[str, list[Any]]

NAMES: Names = {"load": ["a", "b", "b"], "row": [4, 0, 1]}


def staged(directory: Path, names: Names | None) -> Path:
    directory.mkdir()
    pq.write_table(pa.table({"v": [1, 2, 3]}), directory / "part-00000.parquet")
    if names is not None:
        (directory / ROWS).mkdir()
        pq.write_table(pa.table(names), directory / ROWS / "some.parquet")
    return directory


@pytest.fixture
def files(tmp_path: Path) -> ArtifactFiles:
    files = ArtifactFiles(tmp_path)
    files.prepare()
    return files


def stored(files: ArtifactFiles, names: Names | None) -> ArtifactId:
    return files.adopt_directory(staged(files.stage() / "dataset", names)).id


def test_rows_of_other_names_make_another_dataset_of_the_same_data(files: ArtifactFiles) -> None:
    ids = [stored(files, names) for names in (None, NAMES, {**NAMES, "row": [4, 0, 2]}, NAMES)]
    assert len(set(ids)) == 3
    assert ids[1] == ids[3]
    assert len({describe(files.path(id)).data for id in ids}) == 1
    assert all(map(files.is_intact, ids))
    assert [path.name for path in (files.path(ids[1]) / ROWS).iterdir()] == ["part-00000.parquet"]


def test_a_folder_of_names_is_no_link(files: ArtifactFiles, tmp_path: Path) -> None:
    directory = staged(tmp_path / "dataset", None)
    (directory / ROWS).symlink_to(staged(tmp_path / "other", None))
    with pytest.raises(Invalid, match="_rows is not a plain directory"):
        files.adopt_directory(directory)


def test_names_are_those_of_all_rows(tmp_path: Path) -> None:
    facts = tell(staged(tmp_path / "sound", NAMES)).facts
    assert facts is not None
    assert [column.name for column in facts.columns] == ["v"]


@pytest.mark.parametrize(
    ("names", "problem"),
    [
        ({"load": ["a"], "row": [0]}, "_rows names 1 rows, and there are 3"),
        ({"load": ["a"] * 4, "row": [0] * 4}, "_rows names 4 rows, and there are 3"),
        ({"load": ["a", None, "b"], "row": [0, 1, 2]}, "a row without a name"),
        ({"load": ["a"] * 3, "row": ["0", "1", "2"]}, "other columns than load and row"),
        ({"load": ["a"] * 3}, "other columns than load and row"),
    ],
    ids=["too few", "too many", "one is missing", "of other types", "half a name"],
)
def test_what_does_not_name_the_rows_is_refused(tmp_path: Path, names: Names, problem: str) -> None:
    assert problem in tell(staged(tmp_path / "dataset", names)).problem
