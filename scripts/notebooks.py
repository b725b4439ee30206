"""Runs the notebooks of tests/notebooks under Jupyter and stores what they show: `python -m scripts.notebooks [NAME…]`.

Left out of what is stored: pictures and long HTML (an empty text stands for them), tracebacks, and all outputs of cells
tagged `varies`.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import nbformat
from nbclient import NotebookClient

from tests.support.shown import LONG_HTML, VARIES, read_notebook, without_differences

NOTEBOOKS = Path(__file__).parent.parent / "tests" / "notebooks"
SECONDS_PER_CELL = 120


def executed(path: Path) -> nbformat.NotebookNode:
    """The notebook after a run in a new kernel and an empty folder."""
    notebook = read_notebook(path)
    with TemporaryDirectory() as folder:
        # Neither the settings of whoever runs this nor traces of earlier runs have a say.
        for variable in ("IPYTHONDIR", "JUPYTER_CONFIG_DIR", "JUPYTER_RUNTIME_DIR"):
            os.environ[variable] = str(Path(folder, variable.lower()))
        work = Path(folder, "work")
        work.mkdir()
        client = NotebookClient(
            notebook,
            kernel_name="python3",
            timeout=SECONDS_PER_CELL,
            coalesce_streams=True,
            record_timing=False,
            resources={"metadata": {"path": str(work)}},
        )
        client.execute()
    return notebook


def tidy(cell: nbformat.NotebookNode) -> None:
    """Leave out what would differ after the next run, and what would make the file large."""
    if VARIES in cell.metadata.get("tags", []):
        cell.outputs = []
    for output in cell.outputs:
        if output.output_type == "error":
            output.update(traceback=[], evalue=without_differences(output.evalue))
        elif output.output_type == "stream":
            output.text = without_differences(output.text)
        else:
            output.update(metadata={}, data={kind: _kept(kind, data) for kind, data in output.data.items()})


def _kept(media_type: str, data: Any) -> Any:
    if not isinstance(data, str):
        return data
    is_long = media_type == "text/html" and len(data) >= LONG_HTML
    return "" if is_long or media_type.startswith("image/") else without_differences(data)


def renew(path: Path) -> None:
    """Store what the notebook shows now, in the version of the format that the file has."""
    before = json.loads(path.read_text("utf-8"))
    notebook = executed(path)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            tidy(cell)
    after = nbformat.convert(notebook, before["nbformat"])  # type: ignore[no-untyped-call]
    after.update(metadata=before["metadata"], nbformat_minor=before["nbformat_minor"])
    nbformat.write(after, path, version=nbformat.NO_CONVERT)  # type: ignore[no-untyped-call]


def main() -> None:
    wanted = sys.argv[1:]
    for path in sorted(NOTEBOOKS.glob("*.ipynb")):
        if not wanted or path.stem in wanted:
            renew(path)
            print(path.name, flush=True)


if __name__ == "__main__":
    main()
