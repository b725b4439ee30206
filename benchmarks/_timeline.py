"""Timelines of what happened when, as a picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import matplotlib as mpl
from matplotlib.figure import Figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes

THICK, THIN, GAP = 3.0, 0.7, 1.0
"""Heights of a bar that has a label of its own, of one among many, and of the space after a lane."""


@dataclass(frozen=True)
class Span:
    """From when to when, in seconds."""

    start: float
    end: float

    @property
    def seconds(self) -> float:
        return self.end - self.start

    def after(self, seconds: float) -> Span:
        """The same so much later."""
        return Span(self.start + seconds, self.end + seconds)


@dataclass(frozen=True)
class Lane:
    """Bars of one kind, each in a line of its own."""

    label: str
    color: str
    spans: Sequence[Span]

    @property
    def thickness(self) -> float:
        return THICK if len(self.spans) == 1 else THIN

    @property
    def height(self) -> float:
        return self.thickness * len(self.spans)

    @property
    def whole(self) -> Span:
        return Span(min(span.start for span in self.spans), max(span.end for span in self.spans))


@dataclass(frozen=True)
class Timeline:
    title: str
    lanes: Sequence[Lane]

    @property
    def height(self) -> float:
        return sum(lane.height + GAP for lane in self.lanes)


def draw(timelines: Sequence[Timeline], path: Path) -> None:
    """One above the other, each with its own scale, as SVG."""
    heights = [timeline.height for timeline in timelines]
    # Texts stay texts, and a second run on the same figures gives the same file.
    with mpl.rc_context({"svg.fonttype": "none", "svg.hashsalt": "timeline", "font.family": "sans-serif"}):
        figure = Figure(figsize=(8, 0.08 * sum(heights) + 1.1 * len(timelines)), layout="constrained")
        panels = figure.subplots(len(timelines), squeeze=False, gridspec_kw={"height_ratios": heights})[:, 0]
        for axes, timeline in zip(panels, timelines, strict=True):
            _draw_one(axes, timeline)
        figure.savefig(path, format="svg", metadata={"Date": None})


def _draw_one(axes: Axes, timeline: Timeline) -> None:
    place = 0.0
    middles = []
    for lane in timeline.lanes:
        lines = [place + lane.thickness * (i + 0.5) for i in range(len(lane.spans))]
        starts = [span.start for span in lane.spans]
        axes.barh(lines, [span.seconds for span in lane.spans], 0.9 * lane.thickness, starts, color=lane.color)
        middles.append(place + lane.height / 2)
        end = (lane.whole.end, lines[-1])
        axes.annotate(f"{lane.whole.seconds:.2f} s", end, (4, 0), textcoords="offset points", va="center", fontsize=9)
        place += lane.height + GAP
    axes.set_yticks(middles, [lane.label for lane in timeline.lanes])
    axes.set_ylim(place, -GAP)
    axes.set_xlim(0, 1.12 * max(lane.whole.end for lane in timeline.lanes))
    axes.set_title(timeline.title, loc="left", fontsize=11)
    axes.set_xlabel("seconds")
    axes.tick_params(axis="y", length=0)
    axes.grid(axis="x", color="#dddddd")
    axes.set_axisbelow(True)
    axes.spines[["top", "right", "left"]].set_visible(False)
