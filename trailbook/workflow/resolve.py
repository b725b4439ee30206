"""Which past runs stand for the cells of a version, and which cells can run now.

The semantics is serial execution in notebook order: a past run of the same spec, in the same environment, whose reads
meet the same identities here, would do again what it did. Everything else has to run: at once, unless it is expected
to read what a cell above has not written yet. Expectations may be wrong. Whatever ran on one that was, has read
something else than it would meet here, so it does not stand, and runs again.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from trailbook.cells.kind import ByHash, CellKind, parse_if_possible
from trailbook.cells.scope import Failed, Outlook, Scope
from trailbook.kernels.forecast import OPAQUE, Forecast, combined
from trailbook.model.base import CellHandle, Digest, RunId
from trailbook.model.notebook import Cell, Spec
from trailbook.model.runs import CASELESS_READ, OUTSIDE_READS, TAKEN_IN, CellState, Run, changed_through


@dataclass(frozen=True)
class Settled:
    """The cell is as this run left it; an inert cell has no run.

    It is certain unless unfinished cells above could change what the run read.
    """

    run: Run | None
    shaken_by: frozenset[CellHandle] = frozenset()

    @property
    def is_certain(self) -> bool:
        return not self.shaken_by


@dataclass(frozen=True)
class Needed:
    """The cell has to run, and can: this is the scope it will see.

    `twin` is a run that read the same data: only what is in doubt has changed since. `may_change` are the names that
    its code says it changes, None being any.
    """

    scope: Scope
    twin: Run | None = None
    may_change: frozenset[str] | None = frozenset()


@dataclass(frozen=True)
class Blocked:
    """The cell reads what another cell failed to make; unless those that shake it come to another end."""

    by: CellHandle
    shaken_by: frozenset[CellHandle] = frozenset()


@dataclass(frozen=True)
class Held:
    """The cell is frozen: what this run made stands, though the cell would do something else now."""

    run: Run | None


@dataclass(frozen=True)
class Waiting:
    """The cell has to run, once those have finished that are expected to write what it reads."""

    scope: Scope
    writers: frozenset[CellHandle]


Step = Settled | Needed | Blocked | Held | Waiting


@dataclass(frozen=True)
class PastRuns:
    """What reuse may draw on.

    `own` are the last runs of the version's own cells: also a failure stands as long as nothing it read changed.
    `frozen` are the runs that frozen cells keep. `others` gives the successful runs of a spec. `usable` refuses runs
    whose outputs are gone, or that are to be done anew. The files that `fresh` runs read are not looked at again: a
    file that keeps changing must not hold up the rest.
    """

    own: Mapping[CellHandle, Run]
    others: Callable[[Digest], Sequence[Run]]
    usable: Callable[[CellHandle, Run], bool]
    outside_digest: Callable[[str], str | None]
    fresh: Collection[RunId] = ()
    data: Callable[[Collection[str]], Mapping[str, str]] = lambda ids: {}
    """The digests of the data of those artifacts that have some."""
    frozen: Mapping[CellHandle, Run] = field(default_factory=dict)
    specs: Mapping[Digest, Spec] = field(default_factory=dict)
    """What the `own` runs did."""

    def find(self, cell: Cell, scope: Scope) -> Run | None:
        return next((run for run in self._candidates(cell) if self._fits(run, cell, scope)), None)

    def outlook(self, cell: Cell, kind: CellKind | None, told: Forecast) -> Outlook:
        """What the cell will do: what it did the last time, if it has not changed; else what its code tells."""
        might_change = None if told.writes_anything else told.changes | told.touches
        is_code = kind is None or kind.reads() is None
        run = self.own.get(cell.handle)
        if not is_code or run is None or run.spec != cell.spec.hash or run.state is not CellState.DONE:
            reads = None if told.reads_anything else told.looks_up
            return Outlook(reads, None if told.writes_anything else told.changes, might_change, is_code)
        changes = frozenset(run.writes) | frozenset(run.deletes)
        return Outlook(frozenset(run.reads), changes, None if might_change is None else might_change | changes, is_code)

    def find_twin(self, cell: Cell, scope: Scope) -> Run | None:
        """A successful run of the same code that read the same data, whatever was in doubt of it."""
        alike = {run.id: run for run in self._alike(cell) if run.state is CellState.DONE}
        changed = {id: self._changed(run, scope) for id, run in alike.items()}
        data = self.data({id for pairs in changed.values() for pair in pairs for id in pair if id})
        for id, pairs in changed.items():
            has_same_data = all(before in data and data[before] == data.get(now) for before, now in pairs)
            if has_same_data and self.usable(cell.handle, alike[id]):
                return alike[id]
        return None

    def _alike(self, cell: Cell) -> Iterator[Run]:
        own = self.own.get(cell.handle)
        if own is not None and own.spec in self.specs and self.specs[own.spec].does_the_same_as(cell.spec):
            yield own
        yield from self.others(cell.spec.hash)

    def _changed(self, run: Run, scope: Scope) -> list[tuple[str, str]]:
        """What the run read and would meet otherwise now, before and now; empty for nothing."""
        changed = [name for name in run.reads if not self._is_unchanged(run, name, scope)]
        return [(run.reads[name] or "", scope.identity(name) or "") for name in changed]

    def _candidates(self, cell: Cell) -> Iterator[Run]:
        own = self.own.get(cell.handle)
        if own is not None and own.spec == cell.spec.hash:
            yield own
        yield from self.others(cell.spec.hash)

    def _fits(self, run: Run, cell: Cell, scope: Scope) -> bool:
        return all(self._is_unchanged(run, name, scope) for name in run.reads) and self.usable(cell.handle, run)

    def _is_unchanged(self, run: Run, name: str, scope: Scope) -> bool:
        if name.startswith(TAKEN_IN):
            # A file that it was taken from is among the reads, too; an edition never changes.
            return True
        if not name.startswith(OUTSIDE_READS):
            return scope.writer(name) is None and scope.identity(name) == run.reads[name]
        return run.id in self.fresh or self.outside_digest(name) == run.reads[name]


def resolve(cells: Sequence[Cell], past: PastRuns) -> list[Step]:
    """One step for each cell, in notebook order."""
    told = foretold(tuple(ByHash(cell.spec.hash, cell.spec) for cell in cells))
    scope = Scope()
    steps: list[Step] = []
    for number, (cell, (kind, forecast)) in enumerate(zip(cells, told, strict=True), 1):
        outlook = past.outlook(cell, kind, forecast)
        may_change = None if forecast.writes_anything else forecast.changes
        step = _step(cell, kind, outlook, past, scope, may_change)
        steps.append(step)
        means_to_write = kind.writes() if kind else frozenset()
        scope = _scope_after(step, scope, outlook, Failed(cell.handle, number), means_to_write)
    return steps


@lru_cache(maxsize=64)
def foretold(specs: tuple[ByHash, ...]) -> Sequence[tuple[CellKind | None, Forecast]]:
    """The cells of a notebook, each with what can be told of it before it runs."""
    kinds = [parse_if_possible(key.spec) for key in specs]
    told = combined([kind.forecast() if kind else OPAQUE for kind in kinds])
    return tuple(zip(kinds, told, strict=True))


def _scope_after(step: Step, scope: Scope, outlook: Outlook, failed: Failed, means_to_write: frozenset[str]) -> Scope:
    match step:
        case Needed() | Waiting():
            return scope.with_unfinished(failed.cell, outlook)
        case Settled(run=None):
            return scope
        case Settled(run=Run(state=CellState.DONE) as run) | Held(run=Run() as run):
            after = scope.with_writes(run.writes, run.deletes)
        case _:
            after = scope.with_failure(means_to_write, failed)
    if isinstance(step, Held) or not step.shaken_by:
        return after
    last = step.run if isinstance(step, Settled) else None
    written = frozenset({*last.writes, *last.deletes}) if last else frozenset[str]()
    might = None if outlook.might_change is None else outlook.might_change | written
    return after.with_unfinished(failed.cell, replace(outlook, changes=frozenset(), might_change=might))


def _step(
    cell: Cell,
    kind: CellKind | None,
    outlook: Outlook,
    past: PastRuns,
    scope: Scope,
    may_change: frozenset[str] | None,
) -> Step:
    if kind is not None and kind.is_inert():
        return Settled(None)
    run = past.find(cell, scope)
    if cell.frozen and run != past.frozen.get(cell.handle):
        return Held(past.frozen.get(cell.handle))
    if run is not None:
        # Any code might change the state of libraries, and hardly any does: that is waited for by nobody.
        relied_on = (name for read in run.reads if (name := changed_through(read)))
        return Settled(run, frozenset[CellHandle]().union(*map(scope.shaken_by, relied_on)))
    if cell.frozen:
        return Held(None)
    writers = _writers(outlook, scope)
    if kind is not None and kind.acts_outside:
        writers |= frozenset[CellHandle]().union(*map(scope.shaken_by, kind.reads() or ()))
    if writers:
        return Waiting(scope, writers)
    reads = kind.reads() if kind else None
    blockers = [failed for name in reads or () if (failed := scope.failure(name))]
    if blockers:
        shaken = frozenset[CellHandle]().union(*map(scope.shaken_by, reads or ()))
        return Blocked(min(blockers, key=lambda failed: failed.number).cell, shaken)
    return Needed(scope, past.find_twin(cell, scope) if kind and kind.is_blind() else None, may_change)


def _writers(outlook: Outlook, scope: Scope) -> frozenset[CellHandle]:
    """The unfinished cells that are expected to write what the cell is expected to read."""
    if outlook.reads is None:
        return frozenset(cell for cell, above in scope.unfinished if above.changes != frozenset())
    # SQL reads names in any spelling.
    keys = outlook.reads if outlook.is_code else {CASELESS_READ + name for name in outlook.reads}
    return frozenset(writer for key in keys if (writer := scope.writer(key)))
