"""Datasets are downloaded as files, streamed, with what is in doubt of them."""

from __future__ import annotations

import csv
import io
import json
import socket
from typing import Any
from urllib.parse import quote

import httpx
import psutil
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from openpyxl import load_workbook

from tests.server.test_caveats import Story
from tests.support.server import TOKEN, Api, Notebook, Server, browser, code_of, eventually
from trailbook.settings import MIB

MANY = "import pandas as pd\nmany = pd.DataFrame({'n': range(3_000_000), 't': ['some text'] * 3_000_000})"


@pytest.fixture(scope="module")
def large(api: Api) -> str:
    """A dataset of three million rows."""
    notebook = api.project()
    return artifact(notebook, notebook.add("python", code=MANY))


@pytest.fixture(scope="module")
def story(api: Api) -> Story:
    return Story(api.project())


def artifact(notebook: Notebook, cell: str) -> str:
    found = notebook.settled(cell)
    assert found["state"] == "done", found["run"]["error"]
    id: str = found["outputs"][0]["artifact"]["id"]
    return id


def download(api: Api, id: str, format: str, **options: Any) -> httpx.Response:
    return api.http.get(f"/artifacts/{id}/export/{format}", params=options)


def test_a_dataset_is_downloaded_in_every_format_with_its_marks(story: Story) -> None:
    notebook = story.notebook
    id = artifact(notebook, story.typed)
    lines = download(notebook.api, id, "csv", name="typed")
    assert lines.headers["content-type"] == "text/csv"
    assert lines.headers["content-disposition"] == "attachment; filename*=UTF-8''typed.csv"
    assert list(csv.reader(io.StringIO(lines.text)))[:3] == [
        ["id", "region", "amount", "amount_in_doubt"],
        ["1", "n", "10", "false"],
        ["2", "n", "", "true"],
    ]
    assert download(notebook.api, id, "csv", marks="none", delimiter=";").text.startswith("id;region;amount\n1;n;10\n")
    assert json.loads(download(notebook.api, id, "jsonl").text.splitlines()[1])["amount_in_doubt"] is True
    table = pq.read_table(pa.BufferReader(download(notebook.api, id, "parquet").content))
    assert table.column("amount_in_doubt").to_pylist() == [False, True, False, False]
    ref = notebook.head()["ref"]
    where = {"name": "typed", "branch": ref["branch"], "number": ref["number"], "cell": story.typed}
    sheet = load_workbook(io.BytesIO(download(notebook.api, id, "excel", **where).content)).worksheets[0]
    assert sheet["C3"].comment.text == "'12O' is not an int (1)"
    other = download(notebook.api, artifact(notebook, story.sums), "excel", **where)
    assert code_of(other) == (422, "invalid")


def test_the_report_says_what_is_in_doubt_and_why(story: Story) -> None:
    notebook = story.notebook

    def report(cell: str, name: str, **options: Any) -> httpx.Response:
        return notebook.api.http.get(f"{story.path()}/report", params={"cell": cell, "name": name, **options})

    (found,) = report(story.big, "big").json()["sets"]
    assert (found["message"], found["count"], found["columns"], found["missing"]) == (
        "'12O' is not an int",
        1,
        [],
        True,
    )
    (found,) = report(story.sums, "sums").json()["sets"]
    assert (found["cell"], found["columns"], found["missing"]) == (story.typed, ["s"], False)
    text = report(story.sums, "sums", format="markdown")
    assert text.headers["content-disposition"] == "attachment; filename*=UTF-8''sums.caveats.md"
    assert "- s: 1 of 2 values\n" in text.text
    place = found["place"]
    notebook.edit(action="acknowledge", handle=story.typed, place=place, note="the letter O")
    story.settle()
    after = report(story.sums, "sums", format="markdown").text
    assert "## Acknowledged, and no longer marked" in after
    assert "the letter O" in after
    assert code_of(report(story.sums, "none")) == (404, "not_found")


@pytest.mark.parametrize("name", ['a"; filename="b.exe', "é", "..%2F..", "ü ' (1)"])
def test_a_name_is_nothing_but_a_name(api: Api, large: str, name: str) -> None:
    with api.http.stream("GET", f"/artifacts/{large}/export/csv", params={"name": name}) as answer:
        expected = quote(f"{name}.csv", safe="")
        assert answer.headers["content-disposition"] == f"attachment; filename*=UTF-8''{expected}"


def test_a_dataset_without_rows_is_a_file_without_lines(api: Api) -> None:
    notebook = api.project()
    empty = artifact(notebook, notebook.add("python", code="import pandas as pd\nt = pd.DataFrame({'a': [1]}).head(0)"))
    assert download(api, empty, "jsonl").content == b""
    assert download(api, empty, "csv").text == "a\n"


def test_what_can_not_be_written_is_told_before_the_first_byte(server: Server, api: Api, large: str) -> None:
    assert code_of(download(api, large, "excel")) == (422, "invalid")
    for options in ({"colour": "red"}, {"delimiter": '"'}, {"name": "a\nb"}, {"name": "gpj\u202e.exe"}):
        assert code_of(download(api, large, "csv", **options)) == (422, "invalid")
    assert code_of(download(api, large, "ods")) == (404, "not_found")
    assert code_of(download(api, "0" * 64, "csv")) == (404, "not_found")
    upload = api.project().upload("a.txt", b"a")
    assert code_of(download(api, upload, "csv")) == (422, "invalid")
    with browser(server.url) as stranger:
        assert stranger.get(f"/api/v1/artifacts/{large}/export/csv").status_code == 401


def test_a_download_is_streamed_and_ends_with_whoever_takes_it(server: Server, api: Api, large: str) -> None:
    process = psutil.Process(server.process.pid)
    with api.http.stream("GET", f"/artifacts/{large}/export/jsonl") as answer:
        size = sum(map(len, answer.iter_bytes()))
    assert size > 80 * MIB
    before = process.memory_info().rss
    assert not is_read(process, large)
    host, _, port = server.url.removeprefix("http://").partition(":")
    with socket.create_connection((host, int(port))) as connection:
        path = f"/api/v1/artifacts/{large}/export/jsonl"
        request = f"GET {path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {TOKEN}\r\n\r\n"
        connection.sendall(request.encode())
        assert connection.recv(1000).startswith(b"HTTP/1.1 200")
        assert is_read(process, large)
        assert process.memory_info().rss - before < 60 * MIB
    eventually(lambda: is_read(process, large), lambda still: not still)


def is_read(process: psutil.Process, id: str) -> bool:
    """Whether the process has a file of the artifact open, or in its memory."""
    return any(id in map.path for map in process.memory_maps())
