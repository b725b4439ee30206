"""Takes the pictures in docs/pictures: the example notebook and a large dataset, in a real browser."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from tests.support.server import SETTLED, TOKEN, Api, Server, eventually, running_server

PICTURES = Path(__file__).parent.parent / "docs" / "pictures"
DESKTOP = (1440, 900)
PHONE = (390, 844)
SECOND_SCREEN = 1150
QUERY = (
    "SELECT id, date_add(DATE'2021-01-01', cast(id % 1461 AS int)) AS day, round(rand(7) * 900, 2) AS amount,\n"
    "       concat('customer ', id % 977) AS customer\nFROM range(1000000)\nORDER BY id"
)


def open_page(browser: Browser, server: Server, path: str, scheme: str, size: tuple[int, int]) -> Page:
    width, height = size
    context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme)  # type: ignore[arg-type]
    page = context.new_page()
    page.goto(f"{server.url}{path}?token={TOKEN}")
    page.mouse.move(30, height / 2)
    page.wait_for_load_state("networkidle")
    page.wait_for_timeout(1500)
    return page


def shoot(page: Page, name: str) -> None:
    page.screenshot(path=PICTURES / f"{name}.png")
    print(f"docs/pictures/{name}.png")


def wait_until_done(api: Api, branch: str) -> None:
    eventually(
        lambda: api.get(f"/branches/{branch}/head"),
        lambda notebook: all(cell["state"] in SETTLED for cell in notebook["cells"]),
    )


def take_pictures(browser: Browser, server: Server) -> None:
    api = Api(server.url)
    (example,) = api.get("/projects")
    large = api.project("A million rows")
    large.add("sql", query=QUERY, name="orders")
    wait_until_done(api, example["branch"])
    wait_until_done(api, large.branch)
    notebook = f"/projects/{example['id']}/branches/{example['branch']}"
    shoot(open_page(browser, server, "/", "light", DESKTOP), "projects")
    page = open_page(browser, server, notebook, "light", DESKTOP)
    shoot(page, "notebook")
    page.mouse.wheel(0, SECOND_SCREEN)
    page.wait_for_timeout(1000)
    shoot(page, "cells")
    page.get_by_role("button", name="History").click()
    page.wait_for_timeout(500)
    shoot(page, "history")
    shoot(open_page(browser, server, notebook, "light", PHONE), "phone")
    shoot(open_page(browser, server, f"/projects/{large.project}/branches/{large.branch}", "dark", DESKTOP), "grid")


def main() -> None:
    PICTURES.mkdir(parents=True, exist_ok=True)
    chromium = shutil.which("chromium")
    with (
        tempfile.TemporaryDirectory() as data,
        running_server(Path(data), "--example", "--person", "ada") as server,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        take_pictures(browser, server)
        browser.close()


if __name__ == "__main__":
    main()
