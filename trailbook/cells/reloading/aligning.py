"""Which row of a load is which row of the one before: by key, then by identical content, then by best match."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING

from trailbook.cells.reloading import fingerprints, matching, pairing
from trailbook.cells.reloading.fingerprints import NEW, OLD
from trailbook.cells.reloading.hashing import distinct_values
from trailbook.cells.reloading.pairing import MOST_ROWS
from trailbook.engine.tasks import Piece, on_workers
from trailbook.store.parquet import part_starts

if TYPE_CHECKING:
    from pyspark.sql.connect.session import SparkSession

BUCKET_VALUES = 20_000_000
"""About how many values of both loads a task takes on."""


@dataclass(frozen=True)
class Loads:
    """Where the rows were and are, how many, which columns are in both, and which of those name a row."""

    before: Path
    now: Path
    rows: tuple[int, int]
    columns: Sequence[str]
    keys: Sequence[str]


@dataclass(frozen=True)
class Counts:
    """How many rows there were and are, how many of them are in both, and how many of those as they were, or moved."""

    before: int
    now: int
    kept: int
    same: int
    moved: int

    @property
    def added(self) -> int:
        return self.now - self.kept

    @property
    def removed(self) -> int:
        return self.before - self.kept

    @property
    def altered(self) -> int:
        return self.kept - self.same

    @property
    def is_in_place(self) -> bool:
        """Whether each row is where it was."""
        return not (self.added or self.removed or self.moved)


@dataclass(frozen=True)
class Altered:
    """Where a row was and is, and the numbers of those columns in both loads in which it differs."""

    was: int
    now: int
    columns: Sequence[int]


@dataclass(frozen=True)
class Alignment:
    """The rows that are in both loads, and where the first ones are that are not, or are altered."""

    pairs: Path
    """A folder of matrices: a position before and one now in each row."""
    counts: Counts
    added: list[int]
    removed: list[int]
    altered: list[Altered]
    altered_values: dict[str, int]
    has_given_up: bool
    """Too many rows were left to look for those that are alike."""


def align(session: SparkSession, loads: Loads, folder: Path) -> Alignment:
    """Find the rows again; what is put down for that goes into the folder."""
    told, sketches = _paired(session, loads, folder) if loads.columns else ([_none(loads)], [])
    values = len(loads.columns) * sum(one["left"] for one in told)
    has_given_up = values > matching.MOST_VALUES
    if values and not has_given_up:
        piece = {"folder": str(folder), "distinct": distinct_values(sketches)}
        told += on_workers(session, matching.match, [piece])
    alone = [one["alone"] for one in told] + [one["unmatched"] for one in told if has_given_up]
    altered = map(sum, zip(*(one["altered_values"] for one in told), strict=True))
    return Alignment(
        pairs=folder / "pairs",
        counts=Counts(*loads.rows, *(sum(one[name] for one in told) for name in ("kept", "same", "moved"))),
        added=sorted(chain(*(one[NEW] for one in alone)))[:MOST_ROWS],
        removed=sorted(chain(*(one[OLD] for one in alone)))[:MOST_ROWS],
        altered=sorted((Altered(*each) for one in told for each in one["altered"]), key=attrgetter("now"))[:MOST_ROWS],
        altered_values={name: count for name, count in zip(loads.columns, altered, strict=True) if count},
        has_given_up=has_given_up,
    )


def _none(loads: Loads) -> Piece:
    """What there is to know of loads that have no column in common."""
    alone = {side: list(range(min(rows, MOST_ROWS))) for side, rows in zip((OLD, NEW), loads.rows, strict=True)}
    return {"kept": 0, "same": 0, "moved": 0, "left": 0, "altered": [], "altered_values": [], "alone": alone}


def _paired(session: SparkSession, loads: Loads, folder: Path) -> tuple[list[Piece], list[list[list[int]]]]:
    """Pair rows by key and content: what each bucket of them told, and sketches of the columns as they were."""
    buckets = 1 + sum(loads.rows) * len(loads.columns) // BUCKET_VALUES
    known = {"folder": str(folder), "columns": list(loads.columns), "keys": list(loads.keys), "buckets": buckets}
    pieces = [
        {**known, "side": side, "part": str(directory / part), "start": start, "other": str(_a_part(other))}
        for side, directory, other in ((OLD, loads.before, loads.now), (NEW, loads.now, loads.before))
        for part, start in part_starts(directory).items()
    ]
    told = on_workers(session, fingerprints.fingerprint, pieces)
    sketches = [one["sketches"] for piece, one in zip(pieces, told, strict=True) if piece["side"] == OLD]
    wanted = {"folder": str(folder), "columns": len(loads.columns)}
    return on_workers(session, pairing.pair, [{**wanted, "bucket": n} for n in range(buckets)]), sketches


def _a_part(directory: Path) -> Path:
    return next(directory.glob("*.parquet"))
