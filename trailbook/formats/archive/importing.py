"""An archive becomes a project of its own: all of it, or nothing.

Ids that are the store's own are new: those of the project, its branches, runs and persons. Persons come as names of
whoever did what; they have no way in. Runs that nobody here has seen count only in the project they came with.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import BinaryIO

from sqlalchemy import Connection

from trailbook.formats.archive import layout
from trailbook.formats.archive.checking import Inventory, check
from trailbook.formats.archive.contents import StagedContents
from trailbook.formats.archive.entries import Limits
from trailbook.formats.archive.layout import ArchivedArtifact, ArchivedVersion, R, Records
from trailbook.formats.archive.reading import Archive
from trailbook.model.artifacts import UploadedFile
from trailbook.model.base import BranchId, Digest, PersonId, ProjectId, RunId, new_id, now
from trailbook.model.notebook import Branch, Cell, Person, Project, Spec, Version, VersionRef
from trailbook.model.runs import Run
from trailbook.store import artifacts, branches, heads, persons, projects, runs, uploads, versions
from trailbook.store.heads import HeadMove
from trailbook.store.runs import Shown
from trailbook.store.store import Store

_BATCH = 100


def import_archive(store: Store, file: BinaryIO, limits: Limits, person: PersonId) -> Project:
    """The project that an archive holds, in the name of the person who brings it. Nothing runs by it."""
    archive = Archive(file, limits)
    found = check(archive)
    folder = store.files.stage()
    try:
        contents = StagedContents(archive, store, folder, found.artifacts)
        contents.adopt()
        with store.writing() as tx:
            return _Importer(tx, store, archive, contents, person, _Names.new(found)).record()
    finally:
        store.files.discard(folder)


@dataclass(frozen=True)
class _Names:
    """The new ids of what has the old ones in the archive."""

    persons: Mapping[PersonId, PersonId]
    branches: Mapping[BranchId, BranchId]
    runs: Mapping[RunId, RunId]

    @classmethod
    def new(cls, found: Inventory) -> _Names:
        return cls(
            {id: PersonId(new_id()) for id in found.persons},
            {id: BranchId(new_id()) for id in found.branches},
            {id: RunId(new_id()) for id in found.runs},
        )

    def version(self, ref: VersionRef) -> VersionRef:
        return VersionRef(branch=self.branches[ref.branch], number=ref.number)


class _Importer:
    """Records an archive in one transaction."""

    def __init__(
        self,
        tx: Connection,
        store: Store,
        archive: Archive,
        contents: StagedContents,
        person: PersonId,
        names: _Names,
    ) -> None:
        self._tx = tx
        self._store = store
        self._archive = archive
        self._contents = contents
        self._person = person
        self._names = names
        self._project = ProjectId(new_id())
        self._specs: dict[Digest, Spec] = {}

    def record(self) -> Project:
        name = self._archive.manifest.project.name
        project = Project(id=self._project, name=name, person=self._person, created=now())
        projects.insert(self._tx, project)
        for one in self._records(layout.PERSONS):
            persons.insert(self._tx, Person(id=self._names.persons[one.id], name=one.name))
        for branch in self._records(layout.BRANCHES):
            self._branch(branch)
        self._record_specs()
        self._record_runs()
        for artifact in self._records(layout.RECORDED_ARTIFACTS):
            self._artifact(artifact)
        for version in self._records(layout.VERSIONS):
            self._version(version)
        for move in self._records(layout.MOVES):
            self._move(move)
        for upload in self._records(layout.UPLOADS):
            self._upload(upload)
        # Only who pinned something can take that back, so whoever brings it does it anew.
        for id in {pin.artifact for pin in self._records(layout.PINS)}:
            artifacts.pin(self._tx, id, self._person)
        return project

    def _records(self, kind: Records[R]) -> Iterator[R]:
        return (record for _, record in self._archive.records(kind))

    def _branch(self, branch: Branch) -> None:
        names = {"id": self._names.branches[branch.id], "project": self._project, "person": self._by(branch.person)}
        branches.insert(self._tx, branch.model_copy(update=names))

    def _record_specs(self) -> None:
        """Who acknowledged something belongs to the hash of a spec."""
        for spec in self._records(layout.SPECS):
            acknowledged = (one.model_copy(update={"person": self._by(one.person)}) for one in spec.acknowledged)
            self._specs[spec.hash] = Spec(**{**dict(spec), "acknowledged": tuple(acknowledged)})
        versions.insert_specs(self._tx, self._specs.values())

    def _record_runs(self) -> None:
        found = map(self._renamed, self._records(layout.RUNS))
        while batch := list(islice(found, _BATCH)):
            runs.insert_imported(self._tx, self._project, batch)

    def _renamed(self, run: Run) -> Run:
        names = {"id": self._names.runs[run.id], "spec": self._specs[run.spec].hash, "person": self._by(run.person)}
        return run.model_copy(update=names)

    def _artifact(self, artifact: ArchivedArtifact) -> None:
        maker = self._names.runs[artifact.run] if artifact.run else None
        described = self._contents.described(artifact).model_copy(update={"run": maker})
        artifacts.claim(self._tx, self._store.files, described, artifact.content)

    def _version(self, version: ArchivedVersion) -> None:
        ref = self._names.version(version.ref)
        cells = tuple(Cell(handle=c.handle, spec=self._specs[c.spec], frozen=c.frozen) for c in version.cells)
        parents = tuple(map(self._names.version, version.parents))
        names = {"ref": ref, "cells": cells, "parents": parents, "person": self._by(version.person)}
        versions.insert(self._tx, Version(**{**dict(version), **names}))
        shown = {c.handle: Shown(self._names.runs[c.run], c.current) for c in version.cells if c.run}
        runs.set_results(self._tx, ref, shown)

    def _move(self, move: HeadMove) -> None:
        names = {"branch": self._names.branches[move.branch], "person": self._by(move.person)}
        heads.append(self._tx, move.model_copy(update=names))

    def _upload(self, upload: UploadedFile) -> None:
        names = {"project": self._project, "person": self._by(upload.person)}
        uploads.add(self._tx, upload.model_copy(update=names))

    def _by(self, person: PersonId) -> PersonId:
        return self._names.persons[person]
