"""Data from elsewhere is taken in once, and again only when somebody says so."""

from __future__ import annotations

import json
from collections.abc import Iterator

import psycopg
import pytest

from tests.server.asking import caveat_sets
from tests.sources.web import Web, serving
from tests.support.server import Api, Notebook, eventually, running_server
from trailbook.engine import Engine


@pytest.fixture
def web() -> Iterator[Web]:
    with serving() as server:
        yield server


@pytest.fixture(scope="module")
def api(tmp_path_factory: pytest.TempPathFactory, engine: Engine, postgres: str) -> Iterator[Api]:
    """A server whose cells may ask the database shop, and machines of this network."""
    databases = json.dumps({"shop": postgres})
    flags = ("--spark", engine.url(), "--fetch", "any", "--databases", databases)
    with running_server(tmp_path_factory.mktemp("sources"), *flags) as server:
        yield Api(server.url)


@pytest.fixture
def book(api: Api) -> Notebook:
    return api.project()


def test_what_is_elsewhere_is_asked_once_until_somebody_runs_it_again(book: Notebook, web: Web) -> None:
    loaded = book.add("load", name="rates", url=web.url("/rates.csv"))
    assert book.result(loaded) == [[1, "Ann"], [2, "Bob"]]
    count = book.add("sql", query="SELECT count(*) AS n FROM rates", name="n")
    assert book.result(count) == [[2]]
    head = book.head()["ref"]["number"]
    book.api.post(f"/branches/{book.branch}/undo", {"head": head})
    book.api.post(f"/branches/{book.branch}/redo", {"head": book.head()["ref"]["number"]})
    assert book.result(count) == [[2]]
    assert len(web.asked) == 1
    first = book.cell(loaded)["run"]["id"]
    book.api.post(f"/branches/{book.branch}/run", {"cells": [loaded], "anew": True})
    eventually(lambda: book.settled(loaded), lambda cell: cell["run"]["id"] != first)
    assert len(web.asked) == 2


def test_acknowledging_asks_nobody_again(book: Notebook, web: Web) -> None:
    loaded = book.add("load", name="rates", url=web.url("/rates.csv"))
    said = book.settled(loaded)["run"]["messages"]
    (place,) = caveat_sets(book, loaded, "rates")
    book.edit(action="acknowledge", handle=loaded, place=place, message=None, note="a header")
    cell = book.settled(loaded)
    assert cell["outputs"][0]["artifact"]["doubt"]["phantoms"] == 0
    assert cell["run"]["messages"] == said
    assert cell["run"]["outside"]["network"]
    assert len(web.asked) == 1


def test_an_archive_holds_what_was_fetched(book: Notebook, web: Web) -> None:
    loaded = book.add("load", name="rates", url=web.url("/rates.csv"))
    before = book.settled(loaded)
    archive = book.api.http.get(f"/projects/{book.project}/archive").content
    brought = book.api.http.post("/projects/archive", content=archive)
    assert brought.is_success, brought.text
    other = Notebook(book.api, brought.json()["id"], brought.json()["branch"])
    (cell,) = other.head()["cells"]
    assert other.result(cell["handle"]) == [[1, "Ann"], [2, "Bob"]]
    assert cell["run"]["messages"] == before["run"]["messages"]
    assert len(web.asked) == 1


def test_a_file_of_the_server_itself_is_not_fetched(book: Notebook) -> None:
    file = book.upload("a.csv", b"x,y\n1,2\n")
    address = str(book.api.http.base_url.join(f"artifacts/{file}/content"))
    assert book.result(book.add("load", name="a", url=address)) == [[1, 2]]


def test_values_of_a_database_that_fit_no_type_are_explained_and_acknowledged(book: Notebook, database: str) -> None:
    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute("CREATE TABLE sales AS VALUES (1, 2::numeric), (2, 'NaN')")
    loaded = book.add("load", name="sales", database="shop", table="sales")
    total = book.add("sql", query="SELECT sum(column2) AS total FROM sales", name="totals")
    (found,) = caveat_sets(book, total, "totals", row=0, column="total").values()
    assert found["place"] == "column2 of sales of shop"
    message = "NaN does not fit decimal(38,18), the type of column2"
    assert found["examples"] == [{"message": message, "row": "captured:sales of shop:1"}]
    book.edit(action="acknowledge", handle=loaded, place=found["place"], message=None, note="seen")
    assert book.settled(total)["outputs"][0]["artifact"]["doubt"]["values"] == {}
    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute("DROP TABLE sales")
    assert [row[0] for row in book.result(loaded)] == [1, 2]
