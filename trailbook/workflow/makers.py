"""Who made the datasets of a version, in this project or, where one was published, in another."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from sqlalchemy import Connection

from trailbook.errors import NotFound
from trailbook.model.artifacts import Artifact, ArtifactKind
from trailbook.model.base import ArtifactId, CellHandle, Json
from trailbook.model.notebook import Spec, VersionRef
from trailbook.model.publications import Publication, edition_of
from trailbook.model.runs import CAPTURED, DOUBT_OF, PUBLISHED, TAKEN_IN, Run
from trailbook.store import artifacts, publications, runs, versions
from trailbook.store.decisions import read_decisions
from trailbook.store.remarks import Remarks, read_remarks
from trailbook.store.store import Store

PAST = -1


@dataclass(frozen=True)
class Made:
    """A dataset with the cell that made it, as it was then, and where that cell stands in the version.

    What no cell of the version shows any more is of the PAST. `datasets` are those of the version.
    """

    datasets: Datasets
    artifact: Artifact
    name: str
    remarks: Remarks
    cell: CellHandle
    position: int
    spec: Spec
    reads: Mapping[str, Artifact]
    decisions: Mapping[str, Json]

    @cached_property
    def inputs(self) -> dict[str, Artifact]:
        """The datasets that the run read, by their names in lower case."""
        return {name.lower(): artifact for name, artifact in self.reads.items()}

    def spelt(self, name: str) -> str:
        """What the run called something that it read."""
        return next(read for read in self.reads if read.lower() == name.lower())


class Datasets:
    """The datasets of a version by who made them.

    It may be one of another project, which was come to `through` publications.
    """

    def __init__(self, store: Store, ref: VersionRef, through: tuple[Publication, ...] = ()) -> None:
        self._store = store
        self.ref = ref
        self.through = through
        with store.reading() as tx:
            cells = versions.get(tx, ref).cells
            self._handles = [cell.handle for cell in cells]
            self._results = {handle: result.run for handle, result in runs.results(tx, ref).items()}
        read = {name for run in self._results.values() for name in run.reads}
        self.may_have_acknowledged = any(cell.spec.acknowledged for cell in cells) or any(
            name.startswith(PUBLISHED) for name in read
        )

    @property
    def publication(self) -> Publication | None:
        """The last one on the way here."""
        return self.through[-1] if self.through else None

    def named(self, cell: CellHandle, name: str) -> Made:
        """The dataset that a cell shows under a name."""
        if cell not in self._handles:
            raise NotFound(f"There is no cell {cell} in this version.", what="cell", id=cell)
        run = self._results.get(cell)
        if run is None or name not in run.writes:
            made = ", ".join(run.writes if run else ()) or "none"
            raise NotFound(f"Cell {cell} made no dataset {name}. Known: {made}.", what="dataset", id=name)
        return self._load(run.writes[name], name, cell, run, self._handles.index(cell))

    def maker(self, name: str, reader: Made) -> Made | None:
        """Who made what was read under a name: the nearest cell above, or else whoever made it first.

        Several cells may have made the same. From the past the way leads to the past only, so that it has an end.
        What the reader took in from elsewhere, nobody made.
        """
        if name.lower().startswith(CAPTURED):
            return None
        if name.lower().startswith(PUBLISHED):
            return self._publisher(reader.spelt(name), reader)
        artifact = reader.reads.get(name) or reader.inputs[name.lower()]
        return self._nearest(name, artifact.id, reader.position) or self._first_maker(artifact, name)

    def above(self, cell: CellHandle, name: str, id: ArtifactId) -> Made:
        """Who made what a cell of the version meets under a name."""
        made = self._nearest(name, id, self._handles.index(cell)) if cell in self._handles else None
        if made is None:
            raise NotFound(f"No cell above {cell} makes this dataset {name} any more.", what="dataset", id=name)
        return made

    def _nearest(self, name: str, id: ArtifactId, below: int) -> Made | None:
        for position in range(below - 1, PAST, -1):
            cell = self._handles[position]
            run = self._results.get(cell)
            if run and (spelt := _spelt(name, id, run)):
                return self._load(id, spelt, cell, run, position)
        return None

    def _publisher(self, read: str, reader: Made) -> Made | None:
        """Who made what was published. None if that is not known here, as of an archive from elsewhere."""
        artifact = reader.reads[read]
        with self._store.reading() as tx:
            publication = publications.find(tx, *edition_of(read))
        if publication is None or publication.artifact != artifact.id:
            return None
        there = Datasets(self._store, publication.made, (*self.through, publication))
        run = there._results.get(publication.cell)
        # The version may have run anew since: something else came out, or it has read what it had published itself.
        if run is None or run.writes.get(publication.dataset) != artifact.id or publication in self.through:
            return there._first_maker(artifact, publication.dataset)
        position = there._handles.index(publication.cell)
        return there._load(artifact.id, publication.dataset, publication.cell, run, position)

    def _first_maker(self, artifact: Artifact, name: str) -> Made | None:
        if artifact.run is None:
            return None
        with self._store.reading() as tx:
            first = runs.get(tx, artifact.run)
        called = (other for other, made in first.writes.items() if made == artifact.id)
        spelt = _spelt(name, artifact.id, first) or next(called, name)
        return self._load(artifact.id, spelt, first.cell, first, PAST)

    def _load(self, id: ArtifactId, name: str, cell: CellHandle, run: Run, position: int) -> Made:
        directory = self._store.files.path(id)
        remarks, decisions = read_remarks(directory), read_decisions(directory)
        with self._store.reading() as tx:
            spec = versions.specs(tx, [run.spec])[run.spec]
            return Made(self, artifacts.get(tx, id), name, remarks, cell, position, spec, _reads(tx, run), decisions)


def _spelt(name: str, id: ArtifactId, run: Run) -> str | None:
    """The name under which a run made this, in any spelling."""
    alike = (other for other, made in run.writes.items() if made == id and other.lower() == name.lower())
    return next(alike, None)


def _reads(tx: Connection, run: Run) -> dict[str, Artifact]:
    """The datasets that a run read, and the values in doubt, under the names it used for them."""
    names = {name: run.reads[spelt] for name, spelt in run.spellings.items()}
    names |= {name: id for name, id in run.reads.items() if name.startswith((DOUBT_OF, *TAKEN_IN))}
    known = artifacts.many(tx, [ArtifactId(id) for id in names.values() if id])
    found = {name: known[ArtifactId(id)] for name, id in names.items() if id in known}
    return {
        name: artifact
        for name, artifact in found.items()
        if artifact.kind is ArtifactKind.DATASET or not artifact.doubt.is_none
    }
