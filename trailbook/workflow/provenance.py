"""Which cell of a version reads what another one made: as it was observed, or forecast where a cell has not run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from trailbook.cells.kind import parse_if_possible
from trailbook.kernels.forecast import OPAQUE, Edge, Forecast, combined, depth, graph, parallelism
from trailbook.model.base import ArtifactId, CellHandle, Value
from trailbook.model.notebook import Cell, Version, VersionRef
from trailbook.model.runs import CellState, Run
from trailbook.store.runs import Result


class StatementNode(Value):
    """A statement of a cell's code, by its lines (from 1), and what it may do with global names."""

    first_line: int
    last_line: int
    reads: tuple[str, ...]
    writes: tuple[str, ...]


class StatementLink(Value):
    """The statement at index `reader` may read what the one at `writer` made of a name."""

    reader: int
    writer: int
    name: str


class CellNode(Value):
    """A cell that does something. `observed` says that it has run as it stands here; otherwise all of it is forecast.

    The statements are those of Python code, by its text alone.
    """

    cell: CellHandle
    observed: bool
    reads: tuple[str, ...]
    writes: tuple[str, ...]
    reads_anything: bool
    writes_anything: bool
    statements: tuple[StatementNode, ...]
    links: tuple[StatementLink, ...]


class CellLink(Value):
    """`reader` reads a name that `writer` wrote; `*` is any name. The artifact is known once the reader has run."""

    reader: CellHandle
    writer: CellHandle
    name: str
    artifact: ArtifactId | None
    observed: bool


class Provenance(Value):
    """The cells of a version and what passes between them.

    `depth` is how many cells must run one after the other, `parallelism` how many could run at once on average.
    """

    ref: VersionRef
    cells: tuple[CellNode, ...]
    links: tuple[CellLink, ...]
    depth: int
    parallelism: float


@dataclass(frozen=True)
class _Step:
    """A cell with what is forecast of it, and the run that shows what it does, if there is one."""

    cell: Cell
    told: Forecast
    run: Run | None


def provenance(version: Version, results: Mapping[CellHandle, Result]) -> Provenance:
    steps = _steps(version.cells, results)
    effects = _spelt_alike([_observed(step.run) if step.run else step.told for step in steps])
    edges = sorted(graph(effects))
    return Provenance(
        ref=version.ref,
        cells=tuple(_node(step, effect) for step, effect in zip(steps, effects, strict=True)),
        links=tuple(_link(edge, steps) for edge in edges),
        depth=depth(edges, len(steps)),
        parallelism=parallelism(edges, len(steps)),
    )


def _steps(cells: Sequence[Cell], results: Mapping[CellHandle, Result]) -> list[_Step]:
    kinds = [(cell, parse_if_possible(cell.spec)) for cell in cells]
    active = [(cell, kind) for cell, kind in kinds if kind is None or not kind.is_inert()]
    told = combined([kind.forecast() if kind else OPAQUE for _, kind in active])
    found = (results.get(cell.handle) for cell, _ in active)
    # One that failed tells less than its text of what it does.
    runs = [r.run if r and r.current and r.run.state is CellState.DONE else None for r in found]
    return [_Step(cell, forecast, run) for (cell, _), forecast, run in zip(active, told, runs, strict=True)]


def _observed(run: Run) -> Forecast:
    reads = frozenset(run.spellings.values())
    return Forecast(reads=reads, writes=frozenset(run.writes), deletes=frozenset(run.deletes))


def _spelt_alike(effects: list[Forecast]) -> list[Forecast]:
    """Reads under the name that was written: SQL does not tell upper from lower case."""
    written = frozenset[str]().union(*(effect.changes for effect in effects))
    alike: dict[str, list[str]] = {}
    for name in written:
        alike.setdefault(name.lower(), []).append(name)

    def spelt(name: str) -> str:
        found = alike.get(name.lower(), [])
        return found[0] if name not in written and len(found) == 1 else name

    return [effect.reading(map(spelt, effect.reads)) for effect in effects]


def _node(step: _Step, effect: Forecast) -> CellNode:
    statements = tuple(
        StatementNode(
            first_line=each.first_line,
            last_line=each.last_line,
            reads=tuple(sorted(each.reads)),
            writes=tuple(sorted(each.changes)),
        )
        for each in step.told.statements
    )
    return CellNode(
        cell=step.cell.handle,
        observed=step.run is not None,
        reads=tuple(sorted(effect.reads)),
        writes=tuple(sorted(effect.changes)),
        reads_anything=effect.reads_anything,
        writes_anything=effect.writes_anything,
        statements=statements,
        links=tuple(StatementLink(reader=e.reader, writer=e.writer, name=e.name) for e in sorted(step.told.edges)),
    )


def _link(edge: Edge, steps: Sequence[_Step]) -> CellLink:
    reader, writer = steps[edge.reader], steps[edge.writer]
    reads = {name.lower(): id for name, id in reader.run.reads.items()} if reader.run else {}
    made = writer.run.writes.values() if writer.run else ()
    return CellLink(
        reader=reader.cell.handle,
        writer=writer.cell.handle,
        name=edge.name,
        artifact=next((id for id in made if id == reads.get(edge.name.lower())), None),
        observed=reader.run is not None and writer.run is not None,
    )
