"""Datasets that projects publish for each other."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path
from pydantic import Field

from trailbook.model.base import BranchId, GivenHandle, Value
from trailbook.model.notebook import VersionRef
from trailbook.model.publications import MOST_EDITIONS, Publication, PublishedDataset
from trailbook.server.access import Bench, CurrentPerson
from trailbook.server.errors import documented
from trailbook.server.parameters import ID, LARGEST, Name
from trailbook.store import publications
from trailbook.workflow.events import DatasetPublished
from trailbook.workflow.publishing import publish, published, restore, withdraw

router = APIRouter(prefix="/publications", tags=["publications"], responses=documented())

EditionPath = Annotated[int, Path(ge=1, le=MOST_EDITIONS)]


class PublishRequest(Value):
    """The dataset that a cell of a version shows, and what it is to be published as."""

    name: Name
    branch: Annotated[BranchId, Field(pattern=ID)]
    number: Annotated[int, Field(ge=1, le=LARGEST)]
    cell: GivenHandle
    dataset: str


@router.get("")
def list_publications(bench: Bench, person: CurrentPerson) -> list[PublishedDataset]:
    """The newest edition of each dataset that was published."""
    return published(bench.store)


@router.get("/{name}")
def list_editions(name: Annotated[Name, Path()], bench: Bench, person: CurrentPerson) -> list[Publication]:
    """All editions under a name, newest first, with those that were withdrawn."""
    with bench.store.reading() as tx:
        return publications.editions(tx, name)


@router.delete("/{name}/{edition}")
def withdraw_edition(
    name: Annotated[Name, Path()], edition: EditionPath, bench: Bench, person: CurrentPerson
) -> Publication:
    """Offer an edition no longer. Cells that have loaded it keep it."""
    return withdraw(bench.store, name, edition)


@router.post("/{name}/{edition}/restore")
def restore_edition(
    name: Annotated[Name, Path()], edition: EditionPath, bench: Bench, person: CurrentPerson
) -> Publication:
    """Offer an edition again that was withdrawn."""
    return restore(bench.store, name, edition)


@router.post("", status_code=201)
def publish_dataset(body: PublishRequest, bench: Bench, person: CurrentPerson) -> Publication:
    """Publish a dataset as the next edition under a name."""
    ref = VersionRef(branch=body.branch, number=body.number)
    publication = publish(bench.store, body.name, ref, body.cell, body.dataset, person.id)
    bench.hub.publish_to_all(DatasetPublished(publication=publication))
    return publication
