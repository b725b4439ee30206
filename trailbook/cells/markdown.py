"""Text between the other cells."""

from __future__ import annotations

from typing import ClassVar

from trailbook.cells.context import RunContext
from trailbook.cells.kind import CellKind, register


@register
class MarkdownCell(CellKind):
    kind: ClassVar[str] = "markdown"
    title: ClassVar[str] = "Markdown"
    text: str = ""

    def is_inert(self) -> bool:
        return True

    def run(self, context: RunContext) -> None:
        """Nothing to do: the text is shown as it is."""
