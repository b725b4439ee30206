"""The Matplotlib backend of cells: draws in memory; `plt.show()` shows the open figures at once."""

from __future__ import annotations

from typing import Any

from matplotlib.backend_bases import FigureManagerBase
from matplotlib.backends.backend_agg import FigureCanvasAgg

from trailbook.kernels.child.shown.figures import show_open_figures


class FigureManager(FigureManagerBase):
    """Matplotlib looks this name up."""

    @classmethod
    def pyplot_show(cls, *args: Any, **kwargs: Any) -> None:
        show_open_figures()


class FigureCanvas(FigureCanvasAgg):
    """Matplotlib looks this name up."""

    manager_class = FigureManager
