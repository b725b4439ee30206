"""A real Chromium in front of a real server."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.support.server import TOKEN, Server, running_server
from tests.support.wheels import write_wheel
from trailbook.engine import Engine

PATIENCE_MS = 60_000
QUIET = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    assert chromium, "There is no Chromium. `make test` installs Debian's, or says what to install."
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=list(QUIET))
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def exports(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that Export cells may write to."""
    return tmp_path_factory.mktemp("exports")


@pytest.fixture(scope="session")
def app(engine: Engine, tmp_path_factory: pytest.TempPathFactory, exports: Path) -> Iterator[Server]:
    """A server that shares the tests' Spark, so that nobody waits for a second one to start.

    The only package that can be had is `trail-tiny`.
    """
    wheels = tmp_path_factory.mktemp("wheels")
    write_wheel(wheels, "trail_tiny", "1.0", "SIZE = 7")
    packages = {"UV_NO_INDEX": "1", "UV_FIND_LINKS": str(wheels)}
    readable = str(tmp_path_factory.getbasetemp())
    flags = ("--spark", engine.url(), "--folders", readable, "--export-folders", str(exports))
    with running_server(tmp_path_factory.mktemp("app"), *flags, env=packages) as server:
        yield server


@pytest.fixture
def page(browser: Browser, app: Server) -> Iterator[Page]:
    """A page of a browser that has just opened the URL that the server printed."""
    expect.set_options(timeout=PATIENCE_MS)
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    context.set_default_timeout(PATIENCE_MS)
    page = context.new_page()
    problems: list[str] = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.goto(f"{app.url}/?token={TOKEN}")
    yield page
    context.close()
    assert problems == []
