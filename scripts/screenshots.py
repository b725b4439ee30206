"""Takes the pictures in docs/pictures: the example notebook, a large dataset and doubts, in a real browser."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, Page, Position, sync_playwright

from tests.support.server import SETTLED, TOKEN, Api, Notebook, Server, eventually, running_server

PICTURES = Path(__file__).parent.parent / "docs" / "pictures"
DESKTOP = (1440, 900)
PHONE = (390, 844)
SECOND_SCREEN = 1150
QUERY = """SELECT id, date_add(DATE'2021-01-01', cast(id % 1461 AS int)) AS day, id * 7919 % 90001 / 100 AS amount,
       concat('customer ', id % 977) AS customer
FROM (SELECT thousands.id * 1000 + ones.id AS id FROM range(1000) AS thousands CROSS JOIN range(1000) AS ones)
ORDER BY id"""
ORDERS = """import pandas as pd

orders = pd.DataFrame({
    "id": [1, 2, 3, 4, 5, 6],
    "region": ["North", "North", "South", "South", "West", "West"],
    "amount": ["30", "12O", "7", "25", "n/a", "48"],
})"""
DOUBTS = {
    "sales": "SELECT id, region, cast(amount AS int) AS amount FROM orders",
    "totals": "SELECT region, sum(amount) AS total, count(*) AS orders FROM sales GROUP BY region ORDER BY region",
    "large": "SELECT id, region, amount FROM sales WHERE amount > 20 ORDER BY id",
}
GOOD = [f"{n};customer {n % 7};{n * 37 % 90},{n % 10}5;{n % 28 + 1:02d}/03/2024;West" for n in range(1, 95)]
BAD = ["95;customer 5;n/a;06/03/2024;South", "96;customer 6;42,65"]
SALES = "\n".join(["order;customer;amount;day;region", *GOOD[:4], *BAD, *GOOD[4:]]).encode()
MARKED_TOTAL: Position = {"x": 130, "y": 58}


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


def doubtful_notebook(api: Api) -> Notebook:
    """Two amounts that can't be read, and what rests on them."""
    notebook = api.project("Orders by region")
    notebook.add("python", code=ORDERS)
    for name, query in DOUBTS.items():
        notebook.add("sql", name=name, query=query)
    wait_until_done(api, notebook.branch)
    return notebook


def take_pictures_of_doubts(browser: Browser, server: Server, notebook: Notebook) -> None:
    path = f"/projects/{notebook.project}/branches/{notebook.branch}"
    page = open_page(browser, server, path, "light", DESKTOP)
    totals = page.get_by_role("region", name="Dataset totals")
    totals.scroll_into_view_if_needed()
    totals.locator(".data-grid").click(position=MARKED_TOTAL)
    page.get_by_role("button", name="Acknowledge").wait_for()
    shoot(page, "caveats")
    page = open_page(browser, server, path, "dark", DESKTOP)
    page.get_by_role("button", name="left out in doubt").click()
    page.wait_for_timeout(1000)
    shoot(page, "left-out")


def take_picture_of_preview(browser: Browser, server: Server, notebook: Notebook) -> None:
    """A file that nobody has loaded yet."""
    page = open_page(browser, server, f"/projects/{notebook.project}/branches/{notebook.branch}", "light", DESKTOP)
    file = {"name": "sales.csv", "mimeType": "text/csv", "buffer": SALES}
    page.get_by_label("File to upload").set_input_files(file)  # type: ignore[arg-type]
    page.get_by_role("button", name="null in doubt").first.click()
    page.get_by_text("row in doubt").click()
    page.wait_for_timeout(500)
    shoot(page, "preview")


def take_picture_of_graph(browser: Browser, server: Server, path: str) -> None:
    page = open_page(browser, server, path, "light", DESKTOP)
    page.get_by_role("button", name="Graph of cells").click()
    page.get_by_role("button", name="Cell 2").focus()
    page.wait_for_timeout(500)
    shoot(page, "graph")


def take_pictures(browser: Browser, server: Server) -> None:
    api = Api(server.url)
    (example,) = api.get("/projects")
    large = api.project("A million rows")
    large.add("sql", query=QUERY, name="orders")
    doubtful = doubtful_notebook(api)
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
    take_picture_of_graph(browser, server, notebook)
    shoot(open_page(browser, server, f"/projects/{large.project}/branches/{large.branch}", "dark", DESKTOP), "grid")
    take_pictures_of_doubts(browser, server, doubtful)
    take_picture_of_preview(browser, server, api.project("Sales"))


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
