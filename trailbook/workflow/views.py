"""A version with its results, as people see it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from sqlalchemy import Connection

from trailbook.cells.kind import parse_if_possible
from trailbook.model.artifacts import Artifact
from trailbook.model.base import ArtifactId, CellHandle, Digest, Json, Value, digest_of
from trailbook.model.notebook import Branch, Cell, Person, Project, Version, VersionRef
from trailbook.model.packages import Packages
from trailbook.model.runs import CellState, Run
from trailbook.store import artifacts, branches, heads, persons, projects, runs, versions
from trailbook.store.runs import Result
from trailbook.workflow.history import possible_steps


class ProjectSummary(Project):
    """A project with its first branch and the time of the last change."""

    branch: str
    modified: datetime


class VersionSummary(Value):
    """A version without its cells."""

    ref: VersionRef
    parents: tuple[VersionRef, ...]
    description: str
    person: Person
    time: datetime


class Output(Value):
    """A name that a cell wrote."""

    name: str
    artifact: Artifact


class CellView(Value):
    """A cell with how it stands. `run` and `outputs` of a cell that is not done may be those of an earlier run.

    `hash` is that of what people write: what they acknowledge does not change it.
    """

    handle: CellHandle
    kind: str
    parameters: dict[str, Json]
    hash: Digest
    state: CellState
    frozen: bool = False
    waits_for: CellHandle | None = None
    run: Run | None = None
    outputs: tuple[Output, ...] = ()


class Rerun(Value):
    """A cell that an edit would make run, with the seconds that it took the last time."""

    handle: CellHandle
    seconds: float | None


class Notebook(Value):
    """A version of a branch, whole."""

    ref: VersionRef
    project: ProjectSummary
    branch: Branch
    is_head: bool
    can_undo: bool
    can_redo: bool
    parents: tuple[VersionRef, ...]
    description: str
    person: Person
    time: datetime
    packages: Packages
    cells: tuple[CellView, ...]


@dataclass(frozen=True)
class Live:
    """What the runner of a branch is about: not stored, gone with the server.

    `waiting` are the cells that are to run, or whose results are not certain yet, with the cell that each waits for, if
    it is known; `blocked` those that can't run, with the one that failed.
    """

    running: Mapping[CellHandle, Run] = field(default_factory=dict)
    waiting: Mapping[CellHandle, CellHandle | None] = field(default_factory=dict)
    blocked: Mapping[CellHandle, CellHandle] = field(default_factory=dict)

    @property
    def active(self) -> bool:
        return bool(self.running or self.waiting)


def project_summary(tx: Connection, project: Project) -> ProjectSummary:
    own = branches.of_project(tx, project.id)
    modified = heads.last_time(tx, [branch.id for branch in own])
    return ProjectSummary(**project.model_dump(), branch=own[0].id, modified=modified)


def version_summary(tx: Connection, version: Version) -> VersionSummary:
    person = persons.get(tx, version.person)
    return VersionSummary(
        ref=version.ref,
        parents=version.parents,
        description=version.description,
        person=person,
        time=version.time,
    )


def notebook(tx: Connection, ref: VersionRef, live: Live) -> Notebook:
    version = versions.get(tx, ref)
    branch = branches.get(tx, ref.branch)
    is_head = branch.head == ref.number
    back, forward = possible_steps(heads.steps(tx, branch.id))
    return Notebook(
        **version_summary(tx, version).model_dump(),
        project=project_summary(tx, projects.get(tx, branch.project)),
        branch=branch,
        is_head=is_head,
        can_undo=is_head and bool(back),
        can_redo=is_head and bool(forward),
        packages=version.packages,
        cells=cell_views(tx, version, live if is_head else Live()),
    )


def cell_views(tx: Connection, version: Version, live: Live) -> tuple[CellView, ...]:
    results = runs.results(tx, version.ref)
    written = {id for result in results.values() for id in result.run.writes.values()}
    known = artifacts.many(tx, written)
    return tuple(_cell_view(cell, results.get(cell.handle), live, known) for cell in version.cells)


def _cell_view(cell: Cell, result: Result | None, live: Live, known: Mapping[ArtifactId, Artifact]) -> CellView:
    spec = cell.spec
    view = CellView(
        handle=cell.handle,
        kind=spec.kind,
        parameters=spec.parameters,
        hash=digest_of(spec.kind, spec.parameters) if spec.acknowledged else spec.hash,
        state=CellState.DONE,
        frozen=cell.frozen,
    )
    if _is_inert(cell):
        return view
    running = live.running.get(cell.handle)
    run = result.run if result else None
    return view.model_copy(
        update={
            "state": CellState.RUNNING if running else _state(cell, result, live),
            "waits_for": live.blocked.get(cell.handle) or live.waiting.get(cell.handle),
            "run": running or run,
            "outputs": tuple(Output(name=name, artifact=known[id]) for name, id in run.writes.items()) if run else (),
        }
    )


def _state(cell: Cell, result: Result | None, live: Live) -> CellState:
    if result and result.current:
        return result.run.state
    waits = cell.handle in live.waiting or cell.handle in live.blocked
    return CellState.WAITING if waits else CellState.STALE


def _is_inert(cell: Cell) -> bool:
    kind = parse_if_possible(cell.spec)
    return kind is not None and kind.is_inert()
