"""One HTML file that needs nothing else: no network, no scripts. For reading, not for reading back."""

from __future__ import annotations

from trailbook.formats.format import Format, register
from trailbook.formats.html.page import write

register(Format("html", write, preview_rows=20))

__all__ = ["write"]
