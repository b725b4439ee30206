"""Notebooks come in as files and go out as files, over HTTP."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.support.server import Api, Notebook, code_of

PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg=="


def jupyter(source: str, *outputs: dict[str, Any]) -> bytes:
    cell = {"cell_type": "code", "id": "one", "source": source, "metadata": {}, "execution_count": 1}
    return json.dumps(
        {"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [{**cell, "outputs": outputs}]}
    ).encode()


def import_file(api: Api, name: str, content: bytes) -> Notebook:
    answer = api.http.post("/projects/import", params={"name": name}, content=content)
    assert answer.status_code == 201, answer.text
    project = answer.json()
    return Notebook(api, project["id"], project["branch"])


def test_an_imported_notebook_shows_its_outputs_and_runs_only_when_asked(api: Api) -> None:
    outputs: list[dict[str, Any]] = [
        {"output_type": "stream", "name": "stdout", "text": "from Jupyter\n"},
        {"output_type": "display_data", "data": {"image/png": PNG, "text/plain": "a plot"}, "metadata": {}},
    ]
    notebook = import_file(api, "folder/My work.ipynb", jupyter("print('here')", *outputs))
    head = notebook.head()
    assert (head["project"]["name"], head["description"]) == ("My work", "Import My work.ipynb")
    cell = notebook.cell("one")
    assert cell["state"] == "stale"
    text, picture = cell["run"]["messages"]
    assert text["text"] == "from Jupyter\n"
    content = api.http.get(f"/artifacts/{picture['artifacts']['image/png']}/content")
    assert content.headers["content-type"] == "image/png"
    api.post(f"/branches/{notebook.branch}/run")
    assert notebook.settled("one")["run"]["messages"][0]["text"] == "here\n"


@pytest.mark.parametrize(
    ("format", "words"),
    [
        ("ipynb", ["\"print('hällo')\"", '"hällo\\n"']),
        ("trail.md", ["```python {cell}\nprint('hällo')\n```"]),
        ("py", ["# %%\nprint('hällo')"]),
        ("html", ['<pre class="stdout">hällo\n</pre>']),
    ],
)
def test_a_version_is_exported(api: Api, format: str, words: list[str]) -> None:
    notebook = api.project("Größe / 1")
    notebook.settled(notebook.add("python", code="print('hällo')"))
    answer = api.http.get(f"/branches/{notebook.branch}/versions/2/export", params={"format": format})
    assert answer.status_code == 200
    assert answer.headers["content-disposition"] == f"attachment; filename*=UTF-8''Gr%C3%B6%C3%9Fe%20%2F%201.{format}"
    for word in words:
        assert word in answer.content.decode()


@pytest.mark.parametrize(
    ("name", "content", "status", "message"),
    [
        ("a.ipynb", b"{", 422, "a.ipynb: This is not a Jupyter notebook"),
        ("a.txt", b"", 422, "should end in one of .ipynb, .trail.md"),
        ("a.trail.md", b"\xff", 422, "is not text in UTF-8"),
        ("a.trail.md", b"```nothing {cell}\n```", 422, "a.trail.md: Line 1: There is no cell kind 'nothing'"),
        ("", b"", 422, ""),
    ],
)
def test_a_file_that_is_no_notebook_is_refused(api: Api, name: str, content: bytes, status: int, message: str) -> None:
    answer = api.http.post("/projects/import", params={"name": name}, content=content)
    assert code_of(answer) == (status, "invalid")
    assert message in answer.json()["message"]


def test_what_is_not_there_can_not_be_exported(api: Api, notebook: Notebook) -> None:
    answer = api.http.get(f"/branches/{notebook.branch}/versions/9/export", params={"format": "py"})
    assert code_of(answer) == (404, "not_found")
    answer = api.http.get(f"/branches/{notebook.branch}/versions/1/export", params={"format": "docx"})
    assert code_of(answer) == (422, "invalid")
