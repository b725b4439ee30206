"""What the code that made a dataset said of it, in a file beside the data.

Caveats that are acknowledged mark nothing and are still among them, so the masks alone would not do.
"""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from trailbook.errors import Invalid
from trailbook.model.caveat import Caveat

REMARKS = "_remarks"
LONGEST = 64 * 1024 * 1024
"""Bytes: a caveat for each of a million values."""


@dataclass(frozen=True)
class Remarks:
    """Caveats; the names that it depends on, if not on all that was read; and which dataset it is under a new name.

    One that is `renamed`, and was not `looked` at, has been moved by code that could not know what is in it.
    """

    caveats: tuple[Caveat, ...] = ()
    depends_on: frozenset[str] | None = None
    renamed: str | None = None
    looked: bool = False

    def rests_on(self, names: Collection[str]) -> bool:
        """Whether one of these names that were read matters for it."""
        if self.depends_on is not None:
            return not self.depends_on.isdisjoint(names)
        return any(self.looked or name != self.renamed for name in names)

    def encoded(self) -> bytes:
        said = {
            "caveats": [[caveat.message, caveat.row, caveat.column] for caveat in self.caveats],
            "depends_on": None if self.depends_on is None else sorted(self.depends_on),
            "renamed": self.renamed,
            "looked": self.looked,
        }
        # Half of a surrogate pair is a character to Python, and to nobody else.
        return json.dumps(said, ensure_ascii=False).encode("utf-8", "replace")

    @classmethod
    def decoded(cls, content: bytes) -> Remarks:
        """Refuses what is not as `encoded` makes it: it may come from a process that means harm."""
        try:
            said = json.loads(content)
            names = said["depends_on"]
            return cls(
                tuple(_caveat(*one) for one in said["caveats"]),
                None if names is None else frozenset(map(_text, names)),
                None if said["renamed"] is None else _text(said["renamed"]),
                bool(said["looked"]),
            )
        except (KeyError, RecursionError, TypeError, ValueError) as error:
            raise Invalid(f"What is said of a dataset can't be read: {type(error).__name__}: {error}.") from error


NOTHING_SAID = Remarks()


def write_remarks(directory: Path, remarks: Remarks) -> None:
    """Say this of a staged dataset, and nothing else."""
    # The file may be linked to that of another dataset.
    (directory / REMARKS).unlink(missing_ok=True)
    if remarks != NOTHING_SAID:
        (directory / REMARKS).write_bytes(remarks.encoded())


def read_remarks(directory: Path) -> Remarks:
    try:
        return Remarks.decoded((directory / REMARKS).read_bytes())
    except FileNotFoundError:
        return NOTHING_SAID


def _caveat(message: Any, row: Any, column: Any) -> Caveat:
    if row is not None and type(row) is not int:
        raise TypeError(f"{row!r} is no row")
    return Caveat(_text(message), row, None if column is None else _text(column))


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is no text")
    return value
