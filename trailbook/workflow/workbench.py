"""Everything a client can do with projects, branches and versions: the one door the server goes through."""

from __future__ import annotations

import threading
from collections.abc import Collection
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from sqlalchemy import Connection

from trailbook import faults
from trailbook.cells.previews.looker import Looker
from trailbook.cells.scope import FAILED
from trailbook.engine import Engine
from trailbook.kernels.environments.environments import Environments
from trailbook.kernels.isolation import settled
from trailbook.kernels.zygote import Zygote
from trailbook.model.base import BranchId, CellHandle, PersonId, ProjectId, now
from trailbook.model.edits import CellEdit, SetPackages
from trailbook.model.notebook import Branch, VersionRef
from trailbook.model.packages import Packages
from trailbook.model.runs import CellError, CellState, Run
from trailbook.settings import Settings
from trailbook.store import branches, persons, projects, runs, versions
from trailbook.store.store import Store
from trailbook.workflow import history, standing, views
from trailbook.workflow.caveat_sets import Asked
from trailbook.workflow.edits import apply_edit
from trailbook.workflow.environment import foreseen_packages, run_environment
from trailbook.workflow.events import EngineChanged, EnvironmentChanged, Hub
from trailbook.workflow.execution import Bench
from trailbook.workflow.explanation import Explanation
from trailbook.workflow.provenance import Provenance, provenance
from trailbook.workflow.runner import BranchRunner
from trailbook.workflow.slots import Slots
from trailbook.workflow.views import CellView, Notebook, ProjectSummary, Rerun, VersionSummary
from trailbook.workflow.workers.broker import require_broker

if TYPE_CHECKING:
    from trailbook.store.parquet import PageReader
    from trailbook.workflow.workers.crew import Crew

INTERRUPTED = CellError(code="interrupted", message="The server stopped while this cell ran. Run it again.")


class Workbench:
    """An open store with an engine and the runners of its branches."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings = settled(settings)
        if settings.broker:
            require_broker(settings)
        self.store = Store.open(settings)
        self.engine = Engine(settings)
        self.hub = Hub()
        self.engine.on_change(lambda status: self.hub.publish_to_all(EngineChanged(engine=status)))
        with self.store.writing() as tx:
            self.person = persons.local_person(tx, settings.person)
            _end_interrupted(tx)
        self.zygote = Zygote()
        self.looker = Looker()
        self.environments = Environments(
            settings, self.zygote, lambda one: self.hub.publish_to_all(EnvironmentChanged(environment=one))
        )
        self._crew = _crew(settings, self.store)
        self._bench = Bench(
            settings,
            self.store,
            self.engine,
            self.zygote,
            run_environment(settings),
            self.environments,
            Slots(settings.workers),
            self._crew,
        )
        self._lock = threading.Lock()
        self._runners: dict[BranchId, BranchRunner] = {}

    @cached_property
    def pages(self) -> PageReader:
        # Arrow takes a third of a second to import, which the first page can wait for, and the server can't.
        from trailbook.store.parquet import PageReader

        return PageReader()

    def close(self) -> None:
        with self._lock:
            runners = list(self._runners.values())
        for runner in runners:
            runner.cancel()
        for runner in runners:
            runner.close()
        if self._crew:
            self._crew.close()
        self.environments.close()
        self.looker.close()
        self.zygote.close()
        self.engine.stop()
        self.store.close()

    # Projects

    def projects(self, deleted: bool = False) -> list[ProjectSummary]:
        with self.store.reading() as tx:
            return [views.project_summary(tx, project) for project in projects.all(tx, deleted)]

    def project(self, id: ProjectId) -> ProjectSummary:
        with self.store.reading() as tx:
            return views.project_summary(tx, projects.get(tx, id))

    def create_project(self, name: str, person: PersonId) -> ProjectSummary:
        with self.store.writing() as tx:
            branch = history.create_project(tx, name, person)
            return views.project_summary(tx, projects.get(tx, branch.project))

    def rename_project(self, id: ProjectId, name: str) -> ProjectSummary:
        with self.store.writing() as tx:
            projects.rename(tx, id, name)
            return views.project_summary(tx, projects.get(tx, id))

    def delete_project(self, id: ProjectId) -> None:
        """Nothing is lost by it: the project is listed as deleted and can be restored."""
        with self.store.writing() as tx:
            projects.set_deleted(tx, id, now())
            doomed = branches.of_project(tx, id)
        for branch in doomed:
            self._runner(branch.id).cancel()

    def restore_project(self, id: ProjectId) -> ProjectSummary:
        with self.store.writing() as tx:
            projects.set_deleted(tx, id, None)
            return views.project_summary(tx, projects.get(tx, id))

    # Branches and versions

    def branches(self, project: ProjectId) -> list[Branch]:
        with self.store.reading() as tx:
            projects.get(tx, project)
            return branches.of_project(tx, project)

    def branch(self, id: BranchId) -> Branch:
        with self.store.reading() as tx:
            return branches.get(tx, id)

    def rename_branch(self, id: BranchId, name: str) -> Branch:
        with self.store.writing() as tx:
            branches.rename(tx, id, name)
            return branches.get(tx, id)

    def fork(self, source: VersionRef, name: str, person: PersonId) -> Branch:
        with self.store.writing() as tx:
            branch = history.fork(tx, source, name, person)
            runs.carry_results(tx, source, VersionRef(branch=branch.id, number=branch.head), current=True)
            return branch

    def versions(self, branch: BranchId, before: int | None, limit: int) -> list[VersionSummary]:
        with self.store.reading() as tx:
            branches.get(tx, branch)
            return [views.version_summary(tx, version) for version in versions.history(tx, branch, before, limit)]

    def notebook(self, ref: VersionRef) -> Notebook:
        with self._lock:
            runner = self._runners.get(ref.branch)
        live = runner.live() if runner else views.Live()
        with self.store.reading() as tx:
            return views.notebook(tx, ref, live)

    def provenance(self, ref: VersionRef) -> Provenance:
        with self.store.reading() as tx:
            version, results = versions.get(tx, ref), runs.results(tx, ref)
        return provenance(version, results)

    def head(self, branch: BranchId) -> Notebook:
        return self.notebook(VersionRef(branch=branch, number=self.branch(branch).head))

    def edit(
        self, ref: VersionRef, change: CellEdit, person: PersonId, *, branch_name: str | None, at_head: bool
    ) -> Notebook:
        """Apply an edit; what it affects starts to run."""
        packages = self._locked(ref, change) if isinstance(change, SetPackages) else None
        with self.store.writing() as tx:
            version = history.edit(tx, ref, change, person, packages=packages, branch_name=branch_name, at_head=at_head)
            runs.carry_results(tx, ref, version.ref, current=False)
        faults.reach("version.after_commit")
        if packages:
            self.environments.start(packages)
        return self._runner(version.ref.branch).wake(person)

    def _locked(self, ref: VersionRef, change: SetPackages) -> Packages:
        """Found out before the edit begins: it takes a while, for which nobody else should have to wait."""
        with self.store.reading() as tx:
            before = versions.get(tx, ref).packages
        return self.environments.lock(change.packages, before)

    def preview(self, ref: VersionRef, change: CellEdit, person: PersonId) -> list[Rerun]:
        """What an edit would make run, as far as can be told before it runs."""
        with self.store.reading() as tx:
            version = versions.get(tx, ref)
        cells = apply_edit(change, version.cells, person, now())
        wish = standing.Wish(self._bench.environment, anew={}, fresh=())
        after = version.model_copy(update={"cells": cells, "packages": foreseen_packages(change, version.packages)})
        found = standing.foresee(self.store, after, wish)
        return [Rerun(handle=handle, seconds=run.seconds if run else None) for handle, run in found.items()]

    def step(self, branch: BranchId, head: int, direction: Literal["undo", "redo"], person: PersonId) -> Notebook:
        with self.store.writing() as tx:
            history.step(tx, branch, head, direction, person)
        return self._runner(branch).wake(person)

    def head_packages(self, branch: BranchId) -> Packages:
        with self.store.reading() as tx:
            return standing.head_of(tx, branch).packages

    def explanation(self, ref: VersionRef, asked: Asked) -> Explanation:
        """Why something of a dataset of this version is in doubt."""
        return Explanation(self.store, self.engine, self.pages, ref, asked)

    # Running

    def run(self, branch: BranchId, cells: Collection[CellHandle] | None, anew: bool, person: PersonId) -> Notebook:
        """Run what is not up to date of `cells` (None: all) and what they need; those that failed too, or with `anew`
        every one of `cells`."""
        notebook = self.head(branch)
        self.environments.start(notebook.packages)
        chosen = notebook.cells if cells is None else _with_failed_needs(notebook, cells)
        unsuccessful = (CellState.ERROR, CellState.CANCELLED)
        can_run = [cell for cell in chosen if not cell.frozen]
        again = [cell.handle for cell in can_run if anew or (cell.run and cell.run.state in unsuccessful)]
        return self._runner(branch).wake(person, again, cells)

    def resume(self) -> None:
        """Go on where a crash cut cells off: in the branches whose heads still have them."""
        with self.store.reading() as tx:
            wanted = {branch: _wanted(tx, branch, ended) for branch, ended in runs.ended_by(tx, INTERRUPTED).items()}
        for branch, cut_off in wanted.items():
            if cut_off:
                self._runner(branch).wake(cut_off[0].person)

    def cancel(self, branch: BranchId, cells: Collection[CellHandle] | None) -> Notebook:
        self._runner(branch).cancel(cells)
        return self.head(branch)

    def _runner(self, branch: BranchId) -> BranchRunner:
        with self._lock:
            if branch not in self._runners:
                self._runners[branch] = BranchRunner(self._bench, self.hub, branch)
            return self._runners[branch]


def _crew(settings: Settings, store: Store) -> Crew | None:
    if not settings.broker:
        return None
    from trailbook.workflow.workers.crew import Crew

    return Crew(settings, store)


def _with_failed_needs(notebook: Notebook, cells: Collection[CellHandle]) -> list[CellView]:
    """The cells, and those that failed to make what they read."""
    known = {cell.handle: cell for cell in notebook.cells}
    found: dict[CellHandle, CellView] = {}
    left = [handle for handle in cells if handle in known]
    while left:
        cell = known[left.pop()]
        if cell.handle not in found:
            found[cell.handle] = cell
            met = cell.run.reads.values() if cell.run else ()
            needs = {
                cell.waits_for,
                *(CellHandle(id.removeprefix(FAILED)) for id in met if id and id.startswith(FAILED)),
            }
            left += [handle for handle in needs if handle in known]
    return list(found.values())


def _end_interrupted(tx: Connection) -> None:
    """Runs that a crash cut off have ended; nothing else will ever say so."""
    for run in runs.running(tx):
        runs.update(tx, run.model_copy(update={"state": CellState.CANCELLED, "finished": now(), "error": INTERRUPTED}))


def _wanted(tx: Connection, branch: BranchId, cut_off: list[Run]) -> list[Run]:
    """Those that the head of the branch still has, and nothing in their place."""
    if projects.get(tx, branches.get(tx, branch).project).deleted is not None:
        return []
    head = standing.head_of(tx, branch)
    cells = {(cell.handle, cell.spec.hash) for cell in head.cells}
    results = runs.results(tx, head.ref)
    replaced = {cell for cell, result in results.items() if result.current and result.run.error != INTERRUPTED}
    return [run for run in cut_off if (run.cell, run.spec) in cells and run.cell not in replaced]
