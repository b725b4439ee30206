"""A messy file is looked at, corrected, loaded, and doubted where it is messy."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page, expect

from tests.browser.notebook import NotebookPage

MESSY = "id/amount/day\n1/12,50/2024-01-02\n2/n.v./2024-01-03\n3/7,25/soon\n4/8,75\n"
TIDY = "id/amount/day\n1/12,50/2024-01-02\n2/3,50/2024-01-03\n"


def test_a_messy_file_is_looked_at_corrected_and_loaded(page: Page, tmp_path: Path) -> None:
    file = tmp_path / "orders.csv"
    file.write_text(MESSY)
    notebook = NotebookPage(page)
    notebook.create_project("Messy")
    page.get_by_label("File to upload").set_input_files(file)
    cell = notebook.cell(1)
    first_rows = cell.get_by_role("group", name="First rows")
    expect(first_rows.get_by_text("2/n.v./2024-01-03")).to_be_visible()

    cell.get_by_label("Delimiter").select_option("other…")
    cell.get_by_label("Delimiter").fill("/")
    expect(cell.get_by_label("Header")).to_have_value("")
    cell.get_by_label("Header").select_option("yes")
    expect(first_rows.get_by_role("columnheader")).to_have_count(4)
    cell.get_by_label("Type of amount").select_option("decimal")
    cell.get_by_label("Type of day").select_option("date")
    bad = first_rows.get_by_role("button", name="null in doubt")
    expect(bad).to_have_count(3)
    bad.first.click()
    expect(cell.get_by_text("amount: 'n.v.' is not a decimal(18,2)")).to_be_visible()
    cell.get_by_text("1 row in doubt").click()
    expect(cell.get_by_text("line 5, byte 63: 2 values instead of 3")).to_be_visible()

    cell.get_by_label("Dataset name").press("Enter")
    notebook.expect_state(1, "done")
    expect(cell.get_by_text("orders.csv")).to_be_visible()
    expect(cell.get_by_text("· CSV; /; header")).to_be_visible()
    expect(cell.get_by_text("· 4 rows").first).to_be_visible()
    expect(notebook.rows(1, "orders")).to_have_text(
        [
            "1112.502024-01-02",
            "22null in doubt2024-01-03",
            "337.25null in doubt",
            "4 in doubt4 in doubt8.75 in doubtnull in doubt",
        ]
    )
    notebook.rows(1, "orders").get_by_role("button", name="null in doubt").first.click()
    caveats = page.get_by_role("complementary", name="Caveats")
    expect(caveats.get_by_text("'n.v.' is not a decimal(18,2)")).to_be_visible()

    file.write_text(TIDY)
    notebook.upload(cell, file)
    notebook.expect_rows(1, "orders", ["1 1 12.50 2024-01-02", "2 2 3.50 2024-01-03"])


def test_a_file_on_the_server_is_found_and_one_that_can_not_be_read_says_why(page: Page, tmp_path: Path) -> None:
    table, picture = tmp_path / "people.csv", tmp_path / "picture.csv"
    table.write_text("name,age\nAnn,31\nBob,29\n")
    picture.write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 20)
    notebook = NotebookPage(page)
    notebook.create_project("Paths")
    cell = notebook.insert("Load")
    cell.get_by_role("tab", name="Path on the server").click()
    path = cell.get_by_label("Path of the file")
    path.fill(str(picture))
    path.press("Enter")
    expect(cell.get_by_role("alert")).to_contain_text("is no text")
    path.fill(str(table))
    cell.get_by_role("button", name="Preview").click()
    expect(cell.get_by_role("group", name="First rows").get_by_text("Ann")).to_be_visible()
    cell.get_by_role("button", name="Load", exact=True).click()
    notebook.expect_rows(1, "people", ["1 Ann 31", "2 Bob 29"])
    expect(cell.get_by_role("button", name="Reload")).to_be_visible()
