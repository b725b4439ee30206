"""The notebook that a new user finds: small, real, and showing each kind of cell."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from trailbook.model.base import BranchId
from trailbook.model.edits import InsertCell
from trailbook.model.notebook import VersionRef
from trailbook.server.upload import record_upload
from trailbook.workflow.workbench import Workbench

FOLDER = Path(__file__).parent / "example"


def open_example(bench: Workbench) -> BranchId | None:
    """Put the example into a store that has never had a project."""
    if bench.projects() or bench.projects(deleted=True):
        return None
    person = bench.person.id
    project = bench.create_project("Example: city bike counts", person)
    staged = bench.store.files.stage()
    try:
        copy = staged / "bike_counts.csv"
        copy.write_bytes((FOLDER / "bike_counts.csv").read_bytes())
        upload = record_upload(bench, copy, project.id, copy.name, person)
    finally:
        bench.store.files.discard(staged)
    branch, number, after = BranchId(project.branch), 1, None
    for cell in _cells(upload.artifact):
        edit = InsertCell(after=after, kind=cell["kind"], parameters=cell["parameters"])
        ref = VersionRef(branch=branch, number=number)
        notebook = bench.edit(ref, edit, person, branch_name=None, at_head=True)
        number, after = notebook.ref.number, notebook.cells[-1].handle
    return branch


def _cells(file: str) -> list[dict[str, Any]]:
    text = (FOLDER / "notebook.json").read_text("utf-8")
    cells: list[dict[str, Any]] = json.loads(text.replace("{file}", file))
    return cells
