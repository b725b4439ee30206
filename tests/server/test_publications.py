"""Datasets that projects publish for each other."""

from __future__ import annotations

import httpx
import pytest

from tests.support.server import Api, Notebook


def published(notebook: Notebook, handle: str, name: str = "cities") -> dict[str, object]:
    number = notebook.head()["ref"]["number"]
    body = {"name": name, "branch": notebook.branch, "number": number, "cell": handle, "dataset": "result"}
    answer: dict[str, object] = notebook.api.post("/publications", body)
    return answer


def test_each_publication_under_a_name_is_an_edition_that_stays(notebook: Notebook, api: Api) -> None:
    handle = notebook.add("sql", query="SELECT 1 AS x")
    notebook.settled(handle)
    first = published(notebook, handle)
    notebook.update(handle, query="SELECT 1 AS x UNION ALL SELECT 2")
    notebook.settled(handle)
    second = published(notebook, handle)
    assert [first["edition"], second["edition"]] == [1, 2]
    assert first["artifact"] != second["artifact"]
    assert api.get("/publications/cities") == [second, first]
    (newest,) = (one for one in api.get("/publications") if one["publication"]["name"] == "cities")
    assert newest["publication"] == second
    assert newest["artifact"]["rows"] == 2


@pytest.mark.parametrize(("cell", "dataset"), [("0" * 16, "result"), (None, "other")])
def test_what_a_cell_does_not_show_can_not_be_published(
    notebook: Notebook, api: Api, cell: str | None, dataset: str
) -> None:
    handle = notebook.add("sql", query="SELECT 1 AS x")
    notebook.settled(handle)
    body = {"name": "x", "branch": notebook.branch, "number": 2, "cell": cell or handle, "dataset": dataset}
    answer = api.http.post("/publications", json=body)
    assert answer.status_code == httpx.codes.NOT_FOUND
    assert dataset in answer.json()["message"]


def test_a_name_that_nothing_is_published_under_is_not_found(api: Api) -> None:
    answer = api.http.get("/publications/nowhere")
    assert answer.status_code == httpx.codes.NOT_FOUND
    assert answer.json()["message"].startswith("Nothing is published as nowhere.")
