"""Each place that docs/loading.md and docs/exporting.md give an example of is loaded from, and written to."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import psycopg
import pytest
from pyarrow.fs import S3FileSystem

from tests.cells.conftest import Desk, desk
from tests.server.test_published_source import publish
from tests.sources.test_hadoop import mounted
from tests.sources.test_s3 import endpoint
from tests.sources.web import Web, serving
from tests.support.databases import over_tcp
from tests.support.server import Api, Notebook, running_server
from trailbook.sources.addresses import connect
from trailbook.sources.remote import Fetch

__all__ = ["desk", "endpoint"]

DOCS = Path(__file__).parents[2] / "docs"
DRIVER = "/usr/share/java/postgresql.jar"
PEOPLE = b"id,name\n1,Ann\n2,Bob\n"
ROWS = [[1, "Ann"], [2, "Bob"]]
SHEET = "a Google Sheet"


def examples(page: str) -> dict[str, str]:
    """The second column of the page's table of places, by the first."""
    section = (DOCS / page).read_text("utf-8").partition("\n### An example of each\n")[2].partition("\n#")[0]
    return dict(re.findall(r"^\| ([^|`]+) \| `(.+?)` \|", section, re.MULTILINE))


SOURCES = examples("loading.md")
TARGETS = examples("exporting.md")


@dataclass(frozen=True)
class Places:
    """A notebook of a server with the settings that the pages name, and `people` in it; the web has them, too."""

    notebook: Notebook
    web: Web
    artifact: str

    def meant(self, example: str) -> str:
        return example.replace("https://example.org", self.web.url("")).replace("ARTIFACT", self.artifact)

    def loaded(self, **parameters: Any) -> list[list[Any]]:
        return self.notebook.result(self.notebook.add("load", name="copy", **parameters))


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The server's own folder, with files for the places that are files."""
    home = tmp_path_factory.mktemp("home")
    for name in ("data", "out"):
        (home / name).mkdir()
    (home / "data" / "people.csv").write_bytes(PEOPLE)
    mounted(home / "data", home / "conf")
    with sqlite3.connect(home / "data" / "people.db") as file:
        file.execute("CREATE TABLE people (id, name)")
        file.executemany("INSERT INTO people VALUES (?, ?)", ROWS)
    return home


@pytest.fixture(scope="module")
def keys(endpoint: str) -> dict[str, str]:
    """What the environment says of S3, where a bucket has the file."""
    store = S3FileSystem(access_key="key", secret_key="secret", endpoint_override=endpoint, allow_bucket_creation=True)
    store.create_dir("data")
    with store.open_output_stream("data/people.csv") as file:
        file.write(PEOPLE)
    said = {"ACCESS_KEY_ID": "key", "SECRET_ACCESS_KEY": "secret", "REGION": "us-east-1", "ENDPOINT_URL": endpoint}
    return {f"AWS_{name}": value for name, value in said.items()}


@pytest.fixture(scope="module")
def places(
    home: Path, keys: dict[str, str], postgres: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Places]:
    with psycopg.connect(postgres, autocommit=True) as database:
        database.execute("DROP TABLE IF EXISTS people, people_of_may")
        database.execute("CREATE TABLE people (id, name) AS VALUES (1, 'Ann'), (2, 'Bob')")
    with serving() as web, over_tcp(postgres) as port:
        web.pages["/people.csv"] = PEOPLE
        databases = {"shop": postgres, "old": f"jdbc:postgresql://127.0.0.1:{port}/postgres?user=postgres"}
        flags = ("--fetch", "any", "--drivers", DRIVER, "--databases", json.dumps(databases))
        allowed = ("--folders", str(home), "--export-folders", str(home / "out"))
        own = {"HOME": str(home), "HADOOP_CONF_DIR": str(home / "conf"), **keys}
        with running_server(tmp_path_factory.mktemp("app"), *flags, *allowed, env=own) as server:
            notebook = Api(server.url).project()
            file = notebook.upload("people.csv", PEOPLE)
            cell = notebook.add("load", name="people", file=file, file_name="people.csv", options={"header": True})
            assert notebook.result(cell) == ROWS
            publish(notebook, cell, "people", "people")
            yield Places(notebook, web, file)


def test_every_place_has_an_example() -> None:
    assert (len(SOURCES), len(TARGETS)) == (10, 4)


@pytest.mark.parametrize("source", [place for place in SOURCES if place != SHEET])
def test_data_is_loaded_from_there(places: Places, source: str) -> None:
    assert places.loaded(**json.loads(places.meant(SOURCES[source]))) == ROWS


def test_a_sheet_is_loaded_from_where_google_has_it(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Google is a web server of this machine, without a certificate."""
    desk.settings = replace(desk.settings, fetch="any")
    with serving() as web:
        web.pages["/spreadsheets/d/1aB-c_9/export"] = PEOPLE
        google = ("127.0.0.1", web.server_port)
        monkeypatch.setattr(Fetch, "_connected", lambda *asked: connect(*google, allow_private=True))
        context = desk.context()
        desk.run(context, "load", name="people", **json.loads(SOURCES[SHEET]))
        assert web.asked == ["/spreadsheets/d/1aB-c_9/export?format=csv&gid=0"]
    assert [[*row.values()] for row in desk.rows(context, "people")] == ROWS


@pytest.mark.parametrize("target", [place for place in TARGETS if place != "a download"])
def test_data_is_written_there_and_loaded_again(places: Places, target: str) -> None:
    parameters = json.loads(TARGETS[target])
    cell = places.notebook.settled(places.notebook.add("export", dataset="people", **parameters))
    assert cell["state"] == "done", cell["run"]["error"]
    written = parameters.get("target")
    again = {"url" if "://" in written else "path": written} if written else parameters
    assert places.loaded(**{name: again[name] for name in again if name != "options"}) == ROWS


def test_data_is_downloaded(places: Places) -> None:
    people = places.notebook.head()["cells"][0]["outputs"][0]["artifact"]["id"]
    _, path = TARGETS["a download"].replace("ARTIFACT", people).split(" ")
    assert places.notebook.api.http.get(path).content == PEOPLE.replace(b",", b";")
