"""Jupyter's notebooks: read in the formats 3 and 4, written in format 4.5."""

from __future__ import annotations

from trailbook.formats.format import Format, register
from trailbook.formats.ipynb.reading import read
from trailbook.formats.ipynb.writing import write

register(Format("ipynb", write, read))

__all__ = ["read", "write"]
