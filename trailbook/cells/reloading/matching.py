"""What a task of Spark's does to find the best matches of rows that were found again neither by key nor by content.

Two rows may be the same if they agree in more than half of their columns, or in those that tell the most: a column of
many different values tells more than one of few, and what both lack tells nothing. Of all such pairs, the best comes
first, and each row has one partner.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from trailbook.cells.reloading.fingerprints import KEY, NEW, OLD, TOKENS, read
from trailbook.cells.reloading.hashing import missing_tokens
from trailbook.cells.reloading.pairing import first, told
from trailbook.engine.tasks import Piece

if TYPE_CHECKING:
    from trailbook.cells.reloading.hashing import Numbers

MOST_VALUES = 20_000_000
"""Of rows that are left, before and now: beyond that, looking for matches would take longer than loading."""
MOST_PAIRS = 10_000_000
"""That are looked at."""
_AT_ONCE = 20_000_000
"""Values that are compared."""
_MIX = np.int64(-7046029254386353131)


def match(piece: Piece) -> Piece:
    """Write the pairs, and tell how many there are, and which rows stay alone."""
    folder = Path(piece["folder"])
    old, new = (read(folder / f"left-{side}", len(piece["distinct"])) for side in (OLD, NEW))
    bits = np.ceil(1000 * np.log2(1 + np.array(piece["distinct"], dtype=np.float64))).astype(np.int64)
    chosen = _one_to_one(*_alike(*_candidates(old, new), old[:, TOKENS:], new[:, TOKENS:], bits))
    alone = {OLD: np.delete(old, chosen[:, 0], axis=0), NEW: np.delete(new, chosen[:, 1], axis=0)}
    return {
        **told(old[chosen[:, 0]], new[chosen[:, 1]], folder, "matched"),
        "left": 0,
        "alone": {side: first(rows) for side, rows in alone.items()},
    }


def _candidates(old: Numbers, new: Numbers) -> tuple[Numbers, Numbers]:
    """Rows that have something in common that few have; as many pairs as may be looked at."""
    terms_old, of_old = _terms(old)
    terms_new, of_new = _terms(new)
    begin_old, begin_new, n, m = _in_both(terms_old, terms_new)
    rarest = np.argsort(n * m, kind="stable")
    few = rarest[np.cumsum((n * m)[rarest]) <= MOST_PAIRS]
    begin_old, begin_new, n, m = begin_old[few], begin_new[few], n[few], m[few]
    term = np.repeat(np.arange(len(few)), n * m)
    place = np.arange(len(term)) - np.repeat(np.cumsum(n * m) - n * m, n * m)
    left = of_old[begin_old[term] + place // m[term]]
    right = of_new[begin_new[term] + place % m[term]]
    both = np.unique(left * len(new) + right)
    return both // len(new), both % len(new)


def _terms(rows: Numbers) -> tuple[Numbers, Numbers]:
    """What rows may have in common, in order, each with its row: a value of a column, or all values but one."""
    tokens, keys = rows[:, TOKENS:], rows[:, [KEY]]
    all_but_one = np.bitwise_xor.reduce(tokens, axis=1)[:, None] ^ tokens
    numbers = np.arange(1, tokens.shape[1] + 1)
    terms = np.concatenate([tokens, all_but_one * _MIX + numbers], axis=1) ^ (keys * _MIX)
    of_row = np.repeat(np.arange(len(rows)), terms.shape[1])
    order = np.argsort(terms.ravel(), kind="stable")
    return terms.ravel()[order], of_row[order]


def _in_both(old: Numbers, new: Numbers) -> tuple[Numbers, Numbers, Numbers, Numbers]:
    """Where the terms begin that are in both, and how often they come there."""
    begin_old, begin_new = (np.flatnonzero(np.diff(terms, prepend=~terms[:1])) for terms in (old, new))
    times_old, times_new = (np.diff(b, append=len(t)) for b, t in ((begin_old, old), (begin_new, new)))
    _, at_old, at_new = np.intersect1d(old[begin_old], new[begin_new], assume_unique=True, return_indices=True)
    return begin_old[at_old], begin_new[at_new], times_old[at_old], times_new[at_new]


def _alike(left: Numbers, right: Numbers, old: Numbers, new: Numbers, bits: Numbers) -> tuple[Numbers, Numbers]:
    """Those of the pairs that are alike enough, the best first. What both lack says nothing."""
    enough, bits_told = np.zeros(len(left), dtype=bool), np.zeros(len(left), dtype=np.int64)
    missing = missing_tokens(len(bits))
    step = max(1, _AT_ONCE // max(1, len(bits)))
    for start in range(0, len(left), step):
        some = slice(start, start + step)
        values = old[left[some]]
        equal = values == new[right[some]]
        lacks = equal & (values == missing)
        equal &= ~lacks
        bits_told[some] = equal @ bits
        by_number = equal.sum(axis=1) * 2 > len(bits) - lacks.sum(axis=1)
        enough[some] = by_number | (bits_told[some] * 2 >= bits.sum() - lacks @ bits)
    left, right, bits_told = left[enough], right[enough], bits_told[enough]
    order = np.lexsort((right, left, -bits_told))
    return left[order], right[order]


def _one_to_one(left: Numbers, right: Numbers) -> Numbers:
    """Those of the pairs, which come in their order, whose rows are both still free."""
    used_left: set[int] = set()
    used_right: set[int] = set()
    chosen: list[tuple[int, int]] = []
    for one, other in zip(left.tolist(), right.tolist(), strict=True):
        if one not in used_left and other not in used_right:
            used_left.add(one)
            used_right.add(other)
            chosen.append((one, other))
    return np.array(chosen, dtype=np.int64).reshape(-1, 2)
