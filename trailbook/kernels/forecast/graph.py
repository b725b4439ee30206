"""Which cell waits for which, by their forecasts alone."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from trailbook.kernels.forecast.effects import Forecast

ANYTHING = "*"
"""In place of a name on an edge to a cell that may write any name."""


class Edge(NamedTuple):
    """The cell at index `reader` reads a name that the cell at `writer` wrote."""

    reader: int
    writer: int
    name: str


def graph(forecasts: Sequence[Forecast]) -> frozenset[Edge]:
    """For each name a cell reads an edge to the last cell before that changes it, and to any that may have since.

    Calls across cells are followed only in forecasts that are `combined`.
    """
    last: dict[str, int] = {}
    any_writers: list[int] = []
    edges: set[Edge] = set()
    for reader, each in enumerate(forecasts):
        wanted = each.looks_up | last.keys() if each.reads_anything else each.looks_up
        edges.update(Edge(reader, last[name], name) for name in wanted & last.keys())
        since = -1 if each.reads_anything else min((last.get(name, -1) for name in wanted), default=reader)
        edges.update(Edge(reader, writer, ANYTHING) for writer in any_writers if writer > since)
        last.update(dict.fromkeys(each.changes, reader))
        if each.writes_anything:
            any_writers.append(reader)
    return frozenset(edges)


def depth(edges: Iterable[Edge], cells: int) -> int:
    """How many cells the longest chain has in which each waits for the one before."""
    above: list[set[int]] = [set() for _ in range(cells)]
    for edge in edges:
        above[edge.reader].add(edge.writer)
    chains: list[int] = []
    for writers in above:
        chains.append(1 + max((chains[writer] for writer in writers), default=0))
    return max(chains, default=0)


def parallelism(edges: Collection[Edge], cells: int) -> float:
    """How many cells could run side by side on average."""
    return cells / depth(edges, cells) if cells else 1.0
