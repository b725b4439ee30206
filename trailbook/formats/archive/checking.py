"""Whether the records of an archive fit together: nothing is named that is not there, and nothing leads in circles."""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache
from graphlib import CycleError, TopologicalSorter

from trailbook.cells.workfiles import EMPTY
from trailbook.errors import BadPackages
from trailbook.formats.archive import layout
from trailbook.formats.archive.entries import refusal
from trailbook.formats.archive.layout import ArchivedArtifact, ArchivedVersion, R, Records
from trailbook.formats.archive.reading import Archive, require_moments
from trailbook.kernels.environments.requirements import checked as checked_packages
from trailbook.model.artifacts import ArtifactKind, ArtifactState, UploadedFile
from trailbook.model.base import ArtifactId, BranchId, Digest, PersonId, RunId, now
from trailbook.model.names import LONGEST_NAME, is_visible
from trailbook.model.notebook import Branch, Person, Spec
from trailbook.model.runs import DOUBT_OF, FILE, PREVIOUS, CellState, Run, artifacts_among
from trailbook.settings import MIB
from trailbook.store.artifacts import Pin
from trailbook.store.heads import HeadMove
from trailbook.store.sql import LARGEST_NUMBER
from trailbook.workflow.history import possible_steps

ENDED = (CellState.DONE, CellState.ERROR, CellState.CANCELLED)
LARGEST_CONTENT = MIB
"""Bytes of a value that is kept in its record."""
_ID = re.compile(r"[0-9a-f]{64}")
_HANDLE = re.compile(r"[A-Za-z0-9_-]{1,64}")
_ENVIRONMENT = re.compile(r"[0-9a-z]{1,64}")


class _Wrong(Exception):
    """What is wrong with the record at hand."""


@dataclass
class Inventory:
    """What an archive was found to have."""

    persons: set[PersonId] = field(default_factory=set)
    specs: set[Digest] = field(default_factory=set)
    branches: dict[BranchId, str] = field(default_factory=dict)
    artifacts: dict[ArtifactId, ArtifactKind] = field(default_factory=dict)
    present: set[ArtifactId] = field(default_factory=set)
    """Those whose content is among the entries."""
    makers: dict[ArtifactId, RunId] = field(default_factory=dict)
    runs: dict[RunId, list[ArtifactId]] = field(default_factory=dict)
    """What each run read."""
    versions: set[str] = field(default_factory=set)
    """Each as `branch/number`."""
    moves: dict[BranchId, list[HeadMove]] = field(default_factory=dict)


def check(archive: Archive) -> Inventory:
    """Refuse an archive that the store could not hold, or that would not work as a project."""
    checker = _Checker(archive, Inventory(), now())
    checker.check()
    return checker.known


@dataclass(frozen=True)
class _Checker:
    archive: Archive
    known: Inventory
    time: datetime

    def check(self) -> None:
        self._each(layout.PERSONS, self._person)
        self._project()
        self._each(layout.SPECS, self._spec)
        self._each(layout.BRANCHES, self._branch)
        self._each(layout.RECORDED_ARTIFACTS, self._artifact)
        self._each(layout.RUNS, self._run)
        self._makers()
        self._each(layout.VERSIONS, self._version)
        self._each(layout.MOVES, self._move)
        self._heads()
        self._each(layout.UPLOADS, self._upload)
        self._each(layout.PINS, self._pin)
        self._files()

    def _each(self, kind: Records[R], check: Callable[[R], None]) -> None:
        for line, record in self.archive.records(kind):
            try:
                check(record)
            except _Wrong as wrong:
                raise refusal(kind.entry, str(wrong), line) from wrong

    def _project(self) -> None:
        project = self.archive.manifest.project
        if project.person not in self.known.persons or not _is_name(project.name):
            raise refusal(layout.MANIFEST, "the project's name, or person, is none")

    def _person(self, person: Person) -> None:
        _require(is_visible(person.name) and len(person.name) <= LONGEST_NAME, f"{person.name!r} is no name")
        _require_new(person.id, self.known.persons, "person")
        self.known.persons.add(person.id)

    def _spec(self, spec: Spec) -> None:
        for one in spec.acknowledged:
            _require_known(one.person, self.known.persons, "person")
            require_moments(one, layout.SPECS.entry)
        try:
            hash_ = spec.hash
        except ValueError as error:
            raise _Wrong(f"its parameters have no hash ({error})") from error
        _require_new(hash_, self.known.specs, "spec")
        self.known.specs.add(hash_)

    def _branch(self, branch: Branch) -> None:
        _require(branch.project == self.archive.manifest.project.id, f"branch {branch.id} is of another project")
        _require(_is_name(branch.name), f"{branch.name!r} is no name of a branch")
        _require(branch.name not in self.known.branches.values(), f"two branches are called {branch.name}")
        _require_new(branch.id, self.known.branches, "branch")
        _require_known(branch.person, self.known.persons, "person")
        self.known.branches[branch.id] = branch.name

    def _artifact(self, artifact: ArchivedArtifact) -> None:
        id = artifact.id
        _require(bool(_ID.fullmatch(id)), f"{id!r} is no artifact's id")
        _require_new(id, self.known.artifacts, "artifact")
        _require(0 <= artifact.size < 2**63 and 0 <= (artifact.rows or 0) < 2**63, f"artifact {id} has no such size")
        _require(math.isfinite(artifact.seconds) and artifact.seconds >= 0, f"artifact {id} took no such time")
        _require(len(artifact.media_type) <= LONGEST_NAME, f"artifact {id} is of no such type")
        if artifact.content is not None:
            is_value = artifact.kind is ArtifactKind.VALUE and artifact.state is ArtifactState.PRESENT
            _require(is_value and len(artifact.content) <= LARGEST_CONTENT, f"artifact {id} can't be in its record")
            found = hashlib.sha256(artifact.content).hexdigest()
            _require(found == id, f"the content of artifact {id} has the digest {found}")
        elif artifact.state is ArtifactState.PRESENT:
            self.known.present.add(id)
        if artifact.run is not None:
            self.known.makers[id] = artifact.run
        self.known.artifacts[id] = artifact.kind

    def _run(self, run: Run) -> None:
        _require_new(run.id, self.known.runs, "run")
        _require(bool(_HANDLE.fullmatch(run.cell)), f"run {run.id} is of no cell")
        _require(bool(_ENVIRONMENT.fullmatch(run.environment)), f"run {run.id} has no environment")
        _require_known(run.spec, self.known.specs, "spec")
        _require_known(run.person, self.known.persons, "person")
        # Cells that were cut off are run again at the next start, which nobody may ask for but the people here.
        _require(run.state in ENDED and run.finished is not None, f"run {run.id} has not ended")
        # One from the future would be newer than whatever somebody runs to replace it.
        _require(run.started <= self.time, f"run {run.id} starts in the future; is the clock of this machine right?")
        _require(run.started <= (run.finished or run.started), f"run {run.id} ends before it starts")
        read = list(artifacts_among(run.reads).values())
        for id in (*read, *run.made):
            _require_known(id, self.known.artifacts, "artifact")
        for name, id in run.writes.items():
            self._written(name, id)
        # What was loaded before is compared, and no part of what was made: a source may come back to what it was.
        made_of = {name: id for name, id in run.reads.items() if not name.startswith(PREVIOUS)}
        self.known.runs[run.id] = list(artifacts_among(made_of).values())

    def _written(self, name: str, id: ArtifactId) -> None:
        """Files are put where their names say whenever a cell below runs, and that not in a sandbox."""
        file = name.removeprefix(DOUBT_OF)
        if file.startswith(FILE):
            folders = file.removeprefix(FILE).removesuffix(EMPTY).split("/")
            _require({"", ".", ".."}.isdisjoint(folders) and "\0" not in file, f"{file!r} is no file of a cell")
        if name.startswith(FILE):
            _require(self.known.artifacts[id] is ArtifactKind.FILE, f"{name} is artifact {id}, which is no file")

    def _makers(self) -> None:
        """Reasons are looked for from what was made to what it was made of, which must come to an end."""
        graph: TopologicalSorter[ArtifactId] = TopologicalSorter()
        for id, maker in self.known.makers.items():
            if maker not in self.known.runs:
                raise refusal(layout.RECORDED_ARTIFACTS.entry, f"artifact {id} names the run {maker}, which is none")
            graph.add(id, *self.known.runs[maker])
        try:
            graph.prepare()
        except CycleError as error:
            around = " from ".join(error.args[1])
            raise refusal(layout.RECORDED_ARTIFACTS.entry, f"artifacts are made in a circle: {around}") from error

    def _version(self, version: ArchivedVersion) -> None:
        _require_known(version.ref.branch, self.known.branches, "branch")
        _require(0 < version.ref.number <= LARGEST_NUMBER, f"no version has the number {version.ref.number}")
        _require_new(str(version.ref), self.known.versions, "version")
        for parent in version.parents:
            is_before = str(parent) in self.known.versions
            _require(is_before, f"version {version.ref} has a parent {parent} that does not come before it")
        handles = {cell.handle for cell in version.cells}
        _require(len(handles) == len(version.cells), f"version {version.ref} has a cell twice")
        for cell in version.cells:
            _require_known(cell.spec, self.known.specs, "spec")
            if cell.run is not None:
                _require_known(cell.run, self.known.runs, "run")
        _require_known(version.person, self.known.persons, "person")
        for line in (*version.packages.wanted, *version.packages.locked):
            _require_package(line)
        self.known.versions.add(str(version.ref))

    def _move(self, move: HeadMove) -> None:
        _require_known(f"{move.branch}/{move.number}", self.known.versions, "version")
        _require_known(move.person, self.known.persons, "person")
        self.known.moves.setdefault(move.branch, []).append(move)

    def _heads(self) -> None:
        if not self.known.branches:
            raise refusal(layout.BRANCHES.entry, "the project has no branch")
        for branch, name in self.known.branches.items():
            try:
                possible_steps(self.known.moves[branch])
            except (KeyError, IndexError) as error:
                raise refusal(layout.MOVES.entry, f"the head of branch {name} can't have moved so") from error

    def _upload(self, upload: UploadedFile) -> None:
        _require(upload.project == self.archive.manifest.project.id, f"{upload.name!r} is of another project")
        is_base_name = _is_name(upload.name) and not {"/", "\\"} & {*upload.name} and upload.name not in (".", "..")
        _require(is_base_name, f"{upload.name!r} is no name of a file")
        _require(0 <= upload.size < 2**63, f"{upload.name} has no such size")
        is_file = self.known.artifacts.get(upload.artifact) is ArtifactKind.FILE
        _require(is_file, f"{upload.name} is artifact {upload.artifact}, which is no file of the archive")
        _require_known(upload.person, self.known.persons, "person")

    def _pin(self, pin: Pin) -> None:
        _require_known(pin.artifact, self.known.artifacts, "artifact")
        _require_known(pin.person, self.known.persons, "person")

    def _files(self) -> None:
        found = self.archive.files()
        for id in found.keys() ^ self.known.present:
            problem = "no record says that it is there" if id in found else "its record says that it is there"
            raise refusal(f"{layout.ARTIFACTS}/{id}", problem)
        for id, entries in found.items():
            is_folder = self.known.artifacts[id] is ArtifactKind.DATASET
            if {entry.count("/") > 1 for entry in entries} != {is_folder}:
                raise refusal(entries[0], f"it is not what a {self.known.artifacts[id]} is kept as")


def _require(holds: bool, otherwise: str) -> None:
    if not holds:
        raise _Wrong(otherwise)


def _require_known(id: object, known: Collection[object], noun: str) -> None:
    _require(id in known, f"it names the {noun} {id}, which is not there")


def _require_new(id: object, known: Collection[object], noun: str) -> None:
    _require(id not in known, f"the {noun} {id} is there twice")


@lru_cache(maxsize=4096)
def _require_package(line: str) -> None:
    try:
        checked_packages([line], allow_urls=True)
    except BadPackages as error:
        raise _Wrong(error.message) from error


def _is_name(text: str) -> bool:
    return bool(text.strip()) and len(text) <= LONGEST_NAME and is_visible(text)
