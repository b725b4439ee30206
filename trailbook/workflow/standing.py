"""How the cells of a branch's head stand: read anew from the store each time somebody asks."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from sqlalchemy import Connection

from trailbook.model.artifacts import Artifact, ArtifactState
from trailbook.model.base import ArtifactId, BranchId, CellHandle, Digest, ProjectId, RunId
from trailbook.model.notebook import Cell, Version, VersionRef
from trailbook.model.runs import CellState, Run
from trailbook.store import artifacts, branches, runs, versions
from trailbook.store.outside import outside_digest
from trailbook.store.runs import Result, Shown
from trailbook.store.store import Store
from trailbook.workflow.environment import RunEnvironment
from trailbook.workflow.resolve import Needed, PastRuns, Settled, Step, Waiting, resolve


@dataclass(frozen=True)
class Standing:
    """A step for each cell of a version."""

    version: Version
    steps: Mapping[CellHandle, Step]

    @cached_property
    def cells(self) -> Mapping[CellHandle, Cell]:
        return {cell.handle: cell for cell in self.version.cells}


@dataclass(frozen=True)
class Wish:
    """What counts as up to date: runs in the environment of each cell, and no older than `anew` says.

    The files that `fresh` runs read are not looked at again.
    """

    environment: RunEnvironment
    anew: Mapping[CellHandle, datetime]
    fresh: Collection[RunId]


def head_of(tx: Connection, branch: BranchId) -> Version:
    return versions.get(tx, VersionRef(branch=branch, number=branches.get(tx, branch).head))


def settle_head(store: Store, branch: BranchId, wish: Wish) -> Standing:
    """Find out how the head stands, and store which past runs are the results of its cells."""
    while True:
        with store.reading() as tx:
            version = head_of(tx, branch)
            results = runs.results(tx, version.ref)
            past = _past_runs(store, tx, version, results, wish)
        # It may read large files, for which other branches' writers should not have to wait.
        steps = {cell.handle: step for cell, step in zip(version.cells, resolve(version.cells, past), strict=True)}
        news = {handle: now for handle, step in steps.items() if (now := _news(step, results.get(handle)))}
        if not news or _record(store, version, results, news):
            return Standing(version, steps)


def foresee(store: Store, version: Version, wish: Wish) -> dict[CellHandle, Run | None]:
    """The cells that would run if the version with this number had these cells; each with its last run, if any."""
    with store.reading() as tx:
        results = runs.results(tx, version.ref)
        past = _past_runs(store, tx, version, results, wish)
    steps = zip(version.cells, resolve(version.cells, past), strict=True)
    would_run = [cell.handle for cell, step in steps if isinstance(step, Needed | Waiting)]
    return {handle: results[handle].run if handle in results else None for handle in would_run}


def _news(step: Step, known: Result | None) -> Result | None:
    """What is to be stored about a cell."""
    if isinstance(step, Settled) and step.is_certain:
        if step.run and not (known and known.current and known.run.id == step.run.id):
            return Result(step.run, current=True)
    elif known and known.current:
        return Result(known.run, current=False)
    return None


def _record(
    store: Store, version: Version, results: Mapping[CellHandle, Result], news: Mapping[CellHandle, Result]
) -> bool:
    """Store the news, unless they are none any more."""
    with store.writing() as tx:
        is_head = branches.get(tx, version.ref.branch).head == version.ref.number
        is_so = is_head and runs.shown(tx, version.ref) == _shown(results)
        if is_so:
            runs.set_results(tx, version.ref, _shown(news))
    return is_so


def _shown(results: Mapping[CellHandle, Result]) -> dict[CellHandle, Shown]:
    return {handle: Shown(result.run.id, result.current) for handle, result in results.items()}


class _Archive:
    """Past runs of a store, with what is known of the artifacts that they made and read."""

    def __init__(
        self,
        store: Store,
        wish: Wish,
        project: ProjectId,
        sought: Collection[Digest],
        environments: Mapping[Digest, Digest],
    ) -> None:
        """`sought` are the specs whose runs somebody will ask for, if anybody asks for any.

        `environments` are those in which runs of each spec count.
        """
        self._store = store
        self._wish = wish
        self._project = project
        self._sought = frozenset(sought)
        self._environments = environments
        self._known: dict[ArtifactId, Artifact] = {}
        self._others: dict[Digest, list[Run]] = {}

    def learn(self, tx: Connection, ids: Collection[ArtifactId]) -> None:
        self._known |= artifacts.many(tx, [id for id in ids if id not in self._known])

    def others(self, spec: Digest) -> list[Run]:
        """The runs of a spec in its environment that would come out the same again, newest first."""
        if spec not in self._others:
            specs = {spec, *self._sought} - self._others.keys()
            with self._store.reading() as tx:
                found: dict[Digest, list[Run]] = {}
                for environment, same in self._by_environment(specs).items():
                    found |= runs.candidates(tx, same, environment, self._project)
            self._others |= {spec: [run for run in past if run.outside.is_repeatable] for spec, past in found.items()}
        return self._others[spec]

    def _by_environment(self, specs: Collection[Digest]) -> dict[Digest, set[Digest]]:
        """The specs by the environment in which their runs count."""
        found: dict[Digest, set[Digest]] = {}
        for spec in specs:
            found.setdefault(self._environments[spec], set()).add(spec)
        return found

    def is_usable(self, handle: CellHandle, run: Run) -> bool:
        return run.started >= self._wish.anew.get(handle, run.started) and self.is_present(run)

    def is_present(self, run: Run) -> bool:
        """Whether all is there that the run made."""
        made = self._looked_up(run.made)
        return all(id in made and made[id].state is ArtifactState.PRESENT for id in run.made)

    def data(self, ids: Collection[str]) -> dict[str, str]:
        found = self._looked_up([ArtifactId(id) for id in ids])
        return {id: artifact.data for id, artifact in found.items() if artifact.data}

    def _looked_up(self, ids: Collection[ArtifactId]) -> dict[ArtifactId, Artifact]:
        if not self._known.keys() >= set(ids):
            with self._store.reading() as tx:
                self.learn(tx, ids)
        return {id: self._known[id] for id in ids if id in self._known}


def _past_runs(
    store: Store, tx: Connection, version: Version, results: Mapping[CellHandle, Result], wish: Wish
) -> PastRuns:
    settled = {handle for handle, result in results.items() if result.current}
    unsettled = {cell.spec.hash for cell in version.cells if cell.handle not in settled}
    environments = {cell.spec.hash: wish.environment.of(cell.spec, version.packages) for cell in version.cells}
    archive = _Archive(store, wish, branches.get(tx, version.ref.branch).project, unsettled, environments)
    last = {handle: result.run for handle, result in results.items()}
    archive.learn(tx, frozenset[ArtifactId]().union(*(run.made for run in last.values())))
    expected = {cell.handle: environments[cell.spec.hash] for cell in version.cells}
    own = {handle: run for handle, run in last.items() if run.environment == expected.get(handle)}
    frozen = {cell.handle: last[cell.handle] for cell in version.cells if cell.frozen and cell.handle in last}
    return PastRuns(
        own=own,
        others=archive.others,
        usable=archive.is_usable,
        outside_digest=outside_digest,
        fresh=frozenset(wish.fresh),
        data=archive.data,
        frozen={h: run for h, run in frozen.items() if run.state is CellState.DONE and archive.is_present(run)},
        specs=versions.specs(tx, {run.spec for run in own.values()}),
    )
