"""Datasets leave a notebook: as a download, by a cell that writes them, and published for another project."""

from __future__ import annotations

import csv
import os
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.notebook import NotebookPage
from tests.support.server import Server

QUERY = "SELECT id, caveat_if(id * 10, id = 1, 'odd') AS x, '=1+1' AS t FROM range({rows})"


@pytest.fixture
def notebook(page: Page) -> NotebookPage:
    return NotebookPage(page)


def start(notebook: NotebookPage, project: str, rows: int = 2) -> None:
    notebook.create_project(project)
    notebook.write(notebook.insert("SQL"), "SQL", QUERY.format(rows=rows))
    notebook.expect_state(1, "done")


def test_a_dataset_is_downloaded_with_the_options_of_its_form(notebook: NotebookPage, tmp_path: Path) -> None:
    page = notebook.page
    start(notebook, "Downloads")
    notebook.cell(1).get_by_role("button", name="More actions for result").click()
    page.get_by_role("menuitem", name="Export…").click()
    dialog = page.get_by_role("dialog", name="Export result")
    dialog.get_by_label("Delimiter").fill(";")
    dialog.get_by_label("Marks").select_option("all")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    with page.expect_download() as download:
        dialog.get_by_role("button", name="Download").click()
    assert len([url for url in asked if "/export/csv" in url]) == 1
    assert download.value.suggested_filename == "result.csv"
    download.value.save_as(tmp_path / "result.csv")
    with (tmp_path / "result.csv").open() as file:
        rows = list(csv.reader(file, delimiter=";"))
    assert rows[0] == ["id", "x", "t", "id_in_doubt", "x_in_doubt", "t_in_doubt", "row_in_doubt"]
    assert rows[2] == ["1", "10", "'=1+1", "false", "true", "false", "false"]
    with page.expect_download() as report:
        dialog.get_by_role("button", name="Caveat report").click()
    assert report.value.suggested_filename == "result.caveats.md"
    assert "odd" in report.value.path().read_text()
    dialog.get_by_label("Delimiter").fill('"')
    dialog.get_by_role("button", name="Download").click()
    expect(dialog.get_by_role("alert")).to_contain_text("a quote or the end of a line can't stand between values")


def test_an_export_cell_writes_a_file_and_sees_that_it_was_changed(notebook: NotebookPage, exports: Path) -> None:
    page = notebook.page
    start(notebook, "Exports")
    notebook.cell(1).focus()
    page.keyboard.press("e")
    dialog = page.get_by_role("dialog", name="Export result")
    dialog.get_by_label("Format").select_option("jsonl")
    dialog.get_by_role("button", name="Add an Export cell").click()
    cell = notebook.cell(2)
    path = exports / "result.jsonl"
    cell.get_by_label("Path, or s3://bucket/path").fill(str(path))
    page.keyboard.press("Enter")
    notebook.expect_state(2, "done")
    expect(cell.get_by_text(f"2 rows are in {path}.")).to_be_visible()
    expect(cell.get_by_text("result.jsonl.caveats.md says what of it is in doubt")).to_be_visible()
    assert path.read_text().splitlines()[1].startswith('{"id":1,"x":10')
    os.unlink(path)
    page.reload()
    expect(notebook.cell(2).get_by_text(f"{path} is gone.")).to_be_visible()


def test_what_is_published_is_loaded_elsewhere_and_a_newer_edition_is_told(notebook: NotebookPage, app: Server) -> None:
    page = notebook.page
    start(notebook, "Publishes")
    publish(notebook, "It becomes edition 1 of a new name.")
    publisher = page.url
    page.goto(app.url)
    expect(page.get_by_role("heading", name="Published datasets")).to_be_visible()
    notebook.create_project("Reads")
    load = notebook.insert("Load")
    load.get_by_role("tab", name="Published").click()
    load.get_by_role("combobox", name="Dataset").select_option("counts of things")
    load.get_by_role("button", name="Load", exact=True).click()
    notebook.expect_state(1, "done")
    cell = notebook.cell(1)
    expect(cell.get_by_text("edition 1", exact=True)).to_be_visible()
    expect(notebook.rows(1, "counts_of_things")).to_have_count(2)

    with page.context.new_page() as other:
        other.goto(publisher)
        elsewhere = NotebookPage(other)
        elsewhere.write(elsewhere.cell(1), "SQL", QUERY.format(rows=1))
        elsewhere.expect_rows(1, "result", ["1 0 0 =1+1"])
        publish(elsewhere, "It becomes edition 2 of counts of things.")
    newer = cell.get_by_role("button", name="edition 2 is out, this is 1: take it")
    expect(newer).to_be_visible()
    cell.get_by_role("button", name="1 value in doubt").click()
    panel = page.get_by_role("complementary")
    expect(panel.get_by_text("came with counts of things, edition 1, from")).to_be_visible()
    expect(panel.get_by_role("link", name="Publishes")).to_be_visible()
    expect(panel.get_by_role("button", name="Acknowledge")).to_have_count(0)
    newer.click()
    expect(cell.get_by_text("edition 2", exact=True)).to_be_visible()
    notebook.expect_rows(1, "counts_of_things", ["1 0 0 =1+1"])
    expect(cell.get_by_text("Reloaded: 0 rows added, 1 removed")).to_be_visible()

    page.goto(app.url)
    page.get_by_role("button", name="counts of things").click()
    page.get_by_role("button", name="Withdraw edition 2").click()
    expect(page.get_by_role("button", name="counts of things Publishes")).to_contain_text("edition 1,")
    expect(page.get_by_role("button", name="Restore edition 2")).to_be_visible()
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_role("button", name="Withdraw edition 2")).to_be_visible()


def publish(notebook: NotebookPage, told: str) -> None:
    page = notebook.page
    notebook.cell(1).get_by_role("button", name="More actions for result").click()
    page.get_by_role("menuitem", name="Publish…").click()
    dialog = page.get_by_role("dialog", name="Publish result")
    dialog.get_by_label("Name").fill("counts of things")
    expect(dialog.get_by_text(told)).to_be_visible()
    dialog.get_by_role("button", name="Publish").click()
    expect(page.get_by_text("Published result as counts of things, edition ").first).to_be_visible()
