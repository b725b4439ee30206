"""Publishing a dataset of one project for all others."""

from __future__ import annotations

from trailbook.errors import Invalid, NotFound
from trailbook.model.artifacts import ArtifactKind
from trailbook.model.base import CellHandle, PersonId, now
from trailbook.model.notebook import VersionRef
from trailbook.model.publications import Publication, PublishedDataset
from trailbook.store import artifacts, branches, projects, publications, runs
from trailbook.store.store import Store


def publish(store: Store, name: str, ref: VersionRef, cell: CellHandle, dataset: str, person: PersonId) -> Publication:
    """Make what a cell of a version shows the next edition under a name."""
    with store.writing() as tx:
        result = runs.results(tx, ref).get(cell)
        id = result.run.writes.get(dataset) if result else None
        if id is None:
            made = ", ".join(result.run.writes) if result else "nothing yet"
            raise NotFound(f"Cell {cell} shows no dataset {dataset}; it made {made}.", what="dataset", id=dataset)
        if artifacts.get(tx, id).kind is not ArtifactKind.DATASET:
            raise Invalid(f"{dataset} is no dataset. Only datasets can be published.")
        publication = Publication(
            name=name,
            edition=publications.last_edition(tx, name) + 1,
            artifact=id,
            project=branches.get(tx, ref.branch).project,
            made=ref,
            cell=cell,
            dataset=dataset,
            person=person,
            time=now(),
        )
        publications.add(tx, publication)
    return publication


def withdraw(store: Store, name: str, edition: int) -> Publication:
    """Offer an edition no longer; who has read it keeps it."""
    with store.writing() as tx:
        return publications.set_withdrawn(tx, name, edition, now())


def restore(store: Store, name: str, edition: int) -> Publication:
    """Offer an edition again that was withdrawn."""
    with store.writing() as tx:
        return publications.set_withdrawn(tx, name, edition, None)


def published(store: Store) -> list[PublishedDataset]:
    """The newest edition under each name."""
    with store.reading() as tx:
        found = publications.newest(tx)
        known = artifacts.many(tx, [one.artifact for one in found])
        return [
            PublishedDataset(
                publication=one, artifact=known[one.artifact], project_name=projects.get(tx, one.project).name
            )
            for one in found
        ]
