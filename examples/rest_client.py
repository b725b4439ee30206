"""Create a project, upload a CSV, query it and print the result, through the REST API.

TRAILBOOK_URL=http://127.0.0.1:PORT TRAILBOOK_TOKEN=… python examples/rest_client.py
"""

from __future__ import annotations

import json
import os
import time
from typing import Any
from urllib.request import Request, urlopen

BASE = os.environ["TRAILBOOK_URL"].rstrip("/") + "/api/v1"
TOKEN = os.environ["TRAILBOOK_TOKEN"]
CSV = b"city,people\nBern,134\nZug,31\nBern,6\n"


def call(method: str, path: str, body: bytes | dict[str, Any] | None = None) -> Any:
    """Send a request; the answer's JSON."""
    kind = "application/octet-stream" if isinstance(body, bytes) else "application/json"
    data = json.dumps(body).encode() if isinstance(body, dict) else body
    headers = {"Authorization": f"Bearer {TOKEN}", "Content-Type": kind}
    with urlopen(Request(BASE + path, data, headers, method=method)) as answer:
        return json.load(answer)


def add_cell(notebook: dict[str, Any], kind: str, parameters: dict[str, Any]) -> dict[str, Any]:
    """Insert a cell at the end of the notebook; the new version."""
    after = notebook["cells"][-1]["handle"] if notebook["cells"] else None
    edit = {"action": "insert", "after": after, "kind": kind, "parameters": parameters}
    ref = notebook["ref"]
    version: dict[str, Any] = call(
        "POST", f"/branches/{ref['branch']}/versions/{ref['number']}/edits", {"edit": edit, "at_head": True}
    )
    return version


def main() -> None:
    project = call("POST", "/projects", {"name": "From a script"})
    file = call("POST", f"/projects/{project['id']}/files?name=cities.csv", CSV)
    notebook = call("GET", f"/branches/{project['branch']}/head")
    notebook = add_cell(notebook, "load", {"name": "cities", "file": file["artifact"], "file_name": file["name"]})
    query = "SELECT city, sum(people) AS people FROM cities GROUP BY city ORDER BY city"
    notebook = add_cell(notebook, "sql", {"query": query, "name": "totals"})
    while notebook["cells"][-1]["state"] in ("waiting", "running"):
        time.sleep(0.1)
        notebook = call("GET", f"/branches/{project['branch']}/head")
    (output,) = notebook["cells"][-1]["outputs"]
    page = call("GET", f"/artifacts/{output['artifact']['id']}/rows")
    print([column["name"] for column in page["columns"]])
    for row in page["rows"]:
        print(row)


if __name__ == "__main__":
    main()
