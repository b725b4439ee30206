"""A notebook comes in from a file and leaves as one, in the browser."""

from __future__ import annotations

import json
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.browser.notebook import NotebookPage


def test_a_notebook_is_imported_run_and_exported(page: Page, tmp_path: Path) -> None:
    shown = {"output_type": "stream", "name": "stdout", "text": "from Jupyter"}
    cell = {"cell_type": "code", "source": "print(6 * 7)", "outputs": [shown], "metadata": {}, "execution_count": 1}
    path = tmp_path / "answers.ipynb"
    path.write_text(json.dumps({"nbformat": 4, "nbformat_minor": 4, "metadata": {}, "cells": [cell]}))
    page.get_by_label("Notebook file").set_input_files(path)
    notebook = NotebookPage(page)
    expect(notebook.cell(1)).to_contain_text("from Jupyter")
    page.get_by_role("button", name="Run all").click()
    notebook.expect_state(1, "done")
    expect(notebook.cell(1)).to_contain_text("42")
    page.get_by_role("button", name="Export").click()
    with page.expect_download() as download:
        page.get_by_role("menuitem", name="Web page").click()
    assert download.value.suggested_filename == "answers.html"
    assert '<pre class="stdout">42\n</pre>' in download.value.path().read_text("utf-8")
