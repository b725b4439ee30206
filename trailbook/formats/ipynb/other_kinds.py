"""Cells that Jupyter has no kind for: code cells with a magic, which become the same cells again when read.

SQL is `%%sql name <<` and the query, as extensions of Jupyter have it; others are `%%trailbook kind` and their
parameters.
"""

from __future__ import annotations

import re

from trailbook.formats.document import DocumentCell
from trailbook.formats.magics.cell_magics import Rewritten
from trailbook.formats.parameter_text import body_text, read_body

_OWN = re.compile(r"%%trailbook ([a-z][a-z0-9_]*)[ \t]*(?:\n(.*))?", re.DOTALL)


def other_kind_source(cell: DocumentCell) -> str:
    if cell.kind == "sql":
        return f"%%sql {cell.parameters['name']} <<\n{cell.text}"
    return f"%%trailbook {cell.kind}\n{body_text(cell.parameters)}"


def read_other_kind(source: str) -> Rewritten | None:
    """The cell that such a source stands for; SQL is left to the magic of that name."""
    found = _OWN.fullmatch(source)
    return Rewritten(found[1], read_body(found[2] or "")) if found else None
