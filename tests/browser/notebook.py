"""The notebook page as a person uses it."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Locator, Page, expect

EDITORS = {"SQL": "SQL query", "Python": "Python code", "Markdown": "Markdown text"}


class NotebookPage:
    """Finds things by what they are called, not by how they are built."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def create_project(self, name: str) -> None:
        self.page.get_by_role("button", name="New project").first.click()
        self.page.get_by_role("dialog").get_by_role("textbox").fill(name)
        self.page.keyboard.press("Enter")
        expect(self.page.get_by_text("Start with data")).to_be_visible()

    def insert(self, kind: str) -> Locator:
        """Put a cell at the end; the new cell."""
        before = self.cells().count()
        if before == 0:
            self.page.locator(".empty-kinds").get_by_role("button", name=kind).click()
        else:
            self.page.get_by_role("button", name="Insert cell").last.click()
            self.page.get_by_role("menuitem", name=kind).click()
        expect(self.cells()).to_have_count(before + 1)
        return self.cell(before + 1)

    def cells(self) -> Locator:
        return self.page.locator('[role="region"][aria-label^="Cell "]')

    def cell(self, number: int) -> Locator:
        return self.page.locator(f'[role="region"][aria-label^="Cell {number},"]')

    def write(self, cell: Locator, kind: str, text: str) -> None:
        """Replace the text of a cell and run it with Ctrl-Enter."""
        editor = cell.get_by_label(EDITORS[kind])
        editor.click()
        self.page.keyboard.press("ControlOrMeta+a")
        self.page.keyboard.insert_text(text)
        self.page.keyboard.press("Control+Enter")

    def upload(self, cell: Locator, file: Path) -> None:
        cell.get_by_label("File to upload").set_input_files(file)

    def load(self, cell: Locator, file: Path) -> None:
        """Upload a file and load it as it was found to be."""
        self.upload(cell, file)
        expect(cell.get_by_role("group", name="First rows")).to_be_visible()
        cell.get_by_role("button", name="Load", exact=True).click()

    def expect_state(self, number: int, state: str) -> None:
        expect(
            self.page.locator(f'[role="region"][aria-label^="Cell {number},"][aria-label$=", {state}"]')
        ).to_be_visible()

    def rows(self, number: int, name: str) -> Locator:
        """The rows of a dataset under a cell, as a table that can be read."""
        dataset = self.cell(number).get_by_role("region", name=f"Dataset {name}")
        toggle = dataset.get_by_role("button", name="Table")
        expect(dataset).to_be_visible()
        if toggle.count():
            toggle.click()
        return dataset.locator("tbody tr")

    def expect_rows(self, number: int, name: str, rows: list[str]) -> None:
        """Each row as its values with a space between."""
        expect(self.rows(number, name)).to_have_text([row.replace(" ", "") for row in rows])
