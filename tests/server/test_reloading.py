"""A source is loaded anew: what changed is told, what drifted is doubted, and an archive holds it all."""

from __future__ import annotations

from typing import Any

from tests.server.asking import caveat_sets
from tests.support.server import Notebook

OPTIONS = {"header": True, "delimiter": ",", "quote": '"', "escape": "", "comment": "", "encoding": "utf-8"}
REPORT = "application/vnd.trailbook.changes+json"


def shown(notebook: Notebook, cell: str) -> dict[str, Any]:
    artifact: dict[str, Any] = notebook.settled(cell)["outputs"][0]["artifact"]
    return artifact


def changes(notebook: Notebook, cell: str) -> dict[str, Any]:
    (message,) = (one for one in notebook.settled(cell)["run"]["messages"] if one["type"] == "display")
    report: dict[str, Any] = notebook.api.get(f"/artifacts/{message['artifacts'][REPORT]}/content")
    return report | {"words": message["data"]["text/plain"]}


def test_a_reload_tells_what_changed_and_its_doubts_are_acknowledged(notebook: Notebook) -> None:
    first = notebook.upload("people.csv", b"id,zip\n1,10\n2,20\n")
    loaded = notebook.add("load", name="people", file=first, file_name="people.csv", options=OPTIONS)
    zips = notebook.add("sql", query="SELECT max(zip) AS zip FROM people", name="zips")
    before = shown(notebook, loaded)
    assert before["doubt"]["values"] == {}

    second = notebook.upload("newer.csv", b"id,zip\n1,10\n2,2o\n3,x\n")
    given = {"name": "people", "file": second, "file_name": "newer.csv", "options": OPTIONS, "previous": before["id"]}
    notebook.update(loaded, **given)
    report = changes(notebook, loaded)
    assert [report[kind] for kind in ("added", "removed", "altered", "same")] == [1, 0, 1, 1]
    assert report["altered_rows"] == [{"row": 1, "values": ["2", "2o"], "before": {"zip": "20"}}]
    ((place, found),) = caveat_sets(notebook, zips, "zips", row=0, column="zip").items()
    assert place.startswith("the column zip was int and is string since the load of 20")
    assert found["count"] == 3
    assert place in report["words"]

    notebook.edit(action="acknowledge", handle=loaded, place=place, message=None, note="seen")
    assert shown(notebook, zips)["doubt"]["values"] == {}
    assert shown(notebook, loaded)["data"] != before["data"]
    assert changes(notebook, loaded)["added"] == 1
    listed = caveat_sets(notebook, loaded, "people")
    assert [bool(one["acknowledged"]) for one in listed.values()] == [True]

    # What is loaded once more is the same, and what was acknowledged still is.
    reloaded = shown(notebook, loaded)["id"]
    notebook.update(loaded, **given | {"previous": reloaded})
    assert changes(notebook, loaded)["words"].startswith("Reloaded: the rows are as before; the column zip was int")
    assert shown(notebook, loaded)["id"] == reloaded

    archive = notebook.api.http.get(f"/projects/{notebook.project}/archive").content
    project = notebook.api.http.post("/projects/archive", content=archive).json()
    copy = Notebook(notebook.api, project["id"], project["branch"])
    assert shown(copy, loaded)["id"] == reloaded
    assert changes(copy, loaded)["same"] == 3
