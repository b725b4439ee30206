"""The examples do what their pages say."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.support.server import TOKEN, running_server
from trailbook.engine import Engine

EXAMPLES = Path(__file__).parent.parent / "examples"


def test_the_rest_client_prints_the_totals(engine: Engine, tmp_path: Path) -> None:
    with running_server(tmp_path, "--spark", engine.url()) as server:
        env = {**os.environ, "TRAILBOOK_URL": server.url, "TRAILBOOK_TOKEN": TOKEN}
        script = [sys.executable, str(EXAMPLES / "rest_client.py")]
        done = subprocess.run(script, env=env, capture_output=True, text=True, timeout=120)
    assert done.stdout.splitlines() == ["['city', 'people']", "['Bern', 140]", "['Zug', 31]"], done.stderr


def test_the_example_notebook_runs_without_an_error(engine: Engine, tmp_path: Path) -> None:
    from tests.support.server import SETTLED, Api, eventually

    with running_server(tmp_path, "--spark", engine.url(), "--example") as server:
        api = Api(server.url)
        (project,) = api.get("/projects")
        notebook = eventually(
            lambda: api.get(f"/branches/{project['branch']}/head"),
            lambda notebook: all(cell["state"] in SETTLED for cell in notebook["cells"]),
        )
    assert [cell["state"] for cell in notebook["cells"]] == ["done"] * 7
