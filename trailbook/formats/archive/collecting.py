"""Everything that a project's history reaches, written down as an archive has it, in one folder."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from datetime import datetime
from graphlib import TopologicalSorter
from pathlib import Path

from sqlalchemy import Connection, select

import trailbook
from trailbook.errors import Dropped, TooLarge
from trailbook.formats.archive import layout
from trailbook.formats.archive.layout import ArchivedArtifact, ArchivedCell, ArchivedVersion, Manifest, R, Records
from trailbook.model.artifacts import Artifact, ArtifactState
from trailbook.model.base import ArtifactId, BranchId, Digest, PersonId, ProjectId, RunId, now
from trailbook.model.notebook import Branch, Spec, Version, VersionRef
from trailbook.model.runs import Run, artifacts_among
from trailbook.store import artifacts, branches, heads, persons, projects, runs, tables, uploads, versions
from trailbook.store.files import ArtifactFiles
from trailbook.store.sql import chunks

_BATCH = 100


class Collector:
    """Writes the records of a project into a folder, and links the files of its artifacts beside them.

    What refers to something comes before it, so that nothing is written that the project does not lead to.
    """

    def __init__(self, tx: Connection, files: ArtifactFiles, folder: Path) -> None:
        self._tx = tx
        self._files = files
        self._folder = folder
        self._counts: dict[str, int] = {}
        self._persons: dict[PersonId, None] = {}
        self._specs: dict[Digest, None] = {}
        self._runs: dict[RunId, None] = {}
        self._artifacts: dict[ArtifactId, None] = {}
        self._makers: dict[ArtifactId, tuple[datetime, RunId]] = {}

    def collect(self, id: ProjectId) -> Manifest:
        project = projects.get(self._tx, id)
        own = branches.of_project(self._tx, id)
        (self._folder / "records").mkdir()
        self._write(layout.BRANCHES, own)
        self._write(layout.VERSIONS, self._versions(own))
        self._write(layout.MOVES, (move for branch in own for move in heads.log(self._tx, branch.id)))
        self._write(layout.RUNS, self._recorded_runs())
        self._write(layout.SPECS, self._recorded_specs())
        given = uploads.of_project(self._tx, id)[::-1]
        self._artifacts.update(dict.fromkeys(upload.artifact for upload in given))
        self._write(layout.UPLOADS, given)
        self._write(layout.RECORDED_ARTIFACTS, self._recorded_artifacts())
        self._write(layout.PINS, [pin for pin in artifacts.pins(self._tx) if pin.artifact in self._artifacts])
        self._persons[project.person] = None
        self._write(layout.PERSONS, [persons.get(self._tx, id) for id in self._persons])
        manifest = Manifest(
            trailbook=trailbook.__version__, written=now(), project=project, records=dict(sorted(self._counts.items()))
        )
        (self._folder / layout.MANIFEST).write_text(manifest.model_dump_json(indent=1), "utf-8")
        return manifest

    def _write(self, kind: Records[R], records: Iterable[R]) -> None:
        count = 0
        with (self._folder / kind.entry).open("wb") as file:
            for record in records:
                if person := getattr(record, "person", None):
                    self._persons[person] = None
                line = record.model_dump_json().encode()
                if len(line) > layout.LONGEST_LINE:
                    raise TooLarge(f"The project can't be archived: a line of {kind.entry} has {len(line):,} bytes.")
                file.write(line + b"\n")
                count += 1
        self._counts[kind.name] = count

    def _versions(self, own: list[Branch]) -> Iterator[ArchivedVersion]:
        """Parents before children, whichever branches they are on."""
        for chunk in chunks(_in_order(self._tx, own), _BATCH):
            found = {version.ref: version for version in versions.many(self._tx, chunk)}
            yield from (self._version(found[ref]) for ref in chunk)

    def _version(self, version: Version) -> ArchivedVersion:
        shown = runs.shown(self._tx, version.ref)
        self._specs.update(dict.fromkeys(cell.spec.hash for cell in version.cells))
        self._runs.update(dict.fromkeys(shown[c.handle].run for c in version.cells if c.handle in shown))
        cells = []
        for cell in version.cells:
            result = vars(shown[cell.handle]) if cell.handle in shown else {}
            cells.append(ArchivedCell(handle=cell.handle, spec=cell.spec.hash, frozen=cell.frozen, **result))
        return ArchivedVersion.model_validate({**dict(version), "cells": tuple(cells)})

    def _recorded_runs(self) -> Iterator[Run]:
        for chunk in chunks(list(self._runs), _BATCH):
            found = runs.many(self._tx, chunk)
            for id in chunk:
                self._note(found[id])
                yield found[id]

    def _note(self, run: Run) -> None:
        self._specs[run.spec] = None
        read = artifacts_among(run.reads).values()
        self._artifacts.update(dict.fromkeys((*read, *sorted(run.made))))
        # What it read was there before it, so it is not the first that made that.
        time = run.finished or run.started
        for id in run.made - set(read):
            if id not in self._makers or time < self._makers[id][0]:
                self._makers[id] = (time, run.id)

    def _recorded_specs(self) -> Iterator[Spec]:
        found = versions.specs(self._tx, list(self._specs))
        for hash_ in self._specs:
            spec = found[hash_]
            self._persons.update(dict.fromkeys(one.person for one in spec.acknowledged))
            loaded = (spec.parameters.get(name) for name in ("file", "previous"))
            self._artifacts.update({ArtifactId(id): None for id in loaded if isinstance(id, str)})
            yield spec

    def _recorded_artifacts(self) -> Iterator[ArchivedArtifact]:
        for chunk in chunks(list(self._artifacts), _BATCH):
            found, small = artifacts.many(self._tx, chunk), artifacts.contents(self._tx, chunk)
            # A Load cell may name a file that was never there.
            for artifact in (found[id] for id in chunk if id in found):
                if artifact.state is ArtifactState.PRESENT and artifact.id not in small:
                    self._link(artifact.id)
                yield self._artifact(artifact, small.get(artifact.id))

    def _artifact(self, artifact: Artifact, content: bytes | None) -> ArchivedArtifact:
        """Who made it first may be a run of another project, of which nothing is told."""
        _, first = self._makers.get(artifact.id, (None, None))
        own = {"run": first if artifact.run else None, "content": content}
        return ArchivedArtifact.model_validate({**dict(artifact), **own})

    def _link(self, id: ArtifactId) -> None:
        """Links stay, whatever becomes of the artifact while the archive is read."""
        source, target = self._files.path(id), self._folder / layout.ARTIFACTS / id
        target.parent.mkdir(exist_ok=True)
        try:
            if not source.is_dir():
                os.link(source, target)
                return
            for file in sorted(path for path in source.rglob("*") if path.is_file()):
                (target / file.relative_to(source)).parent.mkdir(parents=True, exist_ok=True)
                os.link(file, target / file.relative_to(source))
        except FileNotFoundError as error:
            raise Dropped(f"The files of artifact {id} are no longer in the store. Export again.") from error


def _in_order(tx: Connection, own: list[Branch]) -> list[VersionRef]:
    ids = [branch.id for branch in own]
    table, parents = tables.versions, tables.parents
    graph: TopologicalSorter[tuple[BranchId, int]] = TopologicalSorter()
    for id in ids:
        numbers = select(table.c.number).where(table.c.branch == id).order_by(table.c.number)
        for number in tx.execute(numbers).scalars():
            graph.add((id, number))
    for row in tx.execute(select(parents).where(parents.c.branch.in_(ids)).order_by(parents.c.position)):
        graph.add((row.branch, row.number), (row.parent_branch, row.parent_number))
    return [VersionRef(branch=branch, number=number) for branch, number in graph.static_order()]
