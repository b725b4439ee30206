"""Files of Hadoop are read by its own client; the file system is a stand-in, a folder mounted by Hadoop itself."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from trailbook.errors import AddressRefused, CellCancelled, NotFetched, TooLarge, TrailbookError
from trailbook.sources.places import place_of
from trailbook.sources.remote import Fetch, Fetched, Terms

CONTENT = b"id,name\n" + b"1,Ann\n" * 300_000
VIEW = "org.apache.hadoop.fs.viewfs.ViewFileSystemOverloadScheme"


def mounted(files: Path, conf: Path) -> None:
    """Set up Hadoop in the folder `conf`: `hdfs://cluster:8020/data` is the folder `files`."""
    properties = {
        "fs.hdfs.impl": VIEW,
        "fs.viewfs.overload.scheme.target.hdfs.impl": "org.apache.hadoop.hdfs.DistributedFileSystem",
        "fs.viewfs.overload.scheme.target.file.impl": "org.apache.hadoop.fs.LocalFileSystem",
        "fs.viewfs.mounttable.cluster.link./data": files.as_uri(),
    }
    listed = "".join(f"<property><name>{n}</name><value>{v}</value></property>" for n, v in properties.items())
    conf.mkdir()
    (conf / "core-site.xml").write_text(f"<configuration>{listed}</configuration>")


@pytest.fixture(autouse=True)
def cluster(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder that `hdfs://cluster:8020/data` is, as HADOOP_CONF_DIR says."""
    files, conf = tmp_path / "files", tmp_path / "conf"
    files.mkdir()
    mounted(files, conf)
    monkeypatch.setenv("HADOOP_CONF_DIR", str(conf))
    (files / "a b.csv").write_bytes(CONTENT)
    return files


def fetch(url: str, target: Path, most_bytes: int = 10**9, **terms: bool) -> Fetched:
    return Fetch(url, Terms(most_bytes, **{"allow_private": True, **terms}), lambda done, total: None).to_file(target)


def test_a_file_is_fetched_with_its_name(tmp_path: Path) -> None:
    told: list[tuple[int, int | None]] = []
    url = "hdfs://cluster:8020/data/a%20b.csv"
    fetch = Fetch(url, Terms(10**9, allow_private=True), lambda *done: told.append(done))
    found = fetch.to_file(tmp_path / "file")
    assert found.path.read_bytes() == CONTENT
    assert (found.name, found.size, fetch.hosts) == ("a b.csv", len(CONTENT), {"cluster:8020"})
    assert told[-1] == (len(CONTENT), len(CONTENT))
    assert {path.name for path in tmp_path.iterdir()} == {"conf", "file", "files"}


def test_what_is_no_file_or_too_large_is_told(tmp_path: Path) -> None:
    for number, (url, most, error, said) in enumerate(
        [
            ("hdfs://cluster:8020/data/none.csv", 10**9, NotFetched, "No such file or directory"),
            ("hdfs://cluster:8020/data", 10**9, NotFetched, "is a directory, not a file"),
            ("hdfs://cluster:8020/data/a%20b.csv", 1000, TooLarge, "more than 1,000 bytes"),
        ]
    ):
        with pytest.raises(error, match=said):
            fetch(url, tmp_path / str(number), most)


def test_a_cluster_that_does_not_answer_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HADOOP_CONF_DIR")
    with pytest.raises(NotFetched, match="Connection refused"):
        fetch("hdfs://127.0.0.1:1/a.csv", tmp_path / "file")


def test_the_set_up_of_the_server_is_not_for_cells_that_are_isolated(tmp_path: Path) -> None:
    with pytest.raises(NotFetched, match="UnknownHost"):
        fetch("hdfs://cluster:8020/data/a%20b.csv", tmp_path / "file", anonymously=True)


def test_a_file_that_is_cut_off_is_not_taken_for_whole(tmp_path: Path, cluster: Path) -> None:
    # The checksums that Hadoop keeps of local files.
    fetch("hdfs://cluster:8020/data/a%20b.csv", tmp_path / "before")
    (cluster / ".a b.csv.crc").write_bytes(b"crc\0\0\0\x02\0" + b"\1" * 16_000)
    with pytest.raises(NotFetched, match=r"[Cc]hecksum"):
        fetch("hdfs://cluster:8020/data/a%20b.csv", tmp_path / "file")


@pytest.mark.timeout(60)
def test_a_fetch_that_is_stopped_ends(tmp_path: Path, cluster: Path) -> None:
    with (cluster / "long.csv").open("wb") as file:
        file.truncate(10**13)
    fetch = Fetch("hdfs://cluster:8020/data/long.csv", Terms(10**14, allow_private=True), lambda done, total: stop())

    def stop() -> None:
        threading.Thread(target=fetch.stop).start()

    with pytest.raises(CellCancelled):
        fetch.to_file(tmp_path / "file")


def test_hadoop_is_asked_only_where_any_machine_may_be(tmp_path: Path) -> None:
    with pytest.raises(AddressRefused, match="setting fetch; any allows it"):
        fetch("hdfs://namenode.example.org:8020/a.csv", tmp_path / "file", allow_private=False)


@pytest.mark.parametrize("path", ["", "/", "/a/*.csv", "/{a,b}", "/a%2A", "/a?b=c", "/a#b", "/[ab]", "/a%5C*"])
def test_an_address_of_hadoop_names_one_file(path: str) -> None:
    with pytest.raises(TrailbookError, match="is no file of Hadoop"):
        place_of(f"hdfs://host:8020{path}")


def test_a_page_of_the_web_leads_to_no_hadoop() -> None:
    place = place_of("hdfs://host:8020/data/a%20b.csv")
    assert (place.url, place.name, place.is_hadoop) == ("hdfs://host:8020/data/a b.csv", "a b.csv", True)
