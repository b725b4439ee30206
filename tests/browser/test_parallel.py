"""What the notebook page shows of cells that run side by side, and how it steers them."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import Locator, Page, expect

from tests.browser.notebook import NotebookPage


def gated(gate: Path, code: str) -> str:
    """Code that goes on once there is a file."""
    return f"import posix, time\nwhile not posix.access({str(gate)!r}, 0): time.sleep(0.02)\n{code}"


def notebook_of(page: Page, name: str, *codes: str) -> NotebookPage:
    notebook = NotebookPage(page)
    notebook.create_project(name)
    for code in codes:
        notebook.write(notebook.insert("Python"), "Python", code)
    return notebook


def values(notebook: NotebookPage, number: int) -> Locator:
    """The values under a cell, a line each."""
    return notebook.cell(number).get_by_role("group", name="Names").get_by_role("listitem")


def choose(notebook: NotebookPage, number: int) -> None:
    """Select a cell for keys that are commands."""
    notebook.cell(number).locator(".cell-number").click()


def test_a_frozen_cell_keeps_its_result_until_it_is_thawed(page: Page) -> None:
    notebook = notebook_of(page, "Frozen", "x = 1", "y = x * 10")
    expect(values(notebook, 2)).to_have_text(["yint10"])
    choose(notebook, 2)
    page.keyboard.press("f")
    expect(notebook.cell(2).get_by_text("frozen", exact=True)).to_be_visible()
    notebook.write(notebook.cell(1), "Python", "x = 2")
    expect(notebook.cell(2)).to_contain_text("frozen: keeps an older result")
    expect(values(notebook, 1)).to_have_text(["xint2"])
    expect(values(notebook, 2)).to_have_text(["yint10"])
    notebook.cell(2).get_by_role("button", name="Frozen: thaw and run").click()
    expect(values(notebook, 2)).to_have_text(["yint20"])


def test_freezing_all_below_is_one_step_and_so_is_thawing_all(page: Page) -> None:
    notebook = notebook_of(page, "Winter", "x = 1", "y = 2", "z = 3")
    notebook.expect_state(3, "done")
    choose(notebook, 2)
    page.keyboard.press("Shift+F")
    expect(page.get_by_role("button", name="Frozen: thaw and run")).to_have_count(2)
    page.get_by_role("button", name="Other ways to run").click()
    page.get_by_role("menuitem", name="Thaw all frozen cells").click()
    expect(page.get_by_role("button", name="Frozen: thaw and run")).to_have_count(0)


def test_two_cells_run_at_once_and_a_third_says_what_it_waits_for(page: Page, tmp_path: Path) -> None:
    gate = tmp_path / "gate"
    notebook = notebook_of(page, "Side by side", gated(gate, "a = 1"), gated(gate, "b = 2"), "c = a + b")
    notebook.expect_state(1, "running")
    notebook.expect_state(2, "running")
    expect(notebook.cell(3)).to_contain_text(re.compile("waits for cell [12]"))
    expect(page.get_by_text("2 running, 1 waiting")).to_be_visible()
    gate.touch()
    expect(values(notebook, 3)).to_have_text(["cint3"])
    expect(page.get_by_role("button", name="Run all")).to_be_visible()


def test_a_cell_runs_with_what_it_needs_and_nothing_else(page: Page, tmp_path: Path) -> None:
    gate = tmp_path / "gate"
    notebook = notebook_of(page, "Only that", gated(gate, "g = 1"), "a = g + 1", "z = g + 2", "b = a + 1")
    expect(notebook.cell(4)).to_contain_text("waits for cell 2")
    page.keyboard.press("Control+.")
    notebook.expect_state(1, "cancelled")
    gate.touch()
    notebook.cell(1).get_by_role("button", name="Run cell").click()
    notebook.expect_state(1, "done")
    notebook.expect_state(2, "stale")
    notebook.cell(4).get_by_role("button", name="Run cell").click()
    expect(values(notebook, 4)).to_have_text(["bint3"])
    notebook.expect_state(2, "done")
    notebook.expect_state(3, "stale")


def test_values_have_a_line_each_and_imports_one_for_all(page: Page) -> None:
    lines = (
        "import math, random",
        "random.seed(1)",
        "x = [1, 2]",
        "def area(r): return math.pi",
        "lazy = (i for i in x)",
    )
    notebook = notebook_of(page, "Values", "\n".join(lines))
    expect(values(notebook, 1).nth(0)).to_contain_text("lives in one cell only")
    expect(values(notebook, 1).nth(1)).to_have_text("xlist[1, 2]")
    names = notebook.cell(1).get_by_role("group", name="Names")
    expect(names).to_contain_text("imports math, random · functions area · changes the random state")


def test_variables_are_found_and_lead_to_their_cell(page: Page) -> None:
    notebook = notebook_of(page, "Variables", "x = [1, 2]", "y = 'text'")
    notebook.expect_state(2, "done")
    choose(notebook, 2)
    page.keyboard.press("v")
    panel = page.get_by_role("complementary", name="Variables")
    expect(panel.get_by_role("listitem")).to_have_count(2)
    panel.get_by_label("Find a variable").fill("list")
    panel.get_by_role("button", name="x").click()
    expect(notebook.cell(1)).to_be_focused()


def test_what_an_edit_costs_is_told_before_it_runs(page: Page) -> None:
    notebook = notebook_of(page, "Costs", "x = 1", "import time\ntime.sleep(5.1)\ny = x")
    expect(values(notebook, 2)).to_have_text(["yint1"])
    notebook.cell(1).get_by_label("Python code").click()
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.insert_text("x = 1 + 1")
    expect(notebook.cell(1).get_by_text("Will run cells 1 and 2: 5")).to_be_visible()
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.insert_text("x = 1")
    expect(notebook.cell(1).get_by_text("Will run")).to_have_count(0)


def test_the_graph_shows_what_passes_between_cells_and_leads_to_them(page: Page) -> None:
    notebook = notebook_of(page, "Graph", "x = 1", "y = 2", "z = x + y")
    notebook.expect_state(3, "done")
    choose(notebook, 1)
    page.keyboard.press("g")
    graph = page.get_by_role("dialog", name="Graph of cells")
    expect(graph).to_contain_text("3 cells · depth 2 · parallelism 1.5")
    expect(graph.get_by_role("button", name="Cell 1")).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(graph).to_have_count(0)
    expect(notebook.cell(3)).to_be_focused()


def test_what_an_edit_invalidates_is_labelled_at_once_and_what_waits_can_be_called_off(
    page: Page, tmp_path: Path
) -> None:
    gate = tmp_path / "gate"
    notebook = notebook_of(page, "Called off", "a = 1", "b = a + 1", "c = b + 1")
    expect(values(notebook, 3)).to_have_text(["cint3"])
    notebook.write(notebook.cell(1), "Python", gated(gate, "a = 2"))
    expect(notebook.cell(3).get_by_role("group", name="Names")).to_contain_text("from an earlier run")
    notebook.cell(3).get_by_role("button", name="Cancel cell").click()
    notebook.expect_state(3, "cancelled")
    gate.touch()
    expect(values(notebook, 2)).to_have_text(["bint3"])
    notebook.expect_state(3, "cancelled")
