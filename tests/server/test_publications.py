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


def test_a_withdrawn_edition_is_offered_to_nobody_until_it_is_restored(notebook: Notebook, api: Api) -> None:
    handle = notebook.add("sql", query="SELECT 1 AS x")
    notebook.settled(handle)
    first, second = published(notebook, handle, "in haste"), published(notebook, handle, "in haste")
    reader = api.project("Reads what was published in haste")
    has_it = reader.add("load", name="mine", published="in haste", edition=2)
    assert reader.result(has_it) == [[1]]

    answer = api.http.delete("/publications/in haste/2").json()
    assert answer["withdrawn"]
    assert answer | {"withdrawn": None} == second
    assert newest(api, "in haste") == first
    assert api.get("/publications/in haste") == [answer, first]
    late = reader.add("load", name="late", published="in haste", edition=2)
    assert reader.settled(late)["run"]["error"]["message"] == "Edition 2 of in haste was withdrawn: the last one is 1."
    assert reader.settled(reader.add("load", name="now", published="in haste"))["run"]["reads"] == {
        "published:in haste:1": first["artifact"]
    }
    assert reader.result(has_it) == [[1]]

    api.http.delete("/publications/in haste/1").raise_for_status()
    assert newest(api, "in haste") is None
    none = reader.add("load", name="none", published="in haste", edition=0)
    assert reader.settled(none)["run"]["error"]["message"] == "All that was published as in haste was withdrawn."
    assert published(notebook, handle, "in haste")["edition"] == 3

    assert api.post("/publications/in haste/2/restore", {}) == second
    assert api.get("/publications/in haste")[1] == second


def newest(api: Api, name: str) -> object:
    found = (one["publication"] for one in api.get("/publications") if one["publication"]["name"] == name)
    return next(found, None)


@pytest.mark.parametrize(("method", "path"), [("DELETE", "/1"), ("POST", "/1/restore")])
def test_an_edition_that_is_not_there_can_not_be_withdrawn(api: Api, method: str, path: str) -> None:
    answer = api.http.request(method, f"/publications/nowhere{path}", json={})
    assert answer.status_code == httpx.codes.NOT_FOUND
    assert answer.json()["message"] == "There is no edition 1 of nowhere."
