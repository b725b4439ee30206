"""Things that exist on a server, put into generated requests so that these have a chance to succeed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from schemathesis import Case

from tests.support.server import TOKEN, Api, Notebook, eventually
from tests.support.wheels import write_wheel


class RealWorld:
    """A notebook with results, whose ids take the place of invented ones."""

    def __init__(self, api: Api, wheels: Path) -> None:
        self._api = api
        self._notebook = api.project("Real")
        upload = self._notebook.upload("data.csv", b"a,b\n1,2\n")
        self._handle = self._notebook.add("sql", query="SELECT 1 AS x")
        cell = self._notebook.settled(self._handle)
        artifact = cell["outputs"][0]["artifact"]["id"]
        self._ids: dict[str, Any] = {"run": cell["run"]["id"], "artifact": artifact, "edition": 1}
        self._still = api.project("Still")
        """Nobody edits it, so that its cell stays as it has run."""
        self._asked = self._still.add("sql", query="SELECT 1 AS x")
        self._still.settled(self._asked)
        self._file = upload
        self._ids["name"] = api.post("/publications", {"name": "ones", **self._published()})["name"]
        with_packages = api.project("With packages")
        with_packages.edit(action="set_packages", packages=[write_wheel(wheels, "tiny", "1.0", "")])
        self._environment = f"/branches/{with_packages.branch}/environment"

    def put_into(self, case: Case[Any]) -> None:
        """Replace invented ids by real ones, and make what the operation needs to succeed."""
        label = case.operation.label
        notebook = self._notebook
        if "/caveats" in label:
            notebook = self._still
        if label.startswith("DELETE"):
            notebook = self._api.project("Doomed")
        if label.endswith(("/undo", "/redo")):
            notebook = self._undoable(redo=label.endswith("/redo"))
        if "/environments/" in label:
            self._ids["digest"] = self._built()
        ids = {**self._ids, "project": notebook.project, "branch": notebook.branch, "number": self._head(notebook)}
        if label.endswith("/content"):
            ids["artifact"] = self._file
        for name in case.path_parameters or {}:
            case.path_parameters[name] = ids[name]
        if label.endswith("/report"):
            case.query = {**(case.query or {}), "cell": self._asked, "name": "result"}
        if isinstance(case.body, dict):
            case.body.update(self._body(label, case.body, notebook))

    def _published(self) -> dict[str, Any]:
        number = self._head(self._still)
        return {"branch": self._still.branch, "number": number, "cell": self._asked, "dataset": "result"}

    def _built(self) -> str:
        """The digest of an environment that is there."""
        self._api.post(self._environment)
        found = eventually(lambda: self._api.get(self._environment), lambda one: one["state"] == "ready")
        return str(found["digest"])

    def _undoable(self, *, redo: bool) -> Notebook:
        notebook = self._api.project("Undoable")
        notebook.add("markdown", text="once")
        if redo:
            self._api.post(f"/branches/{notebook.branch}/undo", {"head": self._head(notebook)})
        return notebook

    def _head(self, notebook: Notebook) -> int:
        return int(notebook.head()["ref"]["number"])

    def _body(self, label: str, body: dict[str, Any], notebook: Notebook) -> dict[str, Any]:
        head = self._head(notebook)
        if label.endswith("/sign-in"):
            return {"secret": TOKEN}
        if label.endswith(("/undo", "/redo")):
            return {"head": head}
        if label.endswith("/publications"):
            return {"name": "ones", **self._published()}
        if "/caveats" in label:
            return {"cell": self._asked, "name": "result", "row": None, "column": None, "missing": False}
        if label.endswith(("/run", "/cancel")):
            return {"cells": [self._handle]} if body.get("cells") else {}
        if "source" in body:
            return {"source": {"branch": notebook.branch, "number": head}}
        return {"edit": dict(self._edit(body["edit"]))} if "edit" in body else {}

    def _edit(self, edit: dict[str, Any]) -> Iterator[tuple[str, Any]]:
        """The generated edit, of the cell that there is, or one that inserts text at the top."""
        is_new = edit.get("action") == "insert"
        for name, value in edit.items():
            if name == "handle" and not is_new:
                yield name, self._handle
            elif name == "parameters":
                yield name, {"text": str(value)} if is_new else {"query": "SELECT 2 AS x"}
            elif name == "kind":
                yield name, "markdown" if is_new else "sql"
            elif name != "after":
                yield name, value
