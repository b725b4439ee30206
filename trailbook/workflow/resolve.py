"""Which past runs stand for the cells of a version, and which cell has to run next.

The semantics is serial execution in notebook order: a past run of the same spec, in the same environment, whose reads
meet the same identities here, would do again what it did. Everything else has to run.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from trailbook.cells.kind import CellKind, parse
from trailbook.cells.scope import Failed, Scope
from trailbook.errors import TrailbookError
from trailbook.model.base import CellHandle, Digest, RunId
from trailbook.model.notebook import Cell, Spec
from trailbook.model.runs import FILE_READ, CellState, Run


@dataclass(frozen=True)
class Settled:
    """The cell is as this run left it; an inert cell has no run."""

    run: Run | None


@dataclass(frozen=True)
class Needed:
    """The first cell that has to run, with the scope it will see.

    `twin` is a run that read the same data: only what is in doubt has changed since.
    """

    scope: Scope
    twin: Run | None = None


@dataclass(frozen=True)
class Blocked:
    """The cell reads what another cell failed to make."""

    by: CellHandle


@dataclass(frozen=True)
class Waiting:
    """Unknown until the cells above have run."""


Step = Settled | Needed | Blocked | Waiting


@dataclass(frozen=True)
class PastRuns:
    """What reuse may draw on.

    `own` are the last runs of the version's own cells: also a failure stands as long as nothing it read changed.
    `others` are successful runs by spec. `usable` refuses runs whose outputs are gone or that are to be done anew.
    The files that `fresh` runs read are not looked at again: a file that keeps changing must not hold up the rest.
    """

    own: Mapping[CellHandle, Run]
    others: Mapping[Digest, Sequence[Run]]
    usable: Callable[[CellHandle, Run], bool]
    file_digest: Callable[[str], str | None]
    fresh: Collection[RunId] = ()
    data: Callable[[str], str | None] = lambda id: None
    """The digest of a dataset's data, if it is known."""
    specs: Mapping[Digest, Spec] = field(default_factory=dict)
    """What the `own` runs did."""

    def find(self, cell: Cell, scope: Scope) -> Run | None:
        return next((run for run in self._candidates(cell) if self._fits(run, cell, scope)), None)

    def find_twin(self, cell: Cell, scope: Scope) -> Run | None:
        """A successful run of the same code that read the same data, whatever was in doubt of it."""
        for run in self._alike(cell):
            is_usable = run.state is CellState.DONE and self.usable(cell.handle, run)
            if is_usable and all(self._has_same_data(run, name, scope) for name in run.reads):
                return run
        return None

    def _alike(self, cell: Cell) -> Iterator[Run]:
        own = self.own.get(cell.handle)
        if own is not None and own.spec in self.specs and self.specs[own.spec].does_the_same_as(cell.spec):
            yield own
        yield from self.others.get(cell.spec.hash, ())

    def _has_same_data(self, run: Run, name: str, scope: Scope) -> bool:
        if self._is_unchanged(run, name, scope):
            return True
        before, now = (self.data(id) if id else None for id in (run.reads[name], scope.identity(name)))
        return before is not None and before == now

    def _candidates(self, cell: Cell) -> Iterator[Run]:
        own = self.own.get(cell.handle)
        if own is not None and own.spec == cell.spec.hash:
            yield own
        yield from self.others.get(cell.spec.hash, ())

    def _fits(self, run: Run, cell: Cell, scope: Scope) -> bool:
        return self.usable(cell.handle, run) and all(self._is_unchanged(run, name, scope) for name in run.reads)

    def _is_unchanged(self, run: Run, name: str, scope: Scope) -> bool:
        if not name.startswith(FILE_READ):
            return scope.identity(name) == run.reads[name]
        return run.id in self.fresh or self.file_digest(name.removeprefix(FILE_READ)) == run.reads[name]


def resolve(cells: Sequence[Cell], past: PastRuns) -> list[Step]:
    """One step for each cell, in notebook order."""
    scope = Scope()
    steps: list[Step] = []
    for number, cell in enumerate(cells, 1):
        kind = _parsed(cell)
        step = _step(cell, kind, past, scope)
        steps.append(step)
        if isinstance(step, Needed):
            break
        if isinstance(step, Settled) and (step.run is None or step.run.state is CellState.DONE):
            scope = scope.with_writes(step.run.writes if step.run else {})
        else:
            scope = scope.with_failure(kind.writes() if kind else frozenset(), Failed(cell.handle, number))
    return steps + [Waiting()] * (len(cells) - len(steps))


def _step(cell: Cell, kind: CellKind | None, past: PastRuns, scope: Scope) -> Step:
    if kind is not None and kind.is_inert():
        return Settled(None)
    run = past.find(cell, scope)
    if run is not None:
        return Settled(run)
    reads = kind.reads() if kind else None
    blockers = [failed for name in reads or () if (failed := scope.failure(name))]
    if blockers:
        return Blocked(min(blockers, key=lambda failed: failed.number).cell)
    return Needed(scope, past.find_twin(cell, scope) if kind and kind.is_blind() else None)


def _parsed(cell: Cell) -> CellKind | None:
    """None for a spec that no longer parses; running it says why."""
    try:
        return parse(cell.spec)
    except TrailbookError:
        return None
