"""What tasks of Spark's do to find rows again, by key and by content. Rows that can be the same are in one bucket."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from trailbook.cells.reloading.fingerprints import CONTENT, IS_KEYED, KEY, NEW, OLD, POSITION, TOKENS, read, save
from trailbook.cells.reloading.hashing import together
from trailbook.engine.tasks import Piece

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from trailbook.cells.reloading.hashing import Numbers

MOST_ROWS = 300
"""Of each kind that are listed."""


def pair(piece: Piece) -> Piece:
    """Write the pairs of a bucket, and those rows that are left whose key others have, too."""
    folder, number = Path(piece["folder"]), piece["bucket"]
    old, new = (read(folder / f"{side}-{number}", piece["columns"]) for side in (OLD, NEW))
    found = _by_key(old, new)
    left_old, left_new = _others(old, found[:, 0]), _others(new, found[:, 1])
    equal = _by_content(old[left_old], new[left_new])
    found = np.concatenate([found, np.column_stack([left_old[equal[:, 0]], left_new[equal[:, 1]]])])
    rest = {OLD: old[_others(old, found[:, 0])], NEW: new[_others(new, found[:, 1])]}
    alike = {OLD: _have_key_of(rest[OLD], rest[NEW]), NEW: _have_key_of(rest[NEW], rest[OLD])}
    for side, is_alike in alike.items():
        save(rest[side][is_alike], folder / f"left-{side}", str(number))
    return {
        **told(old[found[:, 0]], new[found[:, 1]], folder, str(number)),
        "left": int(sum(is_alike.sum() for is_alike in alike.values())),
        "unmatched": {side: first(rest[side][is_alike]) for side, is_alike in alike.items()},
        "alone": {side: first(rest[side][~is_alike]) for side, is_alike in alike.items()},
    }


def told(old: Numbers, new: Numbers, folder: Path, name: str) -> Piece:
    """Write pairs of rows as positions; how many there are, what differs, and the first of those that do."""
    differ = old[:, TOKENS:] != new[:, TOKENS:]
    is_altered = differ.any(axis=1)
    pairs = np.column_stack([old[:, POSITION], new[:, POSITION]])
    save(pairs, folder / "pairs", name)
    order = np.argsort(pairs[:, 1], kind="stable")
    first_altered = order[is_altered[order]][:MOST_ROWS]
    return {
        "kept": len(pairs),
        "same": int((~is_altered).sum()),
        "moved": int((pairs[:, 0] != pairs[:, 1]).sum()),
        "altered_values": differ.sum(axis=0).tolist(),
        "altered": [[*pairs[row].tolist(), np.flatnonzero(differ[row]).tolist()] for row in first_altered],
    }


def first(rows: Numbers) -> list[int]:
    """The positions of the first rows."""
    positions: list[int] = np.sort(rows[:, POSITION])[:MOST_ROWS].tolist()
    return positions


def _by_key(old: Numbers, new: Numbers) -> Numbers:
    """Rows whose key is that of no other row, before and now."""

    def single(rows: Numbers) -> tuple[Numbers, Numbers]:
        keyed = np.flatnonzero(rows[:, IS_KEYED])
        keys, first_of, times = np.unique(rows[keyed, KEY], return_index=True, return_counts=True)
        return keys[times == 1], keyed[first_of[times == 1]]

    (keys_old, of_old), (keys_new, of_new) = single(old), single(new)
    _, at_old, at_new = np.intersect1d(keys_old, keys_new, assume_unique=True, return_indices=True)
    return np.column_stack([of_old[at_old], of_new[at_new]])


def _by_content(old: Numbers, new: Numbers) -> Numbers:
    """Rows of the same content; of those that are equal among themselves, the first is the first, and so on."""
    content_old, content_new = _numbered(old), _numbered(new)
    _, at_old, at_new = np.intersect1d(content_old, content_new, assume_unique=True, return_indices=True)
    return np.column_stack([at_old, at_new])


def _numbered(rows: Numbers) -> Numbers:
    """What stands for the content of each row, together with its number among its equals."""
    order = np.argsort(rows[:, CONTENT], kind="stable")
    values, places = rows[order, CONTENT], np.arange(len(rows))
    begins = np.diff(values, prepend=~values[:1]) != 0
    nth = np.empty(len(rows), dtype=np.int64)
    nth[order] = places - np.maximum.accumulate(np.where(begins, places, 0))
    return together([rows[:, CONTENT].copy(), nth], len(rows))


def _have_key_of(rows: Numbers, others: Numbers) -> NDArray[np.bool_]:
    return np.isin(rows[:, KEY], others[:, KEY])


def _others(rows: Numbers, taken: Numbers) -> Numbers:
    """The places of the rows that are not taken."""
    free = np.ones(len(rows), dtype=bool)
    free[taken] = False
    return np.flatnonzero(free)
