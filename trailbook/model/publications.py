"""Publications: datasets that other projects may read, under a name of their own."""

from __future__ import annotations

import re
from datetime import datetime

from trailbook.model.artifacts import Artifact
from trailbook.model.base import ArtifactId, CellHandle, PersonId, ProjectId, Value
from trailbook.model.notebook import VersionRef
from trailbook.model.runs import PUBLISHED

MOST_EDITIONS = 999_999_999
_EDITION = re.compile(r"[0-9]{1,9}")


class Publication(Value):
    """One edition of a dataset, numbered from 1. It never changes: what is published anew is the next edition.

    `dataset` is what it was called where it was made: by `cell` of the version `made`, of `project`. Who has read an
    edition keeps it when it is withdrawn; nobody else can read it any more.
    """

    name: str
    edition: int
    artifact: ArtifactId
    project: ProjectId
    made: VersionRef
    cell: CellHandle
    dataset: str
    person: PersonId
    time: datetime
    withdrawn: datetime | None = None


class PublishedDataset(Value):
    """An edition, with what is known of its data."""

    publication: Publication
    artifact: Artifact
    project_name: str


def read_of(publication: Publication) -> str:
    """What stands for an edition in the reads of a run."""
    return f"{PUBLISHED}{publication.name}:{publication.edition}"


def edition_of(read: str) -> tuple[str, int]:
    """The name and the edition that such a read means; no edition is 0.

    >>> edition_of("published:sales: north:3"), edition_of("published:sales")
    (('sales: north', 3), ('sales', 0))
    """
    whole = read.removeprefix(PUBLISHED)
    name, _, edition = whole.rpartition(":")
    return (name, int(edition)) if _EDITION.fullmatch(edition) else (whole, 0)
