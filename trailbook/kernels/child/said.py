"""What a cell's code says of a dataset that it saves: caveats, and what it depends on."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from trailbook.kernels.child.errors import BadDataset
from trailbook.kernels.child.frames.kinds import Kind, kind_of

if TYPE_CHECKING:
    from trailbook.model.caveat import Caveat


@dataclass(frozen=True)
class Said:
    """As it was said. To depend on None is to depend on all that the cell reads."""

    caveats: tuple[Caveat, ...] = ()
    depends_on: frozenset[str] | None = None

    @classmethod
    def of(cls, caveats: Iterable[Caveat], depends_on: Iterable[str] | None) -> Said:
        if isinstance(depends_on, str):
            raise BadDataset(f"depends_on takes a list of names: write depends_on=[{depends_on!r}].")
        return cls(tuple(caveats), None if depends_on is None else frozenset(depends_on))

    def check(self, name: str, frame: Any, names_read: Collection[str]) -> None:
        """Refuse what can't be meant, before anything is written."""
        unread = next((one for one in sorted(self.depends_on or (), key=str) if one not in names_read), None)
        if unread is not None:
            known = ", ".join(names_read) or "nothing"
            raise BadDataset(f"{name} can't depend on {unread}, which this cell has not read. It has read: {known}.")
        has_rows = any(getattr(caveat, "row", None) is not None for caveat in self.caveats)
        if has_rows and kind_of(frame) is Kind.SPARK:
            raise BadDataset(
                f"The rows of {name}, a Spark frame, have no positions. Save frame.toPandas(), or give caveats"
                " about columns."
            )

    def write(self, name: str, directory: str) -> None:
        """Write it beside the data that is there by now."""
        if self == Said():
            return
        from trailbook.caveats.given import checked
        from trailbook.errors import Invalid
        from trailbook.store.remarks import LONGEST, REMARKS, Remarks

        try:
            remarks = Remarks(checked(name, self.caveats, *_shape(Path(directory))), self.depends_on)
        except Invalid as error:
            raise BadDataset(error.message) from None
        if len(content := remarks.encoded()) > LONGEST:
            raise BadDataset(f"{name} has {len(self.caveats):,} caveats, which is too many. Give one for a column.")
        (Path(directory) / REMARKS).write_bytes(content)


def _shape(directory: Path) -> tuple[list[str], int]:
    """The columns of a dataset, and the number of its rows."""
    from pyarrow.parquet import read_metadata

    parts = [read_metadata(part) for part in sorted(directory.glob("*.parquet"))]
    return parts[0].schema.to_arrow_schema().names, sum(part.num_rows for part in parts)
