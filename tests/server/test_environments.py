"""Packages and environments as clients see them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from websockets.sync.client import connect

from tests.support.server import TOKEN, Notebook, Server, code_of, eventually
from tests.support.wheels import write_wheel


@pytest.fixture
def tiny(tmp_path: Path) -> str:
    return write_wheel(tmp_path, "tiny", "1.0", "x = 1")


def test_a_missing_module_is_offered_added_and_there(notebook: Notebook, tiny: str) -> None:
    handle = notebook.add("python", code="import tiny\nprint(tiny.x)")
    error = notebook.settled(handle)["run"]["error"]
    assert (error["missing_module"], error["offer"]) == ("tiny", "tiny")
    assert notebook.api.get(f"/branches/{notebook.branch}/environment") is None
    answer = notebook.edit(action="set_packages", packages=[tiny])
    assert answer["packages"]["wanted"] == [tiny]
    assert notebook.settled(handle)["run"]["messages"] == [{"type": "text", "stream": "stdout", "text": "1\n"}]
    environment = notebook.api.get(f"/branches/{notebook.branch}/environment")
    assert environment["state"] == "ready"
    assert environment["packages"] == answer["packages"]
    assert environment in notebook.api.get("/environments")


def test_an_environment_can_be_deleted_and_is_built_when_asked_for(notebook: Notebook, tiny: str) -> None:
    api, place = notebook.api, f"/branches/{notebook.branch}/environment"
    notebook.edit(action="set_packages", packages=[tiny])
    built = eventually(lambda: api.get(place), lambda one: one["state"] == "ready")
    assert api.http.delete(f"/environments/{built['digest']}").status_code == 204
    assert code_of(api.http.delete(f"/environments/{built['digest']}")) == (404, "not_found")
    assert api.get(place)["state"] == "absent"
    api.post(place)
    eventually(lambda: api.get(place), lambda one: one["state"] == "ready")


@pytest.mark.parametrize("package", ["--index-url=https://example.com", "no such", "nosuch-package-anywhere"])
def test_packages_that_can_not_be_had_are_refused_with_the_reason(notebook: Notebook, package: str) -> None:
    body = {"edit": {"action": "set_packages", "packages": [package]}, "at_head": True}
    answer = notebook.api.http.post(f"/branches/{notebook.branch}/versions/1/edits", json=body)
    assert code_of(answer) == (422, "bad_packages")
    assert package in answer.text
    assert notebook.head()["ref"]["number"] == 1


def test_building_is_told_as_it_happens(server: Server, notebook: Notebook, tiny: str) -> None:
    url = f"{server.url.replace('http', 'ws')}/api/v1/branches/{notebook.branch}/changes"
    states = []
    with connect(url, additional_headers={"Authorization": f"Bearer {TOKEN}"}, proxy=None) as socket:
        notebook.edit(action="set_packages", packages=[tiny])
        while "ready" not in states:
            event = json.loads(socket.recv(timeout=60))
            if event["type"] == "environment":
                states.append(event["environment"]["state"])
    assert states[0] == "building"
