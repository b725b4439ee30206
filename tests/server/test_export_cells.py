"""Export cells over the API: what they write, what becomes of it, and how they are stopped."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from tests.server.test_caveats import Story
from tests.server.test_changes import watching
from tests.support.server import Api, Notebook, Server, running_server

MANY = "import pandas as pd\nmany = pd.DataFrame({'n': range(8_000_000), 't': ['some text'] * 8_000_000})"


def done(notebook: Notebook, cell: str) -> Any:
    found = notebook.settled(cell)
    assert found["state"] == "done", found["run"]["error"]
    return found["run"]


def states(api: Api, run: Any) -> dict[str, str]:
    return {Path(one["path"]).name: one["state"] for one in api.get(f"/runs/{run['id']}/written")}


def test_the_report_says_why_and_what_becomes_of_the_files_is_seen(api: Api, exports: Path) -> None:
    story = Story(api.project())
    path = exports / "sums.csv"
    cell = story.notebook.add("export", dataset="sums", target=str(path))
    run = done(story.notebook, cell)
    assert path.read_text() == "region,s,s_in_doubt\nn,10,true\ns,35,false\n"
    report = (exports / "sums.csv.caveats.md").read_text()
    assert f"from cell {story.typed}, " in report
    assert "12O" in report
    assert states(api, run) == {"sums.csv": "same", "sums.csv.caveats.md": "same"}
    path.write_text("other")
    (exports / "sums.csv.caveats.md").unlink()
    assert states(api, run) == {"sums.csv": "changed", "sums.csv.caveats.md": "gone"}
    assert story.notebook.cell(cell)["run"]["id"] == run["id"]


def test_forms_are_made_of_what_the_sinks_say(api: Api, exports: Path) -> None:
    sinks = api.get("/sinks")
    assert sinks["folders"] == [str(exports)]
    assert [one["format"] for one in sinks["formats"]] == ["csv", "excel", "jsonl", "parquet"]
    marks = sinks["formats"][0]["options"]["properties"]["marks"]
    assert (marks["enum"], marks["default"]) == (["none", "some", "all"], "some")
    assert sinks["table"]["properties"]["if_exists"]["enum"] == ["fail", "replace", "append"]


def export_half_way(server: Server, notebook: Notebook, **parameters: Any) -> str:
    """An Export cell that has written some rows, and not all."""
    notebook.settled(notebook.add("python", code=MANY))
    with watching(server, notebook.branch) as watcher:
        cell = notebook.add("export", dataset="many", **parameters)
        watcher.until(lambda event: event["type"] == "progress" and event["progress"]["done"])
    return cell


def test_a_cell_that_is_cancelled_leaves_nothing(server: Server, notebook: Notebook, api: Api, exports: Path) -> None:
    before = os.listdir(exports)
    cell = export_half_way(server, notebook, target=str(exports / "many.csv"))
    api.post(f"/branches/{notebook.branch}/cancel", {"cells": [cell]})
    assert notebook.settled(cell)["state"] == "cancelled"
    assert sorted(os.listdir(exports)) == sorted(before)


def test_a_server_that_is_killed_half_way_leaves_what_was_there(tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    (out / "many.csv").write_text("old")
    flags = ("--export-folders", str(out), "--java", "no-such-java")
    with running_server(tmp_path / "data", *flags) as server:
        notebook = Api(server.url).project()
        export_half_way(server, notebook, target=str(out / "many.csv"), replace=True)
        server.kill()
    assert (out / "many.csv").read_text() == "old"
    assert os.listdir(out) == ["many.csv"]


@pytest.mark.parametrize("target", ["/etc/passwd.csv", "~/.ssh/keys.csv"])
def test_a_path_outside_is_refused(notebook: Notebook, target: str) -> None:
    notebook.settled(notebook.add("python", code="import pandas as pd\nt = pd.DataFrame({'x': [1]})"))
    cell = notebook.add("export", dataset="t", target=target)
    assert notebook.settled(cell)["run"]["error"]["code"] == "path_refused"
