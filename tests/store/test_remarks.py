"""What is said of a dataset is read as it was written, counts in its identity, and marks what it says."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from trailbook.errors import Invalid
from trailbook.model.caveat import Caveat
from trailbook.store.files import ArtifactFiles
from trailbook.store.marking import mark_anew
from trailbook.store.parquet import SPARK_SCHEMA, describe, shape
from trailbook.store.remarks import NOTHING_SAID, REMARKS, Remarks, read_remarks, write_remarks

TYPED, WHOLE = Caveat("typed by hand", row=2, column="b"), Caveat("half \ud800 of a pair", column="a")


def staged(folder: Path) -> Path:
    """A dataset of two parts, of which the second has two row groups."""
    folder.mkdir()
    pq.write_table(pa.table({"a": [1], "b": ["x"]}), folder / "part-0.parquet")
    pq.write_table(pa.table({"a": [2, 3], "b": ["y", None]}), folder / "part-1.parquet", row_group_size=1)
    return folder


@pytest.mark.parametrize(
    "remarks",
    [
        NOTHING_SAID,
        Remarks((TYPED, Caveat("?"))),
        Remarks(depends_on=frozenset({"a", "b"})),
        Remarks(renamed="old", looked=True),
    ],
)
def test_what_is_said_is_read_as_it_was_written(tmp_path: Path, remarks: Remarks) -> None:
    write_remarks(tmp_path, Remarks(depends_on=frozenset()))
    write_remarks(tmp_path, remarks)
    assert read_remarks(tmp_path) == remarks
    assert (tmp_path / REMARKS).exists() == (remarks != NOTHING_SAID)


@pytest.mark.parametrize(
    "said",
    [
        b"",
        b"{}",
        b"[" * 100_000,
        json.dumps({"caveats": [["?", 1.5, None]], "depends_on": None, "renamed": None, "looked": False}).encode(),
        json.dumps({"caveats": [["?", True, None]], "depends_on": None, "renamed": None, "looked": False}).encode(),
        json.dumps({"caveats": [["?"]], "depends_on": None, "renamed": None, "looked": False}).encode(),
        json.dumps({"caveats": [], "depends_on": [1], "renamed": None, "looked": False}).encode(),
        json.dumps({"caveats": [], "depends_on": None, "renamed": {}, "looked": False}).encode(),
    ],
)
def test_what_is_no_remark_is_refused(said: bytes) -> None:
    with pytest.raises(Invalid, match="What is said of a dataset can't be read"):
        Remarks.decoded(said)


def test_what_is_said_counts_in_the_identity_and_not_in_that_of_the_data(tmp_path: Path) -> None:
    files = ArtifactFiles(tmp_path)
    files.prepare()
    found = []
    for number, remarks in enumerate([NOTHING_SAID, Remarks((TYPED,)), Remarks((TYPED, WHOLE))]):
        directory = staged(tmp_path / str(number))
        write_remarks(directory, remarks)
        found.append(files.adopt_directory(directory).id)
        assert files.is_intact(found[-1])
        assert len(read_remarks(files.path(found[-1])).caveats) == len(remarks.caveats)
    assert len(set(found)) == 3
    assert len({describe(files.path(id)).data for id in found}) == 1


def test_caveats_mark_what_they_are_about_and_the_data_stays_the_same(tmp_path: Path) -> None:
    directory = staged(tmp_path / "dataset")
    assert shape(directory) == (["a", "b"], 3)
    data = set()
    for caveats, values, rows in (
        ([TYPED, WHOLE], {"a": 3, "b": 1}, 0),
        ([], {}, 0),
        ([Caveat("seen twice", row=0), TYPED], {"b": 1}, 1),
    ):
        mark_anew(directory, ["a", "b"], 3, caveats)
        described = describe(directory)
        assert (described.doubt.values, described.doubt.rows, described.rows) == (values, rows, 3)
        assert [column.name for column in described.columns] == ["a", "b"]
        data.add(described.data)
    assert len(data) == 1
    assert pq.read_table(directory).to_pydict()["__mask"] == [1, 0, 4]


def test_spark_is_not_told_of_columns_without_masks(tmp_path: Path) -> None:
    table = pa.table({"a": [1]}).replace_schema_metadata({SPARK_SCHEMA: b"{}", b"other": b"1"})
    pq.write_table(table, tmp_path / "part-0.parquet")
    mark_anew(tmp_path, ["a"], 1, [Caveat("?", row=0, column="a")])
    assert pq.read_metadata(tmp_path / "part-0.parquet").metadata.keys() & {SPARK_SCHEMA, b"other"} == {b"other"}
