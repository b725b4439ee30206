"""From a document to a Jupyter notebook of format 4.5."""

from __future__ import annotations

import json
from typing import Any

from trailbook.formats.document import Document, DocumentCell
from trailbook.formats.ipynb.other_kinds import other_kind_source
from trailbook.formats.ipynb.outputs import write_outputs
from trailbook.formats.ipynb.texts import Raw, split

KERNEL = {"display_name": "Python 3", "language": "python", "name": "python3"}


def write(document: Document) -> str:
    notebook = {
        "cells": [_cell(cell, number) for number, cell in enumerate(document.cells, 1)],
        "metadata": {
            "kernelspec": KERNEL,
            "language_info": {"name": "python"},
            **({"title": document.title} if document.title else {}),
            **({"trailbook": {"packages": list(document.packages)}} if document.packages else {}),
        },
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    # Indented as Jupyter does it, so that saving it there changes nothing.
    return json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"


def _cell(cell: DocumentCell, number: int) -> Raw:
    id = cell.handle or f"cell-{number}"
    if cell.kind == "markdown":
        return {"cell_type": "markdown", "id": id, "metadata": _metadata(cell), "source": split(cell.text)}
    return {
        "cell_type": "code",
        "execution_count": number if cell.has_run else None,
        "id": id,
        "metadata": _metadata(cell),
        "outputs": list(write_outputs(cell.messages, cell.error)),
        "source": split(cell.text if cell.kind == "python" else other_kind_source(cell)),
    }


def _metadata(cell: DocumentCell) -> dict[str, Any]:
    metadata: dict[str, Any] = {}
    tags = {"parameters": cell.is_parameters, "raises-exception": bool(cell.parameters.get("may_fail"))}
    if any(tags.values()):
        metadata["tags"] = [tag for tag, has in tags.items() if has]
    if cell.acknowledged:
        metadata["trailbook"] = {"acknowledged": [one.model_dump(exclude_defaults=True) for one in cell.acknowledged]}
    return metadata
