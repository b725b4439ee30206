"""A value that can't be read, followed from cell to cell, accepted and taken back."""

from __future__ import annotations

from playwright.sync_api import Locator, Page, expect

from tests.browser.notebook import NotebookPage
from tests.support.server import Api, Server

RAW = """import pandas as pd

raw = pd.DataFrame(
    {"id": [1, 2, 3, 4], "region": ["North", "North", "South", "South"], "amount": ["30", "12O", "7", "25"]}
)"""
SALES = "SELECT id, region, cast(amount AS int) AS amount FROM raw"
TOTALS = "SELECT region, sum(amount) AS total FROM sales GROUP BY region ORDER BY region"
LARGE = "SELECT id, region FROM sales WHERE amount > 10 ORDER BY id"
REASON = "'12O' is not an int"
DOUBT = " in doubt"
LEFT_OUT = "1 row left out in doubt"
NOTE = "It was 120, says the shop."


def make_notebook(page: Page, app: Server) -> NotebookPage:
    """A notebook whose second cell reads a text that is no number; two others build on that."""
    made = Api(app.url).project("Doubts")
    made.add("python", code=RAW)
    for name, query in {"sales": SALES, "totals": TOTALS, "large": LARGE}.items():
        made.add("sql", name=name, query=query)
    page.goto(f"{app.url}/projects/{made.project}/branches/{made.branch}")
    notebook = NotebookPage(page)
    notebook.expect_state(4, "done")
    return notebook


def dataset(page: Page, name: str) -> Locator:
    return page.get_by_role("region", name=f"Dataset {name}")


def panel(page: Page) -> Locator:
    return page.get_by_role("complementary", name="Caveats")


def expect_marks(notebook: NotebookPage) -> None:
    page = notebook.page
    expect(notebook.rows(2, "sales")).to_have_text(["11North30", f"22Northnull{DOUBT}", "33South7", "44South25"])
    expect(notebook.rows(3, "totals")).to_have_text([f"1North30{DOUBT}", "2South32"])
    notebook.expect_rows(4, "large", ["1 1 North", "2 4 South"])
    expect(dataset(page, "totals").get_by_role("button", name="1 value in doubt")).to_be_visible()
    expect(dataset(page, "large").get_by_role("button", name=LEFT_OUT)).to_be_visible()


def expect_no_marks(notebook: NotebookPage) -> None:
    notebook.expect_rows(2, "sales", ["1 1 North 30", "2 2 North null", "3 3 South 7", "4 4 South 25"])
    notebook.expect_rows(3, "totals", ["1 North 30", "2 South 32"])
    expect(notebook.page.get_by_role("button", name="in doubt")).to_have_count(0)


def test_a_doubt_is_followed_accepted_and_taken_back(page: Page, app: Server) -> None:
    notebook = make_notebook(page, app)
    expect_marks(notebook)

    dataset(page, "totals").get_by_role("button", name=f"30{DOUBT}").click()
    caveats = panel(page)
    expect(caveats.get_by_role("heading", name="total in row 1 of totals")).to_be_visible()
    expect(caveats.get_by_text(REASON)).to_be_visible()
    expect(caveats.get_by_text("row 2 of raw")).to_be_visible()
    expect(caveats.get_by_role("button", name="cell 2 · SQL")).to_be_visible()

    caveats.get_by_role("button", name="Acknowledge").click()
    page.keyboard.insert_text(NOTE)
    page.keyboard.press("Enter")
    expect(caveats.get_by_text("Nothing here is in doubt.")).to_be_visible()
    expect(caveats.get_by_text(REASON)).to_be_visible()
    expect(caveats.get_by_text(NOTE)).to_be_visible()
    expect_no_marks(notebook)

    caveats.get_by_role("button", name="Take back").click()
    expect_marks(notebook)
    expect(caveats.get_by_role("button", name="Acknowledge")).to_be_visible()
    page.get_by_role("button", name="Undo").click()
    expect_no_marks(notebook)
    expect(caveats.get_by_text(NOTE)).to_be_visible()


def test_rows_left_out_in_doubt_are_shown_with_the_reason(page: Page, app: Server) -> None:
    notebook = make_notebook(page, app)
    notebook.rows(4, "large")
    dataset(page, "large").get_by_role("button", name=LEFT_OUT).click()
    dialog = page.get_by_role("dialog", name="Rows left out of large")
    expect(dialog.locator("tbody tr")).to_have_text(["12North"])
    dialog.get_by_role("button", name="Why are they left out?").click()
    expect(panel(page).get_by_role("heading", name="Rows left out of large")).to_be_visible()
    expect(panel(page).get_by_text(REASON)).to_be_visible()


def test_the_grid_is_asked_by_click_and_by_key(page: Page, app: Server) -> None:
    make_notebook(page, app)
    totals = dataset(page, "totals").locator(".data-grid")
    totals.scroll_into_view_if_needed()
    totals.click(position={"x": 130, "y": 58})
    expect(panel(page).get_by_role("heading", name="total in row 1 of totals")).to_be_visible()
    page.keyboard.press("Escape")
    expect(panel(page)).to_have_count(0)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("w")
    expect(panel(page).get_by_role("heading", name="total in row 2 of totals")).to_be_visible()
    expect(panel(page).get_by_text("Nothing here is in doubt.")).to_be_visible()
    page.keyboard.press("c")
    expect(panel(page).get_by_role("heading", name="Caveats of totals")).to_be_visible()
    expect(panel(page).get_by_text(REASON)).to_be_visible()


def test_the_next_row_in_doubt_is_a_key_away_however_far(page: Page, app: Server) -> None:
    made = Api(app.url).project("Far")
    query = "SELECT id, try_cast(if(id IN (12, 4000, 29000), 'x', '1') AS int) AS n FROM range(30000)"
    made.settled(made.add("sql", name="far", query=query))
    page.goto(f"{app.url}/projects/{made.project}/branches/{made.branch}")
    far = dataset(page, "far")
    expect(far.get_by_role("button", name="3 values in doubt")).to_be_visible()
    there = far.get_by_role("status")
    far.get_by_role("button", name="Next row in doubt").click()
    expect(there).to_have_text("Row 13 is in doubt")
    page.keyboard.press("w")
    expect(panel(page).get_by_role("heading", name="n in row 13 of far")).to_be_visible()
    page.keyboard.press("Escape")
    for row in ("4,001", "29,001"):
        page.keyboard.press("Alt+ArrowDown")
        expect(there).to_have_text(f"Row {row} is in doubt")
    page.keyboard.press("Alt+ArrowDown")
    expect(page.get_by_text("No row below is in doubt.", exact=True)).to_be_visible()
    page.keyboard.press("w")
    expect(panel(page).get_by_role("heading", name="n in row 29,001 of far")).to_be_visible()
    far.get_by_role("button", name="Table", exact=True).click()
    far.get_by_role("button", name="Previous row in doubt").click()
    expect(far.locator("tr.is-gone-to")).to_have_text("4,0014000null in doubt")
