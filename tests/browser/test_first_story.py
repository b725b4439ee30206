"""The first story, clicked through: from an empty app to a version reopened by its URL."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page, expect

from tests.browser.notebook import NotebookPage

QUERY = "SELECT city, sum(people) AS people FROM cities GROUP BY city ORDER BY city"


def test_upload_query_compute_edit_and_go_back(page: Page, tmp_path: Path) -> None:
    first, second = tmp_path / "cities.csv", tmp_path / "new.csv"
    first.write_text("city,people\nBern,134\nZug,31\nBern,6\n")
    second.write_text("city,people\nBern,1\nZug,2\n")
    notebook = NotebookPage(page)

    notebook.create_project("First story")
    load = notebook.insert("Load")
    notebook.load(load, first)
    notebook.expect_state(1, "done")
    notebook.expect_rows(1, "cities", ["1 Bern 134", "2 Zug 31", "3 Bern 6"])

    notebook.write(notebook.insert("SQL"), "SQL", QUERY)
    notebook.expect_state(2, "done")
    notebook.expect_rows(2, "result", ["1 Bern 140", "2 Zug 31"])

    notebook.write(
        notebook.insert("Python"), "Python", "result['people'] *= 10\ntimes_ten = result\nprint('rows:', len(result))"
    )
    notebook.expect_state(3, "done")
    expect(notebook.cell(3).get_by_text("rows: 2")).to_be_visible()
    notebook.expect_rows(3, "times_ten", ["1 Bern 1400", "2 Zug 310"])

    notebook.write(notebook.insert("Markdown"), "Markdown", "# What it *means*")
    expect(notebook.cell(4).get_by_role("heading", name="What it means")).to_be_visible()

    head = page.get_by_role("button", name="History")
    head.click()
    history = page.get_by_role("complementary", name="History")
    expect(history.get_by_text("Insert Markdown cell 4")).to_be_visible()
    history.get_by_text("Change Python cell 3").click()
    expect(page.get_by_text("You are looking at version")).to_be_visible()
    old = page.url
    page.get_by_text("Go to head").click()

    notebook.upload(notebook.cell(1), second)
    notebook.expect_rows(3, "times_ten", ["1 Bern 10", "2 Zug 20"])

    page.goto(old)
    expect(page.get_by_text("You are looking at version")).to_be_visible()
    notebook.expect_rows(3, "times_ten", ["1 Bern 1400", "2 Zug 310"])
