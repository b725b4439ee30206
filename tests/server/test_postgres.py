"""A server on PostgreSQL keeps what one on SQLite keeps."""

from __future__ import annotations

from tests.support.server import Api, Notebook, running_server
from trailbook.engine import Engine
from trailbook.settings import Settings


def test_a_notebook_on_postgresql_runs_is_undone_and_survives_a_kill(
    postgres_settings: Settings, engine: Engine
) -> None:
    flags = ("--spark", engine.url(), "--database", postgres_settings.database)
    with running_server(postgres_settings.data, *flags) as server:
        notebook = Api(server.url).project()
        handle = notebook.add("sql", query="SELECT 1 AS x")
        assert notebook.result(handle) == [[1]]
        notebook.update(handle, query="SELECT 2 AS x")
        assert notebook.result(handle) == [[2]]
        head = notebook.head()["ref"]["number"]
        notebook.api.post(f"/branches/{notebook.branch}/undo", {"head": head})
        server.kill()
    with running_server(postgres_settings.data, *flags) as server:
        notebook = Notebook(Api(server.url), notebook.project, notebook.branch)
        assert notebook.result(handle) == [[1]]
        redone = notebook.api.post(f"/branches/{notebook.branch}/redo", {"head": notebook.head()["ref"]["number"]})
        assert redone["cells"][0]["state"] == "done"
        assert notebook.result(handle) == [[2]]
