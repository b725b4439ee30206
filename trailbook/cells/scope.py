"""Names as a cell sees them."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace

from trailbook.model.base import ArtifactId, CellHandle, digest_of
from trailbook.model.runs import ALL_NAMES, CASELESS_READ, FILE

FAILED = "failed:"
"""What stands before the handle of a cell in the identity of a name that it failed to make."""


@dataclass(frozen=True)
class Failed:
    """A name whose cell, the one at `number`, did not make it."""

    cell: CellHandle
    number: int

    @property
    def reason(self) -> str:
        return f"cell {self.number}, which makes it, has not come to a good end"

    @property
    def identity(self) -> str:
        return FAILED + self.cell


@dataclass(frozen=True)
class Outlook:
    """What a cell that has not finished will do with names.

    `reads` and `changes` are what it is expected to do, `might_change` is all that it could change; None is anything.
    """

    reads: frozenset[str] | None
    changes: frozenset[str] | None
    might_change: frozenset[str] | None
    is_code: bool
    """Whether it might also change what has no name: files, the state of libraries."""

    def will_change(self, key: str) -> bool:
        # Which names there are is not waited for: code that looks is rare, and runs again if it was too early.
        return key != ALL_NAMES and (self.changes is None or _is_among(key, self.changes))

    def could_change(self, key: str) -> bool:
        if self.might_change is None or _is_among(key, self.might_change):
            return True
        if key == ALL_NAMES:
            return bool(self.might_change)
        return self.is_code and not key.removeprefix(CASELESS_READ).isidentifier()


@dataclass(frozen=True)
class Scope:
    """Names with their artifacts, and names that can't be read.

    Below a cell that has not finished, names may still get another meaning: all but those that were `bound` since.
    """

    artifacts: Mapping[str, ArtifactId] = field(default_factory=dict)
    failed: Mapping[str, Failed] = field(default_factory=dict)
    unfinished: tuple[tuple[CellHandle, Outlook], ...] = ()
    bound: Mapping[str, int] = field(default_factory=dict)
    """How many of the unfinished cells stand above the one that gave the name its meaning."""

    def identity(self, key: str) -> str | None:
        """What a read meets: the same identity, the same thing. None: nothing of that name."""
        if key.startswith(CASELESS_READ):
            return ",".join(self.alike(key.removeprefix(CASELESS_READ)))
        if key == ALL_NAMES:
            return digest_of(sorted({*self.artifacts, *self.failed}))
        if key in self.failed:
            return self.failed[key].identity
        if key.startswith(FILE) and key not in self.artifacts:
            return self._folder_identity(key)
        return self.artifacts.get(key)

    def _folder_identity(self, key: str) -> str | None:
        """`./folder` says whether it is there, `./folder/` what is in it."""
        below = f"{key.rstrip('/')}/"
        names = {name.removeprefix(below).partition("/")[0] for name in self.artifacts if name.startswith(below)}
        if not names:
            return None
        return f"folder:{digest_of(sorted(names))}" if key == below else "folder:"

    def alike(self, name: str) -> list[str]:
        """The names that are the same to SQL, which does not tell upper from lower case."""
        return sorted(other for other in {*self.artifacts, *self.failed} if other.lower() == name.lower())

    def find(self, name: str) -> str | None:
        """The name as it is spelt in the scope: exact, or else the only one that differs in case."""
        if name in self.artifacts or name in self.failed:
            return name
        alike = self.alike(name)
        return alike[0] if len(alike) == 1 else None

    def failure(self, name: str) -> Failed | None:
        """Why this name can't be read, if there is such a reason."""
        spelt = self.find(name)
        return self.failed.get(spelt) if spelt else None

    def writer(self, key: str) -> CellHandle | None:
        """The cell that has to finish before it is known what the name means."""
        since = self.unfinished[self.bound.get(key, 0) :]
        return next((cell for cell, outlook in reversed(since) if outlook.will_change(key)), None)

    @property
    def may_be_written(self) -> frozenset[str]:
        """The names of which an unfinished cell above is expected to write some."""
        names = [self.artifacts.keys() if told.changes is None else told.changes for _, told in self.unfinished]
        return frozenset[str]().union(*names)

    def shaken_by(self, key: str) -> frozenset[CellHandle]:
        """The cells that could still change what the name means."""
        since = self.unfinished[self.bound.get(key, 0) :]
        return frozenset(cell for cell, outlook in since if outlook.could_change(key))

    def with_writes(self, writes: Mapping[str, ArtifactId], deletes: Collection[str] = ()) -> Scope:
        gone = {*writes, *deletes}
        return replace(
            self,
            artifacts={**{name: id for name, id in self.artifacts.items() if name not in gone}, **writes},
            failed={name: by for name, by in self.failed.items() if name not in gone},
            bound={**self.bound, **dict.fromkeys(gone, len(self.unfinished))},
        )

    def with_failure(self, names: frozenset[str], failure: Failed) -> Scope:
        without = self.with_writes({}, names)
        return replace(without, failed={**without.failed, **dict.fromkeys(names, failure)})

    def with_unfinished(self, cell: CellHandle, outlook: Outlook) -> Scope:
        return replace(self, unfinished=(*self.unfinished, (cell, outlook)))


def _is_among(key: str, names: frozenset[str]) -> bool:
    if key.startswith(FILE):
        return key in names or any(name.startswith(f"{key.rstrip('/')}/") for name in names)
    if not key.startswith(CASELESS_READ):
        return key in names
    return key.removeprefix(CASELESS_READ).lower() in {name.lower() for name in names}
