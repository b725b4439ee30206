"""The load before this one, with which it is compared."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from pydantic import ValidationError

from trailbook.cells.context import RunContext
from trailbook.cells.loaded import Loaded
from trailbook.cells.raw import RawTable
from trailbook.cells.reloading.drift import Drift, drift_between
from trailbook.lenses.types.decision import Given
from trailbook.model.artifacts import Artifact, ArtifactKind
from trailbook.model.base import ArtifactId
from trailbook.model.runs import PREVIOUS
from trailbook.store.decisions import read_decisions
from trailbook.store.row_names import own_load


@dataclass(frozen=True)
class Previous:
    """The dataset that was shown before."""

    artifact: Artifact
    directory: Path

    @property
    def columns(self) -> dict[str, str]:
        """The types of its columns."""
        if self._loaded:
            return self._loaded.types
        return {column.name: column.type for column in self.artifact.columns}

    @cached_property
    def load(self) -> str:
        """What those of its rows are called by that have no other name."""
        return own_load(self.directory, self.artifact)

    def still_given(self, types: Mapping[str, Given], table: RawTable) -> dict[str, Given]:
        """What is said of columns, but for those that are gone: that is told, and stops nobody."""
        there = {column.name for column in table.columns}
        return {name: given for name, given in types.items() if name in there or name not in self.columns}

    def drift_to(self, loaded: Loaded, types: Mapping[str, Given]) -> tuple[Drift, ...]:
        """What became of its columns, but for those whose types somebody settled."""
        known = self._loaded.drift if self._loaded else ()
        settled = {name for name, given in types.items() if given.is_settled}
        return drift_between(self.columns, loaded.types, known=known, since=self.when, settled=settled)

    @property
    def when(self) -> str:
        """The load, for people."""
        return f"{self.artifact.created:%Y-%m-%d %H:%M}"

    @cached_property
    def _loaded(self) -> Loaded | None:
        try:
            return Loaded.model_validate({"name": "previous", **read_decisions(self.directory)})
        except ValidationError:
            # Another cell made it, and decided about other things.
            return None


def find_previous(context: RunContext, name: str, id: str) -> Previous | None:
    """The dataset of that id, if it is there; the read is recorded as that of what was loaded as `name` before."""
    artifact = context.shelf.artifacts([ArtifactId(id)]).get(ArtifactId(id)) if id else None
    if artifact and artifact.kind is ArtifactKind.DATASET and context.files.has(artifact.id):
        context.reads[PREVIOUS + name] = artifact.id
        return Previous(artifact, context.files.path(artifact.id))
    if id:
        context.note("What was loaded before is no longer in the store, so nothing is said of what changed.")
    return None
