"""What one project published, another one reads: in place, with reasons, and told when there is a newer edition."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.support.server import NO_ENGINE, Api, Notebook, running_server

CHANGES = "application/vnd.trailbook.changes+json"
DOUBTFUL = "SELECT id, caveat_if(id * 10, id = {doubtful}, 'odd {doubtful}') AS x FROM range(3)"


def publish(notebook: Notebook, cell: str, name: str, dataset: str) -> Any:
    number = notebook.head()["ref"]["number"]
    body = {"name": name, "branch": notebook.branch, "number": number, "cell": cell, "dataset": dataset}
    return notebook.api.post("/publications", body)


def published(api: Api, name: str, query: str = DOUBTFUL.format(doubtful=2)) -> tuple[Notebook, str]:
    """A project that has published a dataset."""
    notebook = api.project(f"Makes {name}")
    cell = notebook.add("sql", query=query, name="t")
    notebook.result(cell)
    publish(notebook, cell, name, "t")
    return notebook, cell


def sets(notebook: Notebook, cell: str, name: str, **asked: Any) -> list[Any]:
    path = f"/branches/{notebook.branch}/versions/{notebook.head()['ref']['number']}/caveats"
    with notebook.api.http.stream("POST", path, json={"cell": cell, "name": name, **asked}) as answer:
        *said, end = [json.loads(line) for line in answer.iter_lines()]
    assert end == {"type": "end"}
    return [one["set"] for one in said if one["type"] == "set" and one["set"]["count"]]


def artifact(notebook: Notebook, cell: str) -> str:
    found = notebook.settled(cell)
    assert found["state"] == "done", found["run"]["error"]
    id: str = found["outputs"][0]["artifact"]["id"]
    return id


def test_an_edition_is_used_in_place(notebook: Notebook, api: Api) -> None:
    other, made = published(api, "in place")
    cell = notebook.add("load", name="mine", published="in place", edition=1)
    assert artifact(notebook, cell) == artifact(other, made)
    assert notebook.cell(cell)["run"]["messages"][0]["text"].startswith("Edition 1 of in place, published ")


def test_the_reasons_lead_to_the_cells_of_the_project_that_published_it(notebook: Notebook, api: Api) -> None:
    other, made = published(api, "with reasons")
    notebook.add("load", name="mine", published="with reasons")
    last = notebook.add("sql", query="SELECT sum(x) AS s FROM mine", name="total")
    notebook.result(last)
    (found,) = sets(notebook, last, "total")
    assert (found["cell"], found["message"]) == (made, "odd 2")
    assert found["elsewhere"] == {
        "name": "with reasons",
        "edition": 1,
        "project": other.project,
        "project_name": "Makes with reasons",
        "made": other.head()["ref"],
    }


def test_the_reasons_of_an_edition_are_those_of_the_version_that_made_it(notebook: Notebook, api: Api) -> None:
    other, made = published(api, "since changed")
    other.update(made, query="SELECT 1 AS id, 2 AS x", name="t")
    other.result(made)
    cell = notebook.add("load", name="mine", published="since changed")
    artifact(notebook, cell)
    (found,) = sets(notebook, cell, "mine", row=2, column="x")
    assert (found["cell"], found["message"]) == (made, "odd 2")


def test_reasons_lead_through_several_projects(notebook: Notebook, api: Api) -> None:
    _, made = published(api, "first of chain")
    between = api.project()
    between.add("load", name="got", published="first of chain")
    second = between.add("sql", query="SELECT x FROM got WHERE id > 0", name="u")
    between.result(second)
    publish(between, second, "second of chain", "u")
    cell = notebook.add("load", name="mine", published="second of chain")
    artifact(notebook, cell)
    (found,) = sets(notebook, cell, "mine")
    assert (found["cell"], found["elsewhere"]["name"]) == (made, "first of chain")


def test_a_version_that_reads_what_it_published_itself_has_reasons(api: Api) -> None:
    notebook, made = published(api, "of itself", "SELECT caveat(1, 'odd one') AS x")
    cell = notebook.add("load", name="again", published="of itself")
    artifact(notebook, cell)
    publish(notebook, cell, "of itself", "again")
    api.post(f"/branches/{notebook.branch}/run", {"cells": [cell], "anew": True})
    artifact(notebook, cell)
    (found,) = sets(notebook, cell, "again")
    assert (found["cell"], found["message"]) == (made, "odd one")


def test_rows_that_may_be_missing_are_explained_where_they_were_left_out(notebook: Notebook, api: Api) -> None:
    _, made = published(api, "missing", f"SELECT * FROM ({DOUBTFUL.format(doubtful=2)}) WHERE x < 5")
    cell = notebook.add("load", name="mine", published="missing")
    artifact(notebook, cell)
    assert [found["cell"] for found in sets(notebook, cell, "mine", missing=True)] == [made]


def test_what_was_acknowledged_there_is_told_here(notebook: Notebook, api: Api) -> None:
    other, made = published(api, "accepted")
    (raised,) = sets(other, made, "t")
    other.edit(action="acknowledge", handle=made, place=raised["place"], note="is known")
    other.result(made)
    publish(other, made, "accepted", "t")
    cell = notebook.add("load", name="mine", published="accepted")
    artifact(notebook, cell)
    (found,) = sets(notebook, cell, "mine")
    assert [one["note"] for one in found["acknowledged"]] == ["is known"]


def test_the_newest_edition_is_taken_when_the_cell_runs_and_not_by_itself(notebook: Notebook, api: Api) -> None:
    other, made = published(api, "growing")
    cell = notebook.add("load", name="mine", published="growing")
    first = artifact(notebook, cell)
    other.update(made, query="SELECT 1 AS id, 2 AS x", name="t")
    other.result(made)
    publish(other, made, "growing", "t")
    notebook.add("markdown", text="An edit.")
    assert artifact(notebook, cell) == first
    assert "published:growing:1" in notebook.cell(cell)["run"]["reads"]
    again = notebook.add("load", name="too", published="growing")
    assert artifact(notebook, again) != first
    api.post(f"/branches/{notebook.branch}/run", {"cells": [cell], "anew": True})
    assert artifact(notebook, cell) == artifact(notebook, again)


def changes(notebook: Notebook, cell: str) -> Any:
    """What the cell says that it differs in from what was shown before."""
    (said,) = [one for one in notebook.cell(cell)["run"]["messages"] if one["type"] == "display"]
    return notebook.api.http.get(f"/artifacts/{said['artifacts'][CHANGES]}/content").json() | {
        "words": said["data"]["text/plain"]
    }


def test_another_edition_is_compared_with_the_one_that_was_shown(notebook: Notebook, api: Api) -> None:
    other, made = published(api, "compared", "SELECT id, id * 10 AS x FROM range(3)")
    cell = notebook.add("load", name="mine", published="compared")
    first = artifact(notebook, cell)
    assert [one["type"] for one in notebook.cell(cell)["run"]["messages"]] == ["note"]
    other.update(made, query="SELECT id, if(id = 1, 11, id * 10) AS x, true AS y FROM range(1, 4)", name="t")
    other.result(made)
    publish(other, made, "compared", "t")
    notebook.update(cell, name="mine", published="compared", previous=first, key=["id"])
    second = artifact(notebook, cell)
    assert second == artifact(other, made)
    found = changes(notebook, cell)
    assert found["words"].startswith(
        "Reloaded: 1 row added, 1 removed, 1 altered (x 1), 1 as before; the column y is new"
    )
    assert [row["values"] for row in found["removed_rows"]] == [["0", "0"]]
    assert [(row["values"][:2], row["before"]) for row in found["altered_rows"]] == [(["1", "11"], {"x": "10"})]
    notebook.update(cell, name="mine", published="compared", previous=second)
    assert artifact(notebook, cell) == second
    assert changes(notebook, cell)["words"] == "Reloaded: the rows are as before."
    assert sets(notebook, cell, "mine") == []


def test_a_deleted_project_leaves_what_it_published_and_the_reasons(notebook: Notebook, api: Api) -> None:
    other, made = published(api, "orphan")
    assert api.http.delete(f"/projects/{other.project}").is_success
    cell = notebook.add("load", name="mine", published="orphan")
    artifact(notebook, cell)
    (found,) = sets(notebook, cell, "mine")
    assert (found["cell"], found["elsewhere"]["project"]) == (made, None)


@pytest.mark.parametrize(
    ("parameters", "told"),
    [
        ({"published": "nowhere"}, "Nothing is published as nowhere."),
        ({"published": "one only", "edition": 7}, "There is no edition 7 of one only: the last one is"),
    ],
)
def test_what_was_not_published_is_told(notebook: Notebook, api: Api, parameters: Any, told: str) -> None:
    published(api, "one only", "SELECT 1 AS x")
    cell = notebook.add("load", name="mine", **parameters)
    assert told in notebook.settled(cell)["run"]["error"]["message"]


def test_an_archive_of_a_reader_opens_where_nothing_is_published(notebook: Notebook, api: Api, tmp_path: Path) -> None:
    published(api, "left behind", "SELECT caveat(1, 'why') AS x")
    cell = notebook.add("load", name="mine", published="left behind")
    artifact(notebook, cell)
    archive = api.http.get(f"/projects/{notebook.project}/archive").content
    with running_server(tmp_path, *NO_ENGINE) as server:
        elsewhere = Api(server.url)
        project = Api._checked(elsewhere.http.post("/projects/archive", content=archive))
        copy = Notebook(elsewhere, project["id"], project["branch"])
        assert artifact(copy, cell) == artifact(notebook, cell)
        (found,) = sets(copy, cell, "mine")
        elsewhere.close()
    assert found["message"] == "It was in doubt where it was published, which is not known here."
    assert (found["elsewhere"]["name"], found["elsewhere"]["project"]) == ("left behind", None)
