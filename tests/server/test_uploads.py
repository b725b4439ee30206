"""Files are streamed to disk, whole or not at all."""

from __future__ import annotations

import hashlib
import os
import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psutil
import pytest

from tests.support.server import NO_ENGINE, TOKEN, Api, Notebook, Server, code_of, eventually, running_server
from trailbook.settings import MIB


def uploads_of(notebook: Notebook) -> list[str]:
    return [file["name"] for file in notebook.api.get(f"/projects/{notebook.project}/files")]


def staged(data: Path) -> list[str]:
    return [child.name for child in (data / "staging").iterdir()]


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("small")


@pytest.fixture(scope="module")
def small(data: Path) -> Iterator[Api]:
    """A server that takes files of at most a megabyte."""
    with running_server(data, *NO_ENGINE, "--upload-limit", "1m") as server:
        api = Api(server.url)
        yield api
        api.close()


@pytest.mark.parametrize("says_so", [True, False])
def test_a_file_beyond_the_limit_is_refused_and_nothing_is_kept(small: Api, data: Path, says_so: bool) -> None:
    notebook = small.project()
    content = b"x" * (MIB + 1) if says_so else iter([b"x" * MIB, b"x"])
    answer = small.http.post(f"/projects/{notebook.project}/files", params={"name": "big"}, content=content)
    assert code_of(answer) == (413, "too_large")
    assert answer.json()["details"] == {"limit": MIB}
    assert uploads_of(notebook) == []
    assert staged(data) == []


def test_a_file_of_exactly_the_limit_is_taken(small: Api) -> None:
    notebook = small.project()
    file = notebook.upload("full", b"x" * MIB)
    assert small.get(f"/artifacts/{file}")["size"] == MIB


def test_an_upload_that_is_broken_off_leaves_nothing(small: Api, data: Path) -> None:
    notebook = small.project()
    url = small.http.base_url
    head = (
        f"POST {url.path}projects/{notebook.project}/files?name=half HTTP/1.1\r\nHost: {url.host}:{url.port}\r\n"
        f"Authorization: Bearer {TOKEN}\r\nContent-Length: 100000\r\n\r\n"
    )
    with socket.create_connection((url.host, url.port or 80)) as connection:
        connection.sendall(head.encode() + b"x" * 50_000)
        eventually(lambda: staged(data), lambda names: len(names) == 1)
    eventually(lambda: staged(data), lambda names: names == [])
    assert uploads_of(notebook) == []


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("plain.csv", "plain.csv"),
        ("../../etc/passwd", "passwd"),
        ("C:\\temp\\x.csv", "x.csv"),
        ("  spaces .csv ", "spaces .csv"),
        ("😀 naïve 数据.csv", "😀 naïve 数据.csv"),
        ("👩‍🔬.csv", "👩‍🔬.csv"),
        ("at 1.00\u202fPM.csv", "at 1.00\u202fPM.csv"),
        ("'; DROP TABLE files; --.csv", "'; DROP TABLE files; --.csv"),
    ],
)
def test_a_file_keeps_its_name_without_its_folders(small: Api, given: str, kept: str) -> None:
    notebook = small.project()
    notebook.upload(given, b"a\n1\n")
    assert uploads_of(notebook) == [kept]


@pytest.mark.parametrize(
    "name", ["", " ", "..", "a/", "a/..", "new\nline", "nul\0", "\x1b[31mred", "\u202egnp.csv", "x" * 201]
)
def test_a_name_that_is_none_is_refused(small: Api, name: str) -> None:
    notebook = small.project()
    answer = small.http.post(f"/projects/{notebook.project}/files", params={"name": name}, content=b"x")
    assert code_of(answer) == (422, "invalid")
    assert "name" in answer.json()["message"]


def test_an_unknown_project_takes_no_files(small: Api, data: Path) -> None:
    answer = small.http.post(f"/projects/{'0' * 16}/files", params={"name": "x"}, content=b"x")
    assert code_of(answer) == (404, "not_found")
    assert staged(data) == []


def test_a_large_file_does_not_pass_through_memory(server: Server, notebook: Notebook) -> None:
    # What the server still imports while Spark starts would count as the upload's.
    eventually(lambda: notebook.api.get("/status")["engine"]["state"], lambda state: state == "ready")
    notebook.settled(notebook.add("sql", query="SELECT 1 AS x"))
    process = psutil.Process(server.process.pid)
    piece = os.urandom(MIB)
    most = before = process.memory_info().rss

    def pieces() -> Iterator[bytes]:
        nonlocal most
        for _ in range(100):
            yield piece
            most = max(most, process.memory_info().rss)

    path = f"/projects/{notebook.project}/files"
    answer = notebook.api.http.post(path, params={"name": "large"}, content=pieces())
    assert answer.json()["size"] == 100 * MIB
    assert answer.json()["artifact"] == hashlib.sha256(piece * 100).hexdigest()
    assert most - before < 50 * MIB


def test_uploads_side_by_side_are_all_kept(api: Api, notebook: Notebook) -> None:
    contents = {f"{i}.bin": os.urandom(2 * MIB) if i % 2 else b"the same" for i in range(8)}
    with ThreadPoolExecutor(8) as pool:
        ids = dict(zip(contents, pool.map(notebook.upload, contents, contents.values()), strict=True))
    assert sorted(uploads_of(notebook)) == sorted(contents)
    for name, content in contents.items():
        assert api.http.get(f"/artifacts/{ids[name]}/content").content == content


def test_an_artifact_is_pinned_and_unpinned(notebook: Notebook) -> None:
    artifact = notebook.upload("pinned.bin", b"keep me")
    for _ in range(2):
        assert notebook.api.http.put(f"/artifacts/{artifact}/pin").status_code == 204
    assert notebook.api.http.delete(f"/artifacts/{artifact}/pin").status_code == 204
    assert notebook.api.http.put(f"/artifacts/{'0' * 64}/pin").status_code == 404
