"""Cells that a crash cut off run again by themselves; those that had finished do not."""

from __future__ import annotations

from pathlib import Path

from tests.support.server import NO_ENGINE, Api, Notebook, eventually, running_server
from trailbook.cli.main import main

SLOW = """
import os, time
open({started!r}, "a").write("x")
while not os.path.exists({go!r}): time.sleep(0.05)
print(x)
"""


def test_cells_that_were_running_run_again_after_a_crash_and_finished_ones_do_not(tmp_path: Path) -> None:
    started, go = tmp_path / "started", tmp_path / "go"
    with running_server(tmp_path / "data", *NO_ENGINE) as server:
        notebook = Api(server.url).project()
        done = notebook.add("python", code="x = 1")
        slow = notebook.add("python", code=SLOW.format(started=str(started), go=str(go)))
        before = notebook.settled(done)["run"]["id"]
        eventually(started.exists, bool)
        server.kill()
    # Whatever else opens the store before, the server goes on.
    assert main(["export", notebook.project, "-o", str(tmp_path / "out.py"), "--data", str(tmp_path / "data")]) == 0
    with running_server(tmp_path / "data", *NO_ENGINE) as server:
        again = Notebook(Api(server.url), notebook.project, notebook.branch)
        eventually(started.read_text, lambda text: text == "xx")
        go.touch()
        assert again.settled(slow)["state"] == "done"
        assert again.settled(done)["run"]["id"] == before


def test_a_branch_in_which_nothing_ran_runs_nothing_after_a_crash(tmp_path: Path) -> None:
    started, go = tmp_path / "started", tmp_path / "go"
    with running_server(tmp_path / "data", *NO_ENGINE) as server:
        notebook = Api(server.url).project()
        slow = notebook.add("python", code="x = 1" + SLOW.format(started=str(started), go=str(go)))
        eventually(started.exists, bool)
        source = {"branch": notebook.branch, "number": 2}
        copy = notebook.api.post(f"/projects/{notebook.project}/branches", {"name": "copy", "source": source})["id"]
        server.kill()
    go.touch()
    with running_server(tmp_path / "data", *NO_ENGINE) as server:
        api = Api(server.url)
        assert Notebook(api, notebook.project, notebook.branch).settled(slow)["state"] == "done"
        assert Notebook(api, notebook.project, copy).cell(slow)["state"] == "stale"
