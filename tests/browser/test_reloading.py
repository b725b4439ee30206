"""Somebody loads a file once more, and sees what changed."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page, expect

from tests.browser.notebook import NotebookPage


def test_a_reload_shows_which_rows_changed(page: Page, tmp_path: Path) -> None:
    file = tmp_path / "people.csv"
    file.write_text("name,city,age\nAnn,Bonn,31\nBob,Kiel,29\nCy,Ulm,45\n")
    notebook = NotebookPage(page)
    notebook.create_project("Reloading")
    cell = notebook.insert("Load")
    cell.get_by_role("tab", name="Path on the server").click()
    cell.get_by_label("Path of the file").fill(str(file))
    cell.get_by_role("button", name="Preview").click()
    cell.get_by_role("button", name="Load", exact=True).click()
    notebook.expect_rows(1, "people", ["1 Ann Bonn 31", "2 Bob Kiel 29", "3 Cy Ulm 45"])

    file.write_text("name,city,age\nDi,Trier,50\nCy,Ulm,45\nAnn,Bonn,32\n")
    cell.get_by_role("button", name="Reload").click()
    changed = cell.get_by_role("region", name="What changed")
    expect(changed).to_contain_text("Reloaded: 1 row added, 1 removed, 1 altered (age 1), 1 as before.")
    changed.get_by_role("button", name="1 altered").click()
    rows = changed.get_by_role("group", name="Rows that were altered").get_by_role("row")
    expect(rows).to_have_text(["#namecityage", "3AnnBonn31 → 32"])
    expect(rows.locator("del")).to_have_text("31")
    changed.get_by_role("button", name="1 removed").click()
    gone = changed.get_by_role("group", name="Rows that were removed").get_by_role("row")
    expect(gone).to_have_text(["#namecityage", "2BobKiel29"])
