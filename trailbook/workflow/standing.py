"""How the cells of a branch's head stand: read anew from the store each time somebody asks."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from sqlalchemy import Connection

from trailbook.model.artifacts import Artifact, ArtifactState
from trailbook.model.base import ArtifactId, BranchId, CellHandle, Digest, RunId
from trailbook.model.notebook import Cell, Version, VersionRef
from trailbook.model.runs import CellState, Run
from trailbook.store import artifacts, branches, runs, versions
from trailbook.store.outside import outside_digest
from trailbook.store.runs import Result
from trailbook.store.store import Store
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
    """What counts as up to date: runs in this environment, and no older than `anew` says.

    The files that `fresh` runs read are not looked at again.
    """

    environment: Digest
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
        is_so = head_of(tx, version.ref.branch).ref == version.ref and runs.results(tx, version.ref) == results
        for handle, result in news.items() if is_so else ():
            runs.set_result(tx, version.ref, handle, result.run.id, current=result.current)
    return is_so


class _Archive:
    """Past runs of a store, with what is known of the artifacts that they made and read."""

    def __init__(self, store: Store, wish: Wish) -> None:
        self._store = store
        self._wish = wish
        self._known: dict[ArtifactId, Artifact] = {}
        self._others: dict[Digest, list[Run]] = {}

    def learn(self, tx: Connection, found: Collection[Run]) -> None:
        ids = {id for run in found for id in run.made}
        ids |= {ArtifactId(id) for run in found for name, id in run.reads.items() if id and ":" not in name}
        self._known |= artifacts.many(tx, ids - self._known.keys())

    def others(self, spec: Digest) -> list[Run]:
        """The runs of a spec in this environment that would come out the same again, newest first."""
        if spec not in self._others:
            with self._store.reading() as tx:
                found = [run for run in runs.candidates(tx, spec, self._wish.environment) if run.outside.is_repeatable]
                self.learn(tx, found)
            self._others[spec] = found
        return self._others[spec]

    def is_usable(self, handle: CellHandle, run: Run) -> bool:
        return run.started >= self._wish.anew.get(handle, run.started) and self.is_present(run)

    def is_present(self, run: Run) -> bool:
        """Whether all is there that the run made."""
        made = (self._known.get(id) for id in run.made)
        return all(artifact and artifact.state is ArtifactState.PRESENT for artifact in made)

    def data(self, id: str) -> str | None:
        artifact = self._known.get(ArtifactId(id))
        return artifact.data if artifact else None


def _past_runs(
    store: Store, tx: Connection, version: Version, results: Mapping[CellHandle, Result], wish: Wish
) -> PastRuns:
    archive = _Archive(store, wish)
    last = {handle: result.run for handle, result in results.items()}
    archive.learn(tx, last.values())
    own = {handle: run for handle, run in last.items() if run.environment == wish.environment}
    return PastRuns(
        own=own,
        others=archive.others,
        usable=archive.is_usable,
        outside_digest=outside_digest,
        fresh=frozenset(wish.fresh),
        data=archive.data,
        frozen={handle: run for handle, run in last.items() if run.state is CellState.DONE and archive.is_present(run)},
        specs=versions.specs(tx, {run.spec for run in own.values()}),
    )
