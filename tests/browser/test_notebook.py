"""What the notebook page does with errors, other people, the keyboard and large data."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Browser, Page, expect

from tests.browser.notebook import NotebookPage


def test_an_error_is_shown_at_the_cell_with_its_line(page: Page) -> None:
    notebook = NotebookPage(page)
    notebook.create_project("Errors")
    notebook.write(notebook.insert("SQL"), "SQL", "SELECT *\nFROM nowhere")
    notebook.expect_state(1, "error")
    expect(notebook.cell(1).get_by_role("alert")).to_contain_text("There is no dataset nowhere")
    notebook.write(notebook.insert("Python"), "Python", "x = 1\nx / 0")
    notebook.expect_state(2, "error")
    expect(notebook.cell(2).get_by_role("alert")).to_contain_text("ZeroDivisionError")
    expect(notebook.cell(2).get_by_role("alert")).to_contain_text("ine 2")


def test_an_endless_loop_is_cancelled_from_the_page(page: Page) -> None:
    notebook = NotebookPage(page)
    notebook.create_project("Endless")
    notebook.write(notebook.insert("Python"), "Python", "while True: pass")
    notebook.expect_state(1, "running")
    notebook.cell(1).get_by_role("button", name="Cancel").click()
    notebook.expect_state(1, "cancelled")


def test_undo_and_redo_by_keyboard(page: Page) -> None:
    notebook = NotebookPage(page)
    notebook.create_project("Keys")
    cell = notebook.insert("SQL")
    notebook.write(cell, "SQL", "SELECT 1 AS x")
    notebook.expect_rows(1, "result", ["1 1"])
    notebook.write(cell, "SQL", "SELECT 2 AS x")
    notebook.expect_rows(1, "result", ["1 2"])
    page.keyboard.press("Escape")
    page.keyboard.press("z")
    notebook.expect_rows(1, "result", ["1 1"])
    page.keyboard.press("Shift+Z")
    notebook.expect_rows(1, "result", ["1 2"])


def test_cells_are_inserted_moved_and_deleted_by_keyboard(page: Page) -> None:
    notebook = NotebookPage(page)
    notebook.create_project("Only keys")
    notebook.write(notebook.insert("Markdown"), "Markdown", "first")
    page.keyboard.press("Escape")
    page.keyboard.press("b")
    expect(notebook.cells()).to_have_count(2)
    page.keyboard.press("Escape")
    page.keyboard.press("d")
    page.keyboard.press("d")
    expect(notebook.cells()).to_have_count(1)
    expect(notebook.cell(1).get_by_text("first")).to_be_visible()


def test_results_are_reached_by_keyboard(page: Page) -> None:
    notebook = NotebookPage(page)
    notebook.create_project("Tab by tab")
    notebook.write(notebook.insert("SQL"), "SQL", "SELECT 1 AS x")
    notebook.expect_rows(1, "result", ["1 1"])
    expect(notebook.insert("Markdown").get_by_label("Markdown text")).to_be_focused()
    page.keyboard.press("Escape")
    expect(notebook.cell(2)).to_be_focused()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Shift+Tab")
    expect(notebook.cell(1).get_by_role("group", name="Rows of result")).to_be_focused()


def test_two_people_see_each_others_edits(page: Page, browser: Browser) -> None:
    notebook = NotebookPage(page)
    notebook.create_project("Together")
    context = browser.new_context(storage_state=page.context.storage_state())
    other = context.new_page()
    other.goto(page.url)
    expect(other.get_by_role("button", name="Run all")).to_be_visible()
    notebook.write(notebook.insert("SQL"), "SQL", "SELECT 42 AS answer")
    NotebookPage(other).expect_state(1, "done")
    NotebookPage(other).expect_rows(1, "result", ["1 42"])
    context.close()


def test_text_that_was_not_run_survives_a_reload(page: Page) -> None:
    notebook = NotebookPage(page)
    notebook.create_project("Drafts")
    cell = notebook.insert("SQL")
    cell.get_by_label("SQL query").click()
    page.keyboard.insert_text("SELECT 'not run yet' AS x")
    expect(cell.get_by_text("edited, not run")).to_be_visible()
    page.reload()
    expect(notebook.cell(1).get_by_label("SQL query")).to_contain_text("not run yet")


def test_html_of_a_cell_cannot_reach_the_app(page: Page) -> None:
    notebook = NotebookPage(page)
    notebook.create_project("Hostile")
    script = (
        "<script>try { parent.document.title = 'owned' } catch (refused) { document.body.append('refused') }</script>"
    )
    hostile = f"<p>shown</p>{script}" + "<!-- long enough to be a file -->" * 4000
    code = f"class H:\n    def _repr_html_(self): return {hostile!r}\nH()"
    notebook.write(notebook.insert("Python"), "Python", code)
    notebook.expect_state(1, "done")
    expect(notebook.cell(1).locator("iframe").content_frame.get_by_text("refused")).to_be_visible()
    frame = notebook.cell(1).locator("iframe")
    assert "allow-same-origin" not in (frame.get_attribute("sandbox") or "")
    assert "owned" not in page.title()


def test_a_million_rows_scroll_by_pages(page: Page) -> None:
    notebook = NotebookPage(page)
    notebook.create_project("Many rows")
    notebook.write(notebook.insert("SQL"), "SQL", "SELECT id, id * 2 AS twice FROM range(1000000) ORDER BY id")
    notebook.expect_state(1, "done")
    dataset = notebook.cell(1).get_by_role("region", name="Dataset result")
    expect(dataset).to_contain_text("1,000,000 rows")
    with page.expect_response(lambda answer: "offset=9" in answer.url and answer.ok):
        dataset.locator(".dvn-scroller").evaluate("element => element.scrollTop = element.scrollHeight * 0.95")


def test_projects_are_renamed_deleted_and_restored(page: Page) -> None:
    notebook = NotebookPage(page)
    notebook.create_project("Short-lived")
    page.get_by_role("link", name="Trailbook, all projects").click()
    page.get_by_role("button", name="Actions for Short-lived").click()
    page.get_by_role("menuitem", name="Delete").click()
    page.get_by_role("alertdialog").or_(page.get_by_role("dialog")).get_by_role("button", name="Delete").click()
    expect(page.get_by_role("button", name="Actions for Short-lived")).to_have_count(0)
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_role("button", name="Actions for Short-lived")).to_be_visible()


def test_the_page_is_usable_on_a_phone(page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    notebook = NotebookPage(page)
    notebook.create_project("Small screen")
    notebook.write(notebook.insert("SQL"), "SQL", "SELECT 1 AS x")
    notebook.expect_rows(1, "result", ["1 1"])
    overflow = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert overflow == 0
    page.get_by_role("button", name="History").click()
    history = page.get_by_role("complementary", name="History")
    history.get_by_text("Insert SQL cell 1").click()
    expect(page.get_by_text("You are looking at version")).to_be_visible()
    expect(history).to_have_count(0)


SHOWING = """
from IPython.display import clear_output
import posix, time
display('gone')
clear_output()
handle = display('one', display_id=True)
while not posix.access({gate!r}, 0): time.sleep(0.02)
handle.update('two')
bars = dict(data=dict(values=[dict(a='x', b=2)]), mark='bar', encoding=dict(x=dict(field='a'), y=dict(field='b')))
display({{'application/vnd.vegalite.v6.json': bars, 'text/plain': 'no bars'}}, raw=True)
display({{'application/vnd.plotly.v1+json': dict(data=[dict(type='bar', y=[1, 2])], layout=dict())}}, raw=True)
display({{'text/latex': r'$\\frac{{1}}{{2}}$', 'text/plain': 'half'}}, raw=True)
display({{'text/html': {hostile!r}}}, raw=True)
"""


HOSTILE = "<p></p><script>try { parent.document.title = 'taken' } catch { document.body.append('refused') }</script>"


def test_what_a_cell_shows_changes_in_place_and_every_kind_is_drawn_and_harmless(page: Page, tmp_path: Path) -> None:
    refused: list[str] = []
    page.on("console", lambda message: refused.append(message.text) if "unsafe-eval" in message.text else None)
    notebook = NotebookPage(page)
    notebook.create_project("Shown")
    gate = tmp_path / "gate"
    cell = notebook.insert("Python")
    notebook.write(cell, "Python", SHOWING.format(gate=str(gate), hostile=HOSTILE))
    outputs = cell.locator(".output-messages")
    expect(outputs).to_have_text("'one'")
    gate.touch()
    expect(outputs.locator(":scope > :first-child")).to_have_text("'two'")
    expect(outputs.locator("svg .mark-rect path")).to_have_count(1)
    expect(outputs.locator(".js-plotly-plot .point")).to_have_count(2)
    expect(outputs.locator("math mfrac")).to_have_count(1)
    expect(outputs.frame_locator("iframe").locator("body")).to_have_text("refused")
    expect(page).not_to_have_title("taken")
    assert refused == []


def test_a_missing_module_is_added_where_it_is_missed_and_taken_away_in_the_panel(page: Page) -> None:
    notebook = NotebookPage(page)
    notebook.create_project("Missing")
    notebook.write(notebook.insert("Python"), "Python", "import trail_tiny\nx = trail_tiny.SIZE")
    notebook.expect_state(1, "error")
    notebook.cell(1).get_by_role("button", name="Add trail-tiny to the packages").click()
    expect(notebook.cell(1).get_by_role("group", name="Names").get_by_role("listitem")).to_have_text(["xint7"])
    page.get_by_role("button", name="Packages").click()
    panel = page.get_by_role("complementary", name="Packages")
    expect(panel.get_by_role("listitem")).to_have_text(["trail-tiny1.0"])
    expect(panel).to_contain_text("Installed for Python")
    panel.get_by_label("Package to add").fill("no-such-package")
    page.keyboard.press("Enter")
    expect(panel.get_by_role("alert")).to_contain_text("no-such-package was not found")
    panel.get_by_role("button", name="Remove trail-tiny").click()
    expect(panel).to_contain_text("None yet")
    notebook.expect_state(1, "error")
