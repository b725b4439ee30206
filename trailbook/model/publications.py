"""Publications: datasets that other projects may read, under a name of their own."""

from __future__ import annotations

from datetime import datetime

from trailbook.model.artifacts import Artifact
from trailbook.model.base import ArtifactId, CellHandle, PersonId, ProjectId, Value
from trailbook.model.notebook import VersionRef


class Publication(Value):
    """One edition of a dataset, numbered from 1. It never changes: what is published anew is the next edition.

    `dataset` is what it was called where it was made: by `cell` of the version `made`, of `project`.
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


class PublishedDataset(Value):
    """An edition, with what is known of its data."""

    publication: Publication
    artifact: Artifact
    project_name: str
