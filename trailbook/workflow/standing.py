"""How the cells of a branch's head stand: read anew from the store each time somebody asks."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from itertools import chain

from sqlalchemy import Connection

from trailbook.model.artifacts import ArtifactState
from trailbook.model.base import ArtifactId, BranchId, CellHandle, Digest, RunId
from trailbook.model.notebook import Cell, Version, VersionRef
from trailbook.model.runs import Run
from trailbook.store import artifacts, branches, runs, versions
from trailbook.store.runs import Result
from trailbook.store.store import Store
from trailbook.workflow.environment import file_digest
from trailbook.workflow.resolve import PastRuns, Settled, Step, resolve


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
            past = _past_runs(tx, version, results, wish)
        # It may read large files, for which other branches' writers should not have to wait.
        steps = {cell.handle: step for cell, step in zip(version.cells, resolve(version.cells, past), strict=True)}
        news = {handle: now for handle, step in steps.items() if (now := _news(step, results.get(handle)))}
        if not news or _record(store, version, results, news):
            return Standing(version, steps)


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


def _past_runs(tx: Connection, version: Version, results: Mapping[CellHandle, Result], wish: Wish) -> PastRuns:
    others: dict[Digest, list[Run]] = {}
    for run in runs.candidates(tx, {cell.spec.hash for cell in version.cells}, wish.environment):
        others.setdefault(run.spec, []).append(run)
    last = {handle: result.run for handle, result in results.items()}
    own = {handle: run for handle, run in last.items() if run.environment == wish.environment}
    every = list(chain(own.values(), *others.values()))
    made = {id for run in every for id in run.made}
    known = artifacts.many(tx, made | {ArtifactId(id) for run in every for id in run.reads.values() if id})
    present = {id for id in made if id in known and known[id].state is ArtifactState.PRESENT}

    def usable(handle: CellHandle, run: Run) -> bool:
        return run.started >= wish.anew.get(handle, run.started) and present.issuperset(run.made)

    def data(id: str) -> str | None:
        artifact = known.get(ArtifactId(id))
        return artifact.data if artifact else None

    specs = versions.specs(tx, {run.spec for run in own.values()})
    return PastRuns(own, others, usable, file_digest, frozenset(wish.fresh), data, specs)
