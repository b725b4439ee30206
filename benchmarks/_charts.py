"""Lines over growing sizes, as a picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import matplotlib as mpl
from matplotlib.figure import Figure

COLORS = ("#b7791f", "#2b6cb0", "#9aa5b1")


@dataclass(frozen=True)
class Line:
    label: str
    values: Sequence[float]


def draw_lines(sizes: Sequence[int], lines: Sequence[Line], across: str, up: str, path: Path) -> None:
    """Both scales logarithmic, as SVG; each line is named at its end."""
    # Texts stay texts, and a second run on the same figures gives the same file.
    with mpl.rc_context({"svg.fonttype": "none", "svg.hashsalt": "lines", "font.family": "sans-serif"}):
        figure = Figure(figsize=(6, 3.2), layout="constrained")
        axes = figure.subplots()
        for line, color in zip(lines, COLORS, strict=False):
            axes.plot(sizes, line.values, marker="o", color=color)
            end = (sizes[-1], line.values[-1])
            axes.annotate(line.label, end, (6, 0), textcoords="offset points", va="center", color=color)
        axes.set_xscale("log")
        axes.set_yscale("log")
        axes.set_xlim(right=sizes[-1] * 3)
        axes.set_xlabel(across)
        axes.set_ylabel(up)
        axes.grid(color="#dddddd")
        axes.spines[["top", "right"]].set_visible(False)
        figure.savefig(path, format="svg", metadata={"Date": None})
