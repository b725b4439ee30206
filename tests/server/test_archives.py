"""Whole projects come in and go out over HTTP, streamed."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.formats.archive.tampering import Tampered
from tests.server.test_caveats import Story
from tests.support.server import NO_ENGINE, TOKEN, Api, Notebook, Server, browser, code_of, eventually, running_server
from trailbook.settings import MIB


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("archives")


@pytest.fixture(scope="module")
def bounded(data: Path) -> Iterator[Server]:
    """A server without Spark that takes at most 100 megabytes."""
    with running_server(data, *NO_ENGINE, "--upload-limit", "100m") as server:
        yield server


@pytest.fixture(scope="module")
def small(bounded: Server) -> Iterator[Api]:
    api = Api(bounded.url)
    yield api
    api.close()


@pytest.fixture(scope="module")
def large(small: Api) -> Notebook:
    """A project with a cell that has run, and a file of 64 megabytes."""
    notebook = small.project("Größe / 1")
    notebook.settled(notebook.add("python", code="print('hällo')"))
    notebook.upload("large.bin", b"0123456789abcdef" * (4 * MIB))
    return notebook


def download(notebook: Notebook) -> httpx.Response:
    return notebook.api.http.get(f"/projects/{notebook.project}/archive")


def bring(api: Api, archive: bytes) -> httpx.Response:
    return api.http.post("/projects/archive", content=archive)


def staged(data: Path) -> list[str]:
    return [child.name for child in (data / "staging").iterdir()]


def test_a_project_is_downloaded_and_brought_back(small: Api, large: Notebook, data: Path) -> None:
    answer = download(large)
    assert answer.headers["content-disposition"] == "attachment; filename*=UTF-8''Gr%C3%B6%C3%9Fe%20%2F%201.trailbook"
    assert int(answer.headers["content-length"]) == len(answer.content) > 64 * MIB
    brought = bring(small, answer.content)
    assert brought.status_code == 201, brought.text
    project = brought.json()
    assert (project["name"], project["id"] != large.project) == ("Größe / 1", True)
    copy = Notebook(small, project["id"], project["branch"])
    (cell,) = copy.head()["cells"]
    assert (cell["state"], cell["run"]["messages"][0]["text"]) == ("done", "hällo\n")
    assert [file["name"] for file in small.get(f"/projects/{copy.project}/files")] == ["large.bin"]
    assert staged(data) == []


def test_a_download_that_is_broken_off_leaves_nothing(bounded: Server, large: Notebook, data: Path) -> None:
    host, _, port = bounded.url.removeprefix("http://").partition(":")
    with socket.create_connection((host, int(port))) as connection:
        path = f"/api/v1/projects/{large.project}/archive"
        request = f"GET {path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {TOKEN}\r\n\r\n"
        connection.sendall(request.encode())
        assert connection.recv(1000).startswith(b"HTTP/1.1 200")
        assert len(staged(data)) == 1
    eventually(lambda: staged(data), lambda found: found == [])


def test_an_archive_that_means_harm_is_refused(small: Api, data: Path) -> None:
    tampered = Tampered(download(small.project("Small")).content)
    tampered.add("../outside")
    known = small.get("/projects")
    answer = bring(small, tampered.packed())
    assert code_of(answer) == (422, "bad_archive")
    assert answer.json()["details"] == {"entry": "../outside", "line": None}
    assert small.get("/projects") == known
    assert staged(data) == []


def test_an_archive_beyond_the_limit_is_refused(small: Api, data: Path) -> None:
    pieces = (bytes(MIB) for _ in range(101))
    assert code_of(small.http.post("/projects/archive", content=pieces)) == (413, "too_large")
    assert staged(data) == []


def test_strangers_neither_take_nor_bring(bounded: Server, large: Notebook) -> None:
    with browser(bounded.url) as stranger:
        assert stranger.get(f"/api/v1/projects/{large.project}/archive").status_code == 401
        assert stranger.post("/api/v1/projects/archive", content=b"").status_code == 401


def test_what_is_not_there_is_not_found(small: Api) -> None:
    assert code_of(small.http.get(f"/projects/{'0' * 16}/archive")) == (404, "not_found")


def test_doubts_and_their_reasons_come_along(notebook: Notebook) -> None:
    story = Story(notebook)
    (found,) = story.sets(story.sums, "sums", row=0, column="s")
    notebook.edit(action="acknowledge", handle=found["cell"], place=found["place"], note="the letter O")
    story.settle()
    answer = bring(notebook.api, download(notebook).content)
    assert answer.status_code == 201, answer.text
    copy = Notebook(notebook.api, answer.json()["id"], answer.json()["branch"])
    told, before = told_of(story), states(notebook.head())
    story.notebook = copy
    assert states(copy.head()) == before
    assert told_of(story) == told
    for one in (notebook, copy):
        head = one.head()["ref"]["number"]
        assert states(one.api.post(f"/branches/{one.branch}/undo", {"head": head})) == ["done"] * 5
    assert story.marks(story.sums) == [[2], []]
    undone = told_of(story)
    story.notebook = notebook
    assert told_of(story) == undone != told


def states(head: Any) -> list[str]:
    return [cell["state"] for cell in head["cells"]]


def told_of(story: Story) -> list[Any]:
    """Why a sum is in doubt, without the ids of who has acknowledged it."""
    sets = story.sets(story.sums, "sums", row=0, column="s")
    return [{**one, "id": "", "acknowledged": [said["note"] for said in one["acknowledged"]]} for one in sets]
