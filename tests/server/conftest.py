"""One real server for the tests of its interface."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.support.server import TOKEN, Api, Notebook, Server, browser, running_server


@pytest.fixture(scope="session")
def exports(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that Export cells may write to."""
    return tmp_path_factory.mktemp("exports")


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory, exports: Path) -> Iterator[Server]:
    flags = ("--package-urls", "--export-folders", str(exports))
    with running_server(tmp_path_factory.mktemp("server"), *flags) as server:
        yield server


@pytest.fixture(scope="session")
def api(server: Server) -> Iterator[Api]:
    api = Api(server.url)
    yield api
    api.close()


@pytest.fixture
def notebook(api: Api) -> Notebook:
    return api.project()


@pytest.fixture
def stranger(server: Server) -> Iterator[httpx.Client]:
    with browser(server.url) as client:
        yield client


@pytest.fixture
def guest(server: Server) -> Iterator[httpx.Client]:
    """A browser that has opened the printed URL."""
    with browser(server.url, Origin=server.url) as client:
        client.get("/", params={"token": TOKEN})
        yield client
