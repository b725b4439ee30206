"""Files on S3 are there as a whole, or not at all. The S3 is moto's."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from pyarrow.fs import FileSelector, S3FileSystem

from tests.sinks.made import dataset
from tests.sinks.targets.test_files import break_off
from tests.sources.test_s3 import bucket, endpoint
from trailbook.errors import AddressRefused, NameTaken, NotExported
from trailbook.sinks.export import export
from trailbook.sinks.sink import SINKS
from trailbook.sinks.targets.s3 import S3Target

__all__ = ["bucket", "endpoint"]

PARTS = bytes(12 * 1024 * 1024)
"""More than one part of an upload."""


@pytest.fixture
def store(endpoint: str, bucket: str) -> Iterator[S3FileSystem]:
    found = S3FileSystem(endpoint_override=endpoint)
    yield found
    found.delete_dir_contents("data")


def keys(store: S3FileSystem) -> list[str]:
    return [info.path for info in store.get_file_info(FileSelector("data", recursive=True)) if info.is_file]


def read(store: S3FileSystem, key: str) -> bytes:
    with store.open_input_stream(key) as file:
        content: bytes = file.read()
        return content


def test_a_dataset_is_written_and_replaced_if_wanted(store: S3FileSystem, bucket: str) -> None:
    sink = SINKS.get("csv")
    url = f"{bucket}/out/sales%20of%20May.csv"
    for rows, replace in (([1], False), ([1, 2], True)):
        export(dataset({"a": rows}), S3Target(url, replace), sink, sink.options())
    assert read(store, "data/out/sales of May.csv") == b"a\n1\n2\n"
    with pytest.raises(NameTaken, match=r"There is s3://data/out/sales%20of%20May\.csv already"):
        export(dataset({"a": [3]}), S3Target(url), sink, sink.options())
    assert keys(store) == ["data/2020/rates of May.csv", "data/out/sales of May.csv"]


@pytest.mark.parametrize("replace", [False, True])
def test_what_breaks_off_leaves_what_was_there(store: S3FileSystem, bucket: str, replace: bool) -> None:
    name = "2020/rates%20of%20May.csv" if replace else "new.csv"
    before = read(store, "data/2020/rates of May.csv")
    with pytest.raises(ZeroDivisionError):
        break_off(S3Target(f"{bucket}/{name}", replace), ZeroDivisionError(), PARTS)
    assert keys(store) == ["data/2020/rates of May.csv"]
    assert read(store, "data/2020/rates of May.csv") == before


def test_what_can_not_be_written_is_told(bucket: str) -> None:
    said = r"s3://nobodys/a\.csv can't be written: The specified bucket does not exist\.$"
    with (
        pytest.raises(NotExported, match=said),
        S3Target("s3://nobodys/a.csv").opened(),
    ):
        pass
    for url in ("https://example.org/a.csv", "s3://data", "s3://key:secret@data/a.csv"):
        with pytest.raises(AddressRefused), S3Target(url).opened():
            pass


def test_what_lies_beside_a_file_is_removed_and_what_is_not_there_stays_so(store: S3FileSystem, bucket: str) -> None:
    with S3Target(f"{bucket}/out/sales.csv.caveats.md").opened() as file:
        file.write(b"# In doubt")
    report = S3Target(f"{bucket}/out/sales.csv").beside("sales.csv.caveats.md")
    report.clear()
    assert keys(store) == ["data/2020/rates of May.csv"]
    report.clear()
    S3Target(f"{bucket}/2020").clear()
    assert keys(store) == ["data/2020/rates of May.csv"]
