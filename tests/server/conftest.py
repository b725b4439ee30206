"""One real server for the tests of its interface."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.support.server import Api, Notebook, Server, running_server


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with running_server(tmp_path_factory.mktemp("server")) as server:
        yield server


@pytest.fixture(scope="session")
def api(server: Server) -> Iterator[Api]:
    api = Api(server.url)
    yield api
    api.close()


@pytest.fixture
def notebook(api: Api) -> Notebook:
    return api.project()
