"""What the server acknowledged: after a crash, all of it must still be there."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from tests.support.server import Api

VOLATILE = {"state", "run", "outputs", "waits_for"}


def facts(notebook: Any) -> dict[str, Any]:
    """What can never change about a version."""
    cells = [{key: value for key, value in cell.items() if key not in VOLATILE} for cell in notebook["cells"]]
    return {key: notebook[key] for key in ("ref", "parents", "description", "person", "time")} | {"cells": cells}


@dataclass
class Ledger:
    """Acknowledged versions, heads, uploads and results."""

    versions: dict[tuple[str, int], dict[str, Any]] = field(default_factory=dict)
    heads: dict[str, int] = field(default_factory=dict)
    uploads: dict[str, list[str]] = field(default_factory=dict)
    results: dict[str, int] = field(default_factory=dict)
    projects: set[str] = field(default_factory=set)
    unchecked: set[tuple[str, int]] = field(default_factory=set)

    def acknowledge(self, notebook: Any) -> None:
        branch, number = notebook["ref"]["branch"], notebook["ref"]["number"]
        self.versions.setdefault((branch, number), facts(notebook))
        self.unchecked.add((branch, number))
        self.heads[branch] = number
        for cell in notebook["cells"]:
            if cell["state"] == "done":
                self.results.update({o["artifact"]["id"]: o["artifact"]["rows"] for o in cell["outputs"]})

    def check_all(self, api: Api, in_flight: str | None) -> None:
        """Every version ever acknowledged is as it was."""
        self.unchecked |= self.versions.keys()
        self.check(api, in_flight)

    def check(self, api: Api, in_flight: str | None) -> None:
        """What was acknowledged of late is there; on the branch of the request that was cut off, at most one more."""
        assert self.projects <= {project["id"] for project in api.get("/projects")}
        for branch, number in sorted(self.unchecked):
            assert facts(api.get(f"/branches/{branch}/versions/{number}")) == self.versions[branch, number]
        self.unchecked.clear()
        for branch, head in self.heads.items():
            now = api.get(f"/branches/{branch}/head")
            if branch != in_flight:
                assert now["ref"]["number"] == head
            self.check_numbers(api, branch, in_flight)
            self.acknowledge(now)
        for project, names in self.uploads.items():
            listed = [file["artifact"] for file in api.get(f"/projects/{project}/files")]
            assert [file for file in names if file not in listed] == []
        for artifact, rows in self.results.items():
            assert api.get(f"/artifacts/{artifact}/rows", limit=1)["total"] == rows

    def check_numbers(self, api: Api, branch: str, in_flight: str | None) -> None:
        listed = [version["ref"]["number"] for version in api.get(f"/branches/{branch}/versions", limit=500)]
        known = sorted((number for b, number in self.versions if b == branch), reverse=True)
        extra = [number for number in listed if number not in known]
        assert sorted(listed, reverse=True) == listed
        assert len(extra) <= (1 if branch == in_flight else 0), extra
