"""Names as a cell sees them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from trailbook.model.base import ArtifactId, CellHandle


@dataclass(frozen=True)
class Failed:
    """A name whose cell, the one at `number`, did not make it."""

    cell: CellHandle
    number: int

    @property
    def reason(self) -> str:
        return f"cell {self.number}, which makes it, has not finished"

    @property
    def identity(self) -> str:
        return f"failed:{self.cell}"


@dataclass(frozen=True)
class Scope:
    """Names with their artifacts, and names that can't be read."""

    artifacts: Mapping[str, ArtifactId] = field(default_factory=dict)
    failed: Mapping[str, Failed] = field(default_factory=dict)

    def find(self, name: str) -> str | None:
        """The name as it is spelt in the scope: exact, or else the only one that differs in case, as in SQL."""
        if name in self.artifacts or name in self.failed:
            return name
        alike = [other for other in (*self.artifacts, *self.failed) if other.lower() == name.lower()]
        return alike[0] if len(alike) == 1 else None

    def identity(self, name: str) -> str | None:
        """What a read of this name meets: the same identity, the same thing. None: nothing of that name."""
        spelt = self.find(name)
        if spelt is None:
            return None
        return self.failed[spelt].identity if spelt in self.failed else self.artifacts[spelt]

    def failure(self, name: str) -> Failed | None:
        """Why this name can't be read, if there is such a reason."""
        spelt = self.find(name)
        return self.failed.get(spelt) if spelt else None

    def with_writes(self, writes: Mapping[str, ArtifactId]) -> Scope:
        failed = {name: by for name, by in self.failed.items() if name not in writes}
        return Scope({**self.artifacts, **writes}, failed)

    def with_failure(self, names: frozenset[str], failure: Failed) -> Scope:
        artifacts = {name: id for name, id in self.artifacts.items() if name not in names}
        return Scope(artifacts, {**self.failed, **dict.fromkeys(names, failure)})
