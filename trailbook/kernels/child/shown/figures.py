"""Matplotlib's figures as PNG, if the cell imported Matplotlib at all."""

from __future__ import annotations

import builtins
import io
import sys
from typing import Any


def is_figure(value: Any) -> bool:
    module = sys.modules.get("matplotlib.figure")
    return module is not None and isinstance(value, module.Figure)


def take_png(figure: Any) -> bytes | None:
    """The figure's picture, unless it is empty. It counts as shown, so the end of the cell won't show it again."""
    content = io.BytesIO()
    if figure.axes or figure.lines:
        figure.savefig(content, format="png", bbox_inches="tight")
    if pyplot := sys.modules.get("matplotlib.pyplot"):
        pyplot.close(figure)
    return content.getvalue() or None


def show_open_figures() -> None:
    """Show what was drawn and not shown yet."""
    if pyplot := sys.modules.get("matplotlib.pyplot"):
        for number in pyplot.get_fignums():
            builtins.display(pyplot.figure(number))  # type: ignore[attr-defined]
