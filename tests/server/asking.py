"""Asking a server why something is in doubt."""

from __future__ import annotations

import json
from typing import Any

from tests.support.server import Notebook


def caveat_sets(notebook: Notebook, cell: str, name: str, **asked: Any) -> dict[str, Any]:
    """The caveat sets that reach a dataset, or a part of it, by their place."""
    notebook.settled(cell)
    path = f"/branches/{notebook.branch}/versions/{notebook.head()['ref']['number']}/caveats"
    with notebook.api.http.stream("POST", path, json={"cell": cell, "name": name, **asked}) as answer:
        sayings = [json.loads(line) for line in answer.iter_lines()]
    assert sayings[-1] == {"type": "end"}, sayings
    found = (saying["set"] for saying in sayings if saying["type"] == "set")
    return {one["place"]: one for one in found if one["count"]}
