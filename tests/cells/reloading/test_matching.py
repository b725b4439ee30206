"""Rows are matched one to one, the best pair first, as a plain search over all pairs would."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from trailbook.cells.reloading import matching
from trailbook.cells.reloading.fingerprints import NEW, OLD, save
from trailbook.cells.reloading.hashing import missing_tokens
from trailbook.cells.reloading.matching import match
from trailbook.cells.reloading.pairing import pair

Rows = list[list[int]]


def fingerprints(rows: Rows, keyed: bool = False) -> Any:
    """Rows whose first value is the key, if they have one."""
    key = [row[0] if keyed else 0 for row in rows]
    content = [hash(tuple(row)) for row in rows]
    fixed = [range(len(rows)), [int(keyed)] * len(rows), key, content]
    tokens = np.array(rows, dtype=np.int64).reshape(len(rows), -1)
    return np.column_stack([np.array(fixed, dtype=np.int64).T, tokens])


def pairs_in(folder: Path) -> list[list[int]]:
    return sorted(pair for part in (folder / "pairs").glob("*.npy") for pair in np.load(part).tolist())


def best_pairs(old: Rows, new: Rows, bits: list[int]) -> list[list[int]]:
    """By looking at all pairs, with the rule as it is told."""

    def told(n: int, m: int) -> tuple[int, int]:
        equal = [one == other for one, other in zip(old[n], new[m], strict=True)]
        return sum(bit for bit, is_equal in zip(bits, equal, strict=True) if is_equal), sum(equal)

    all_pairs = [(n, m) for n in range(len(old)) for m in range(len(new))]
    alike = [(n, m) for n, m in all_pairs if told(n, m)[0] * 2 >= sum(bits) or told(n, m)[1] * 2 > len(bits)]
    chosen: list[list[int]] = []
    for n, m in sorted(alike, key=lambda pair: (-told(*pair)[0], pair)):
        if all(n != one and m != other for one, other in chosen):
            chosen.append([n, m])
    return sorted(chosen)


@pytest.mark.parametrize("seed", range(30))
def test_the_best_pairs_are_found(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    columns, values = chance.randint(1, 5), chance.choice([2, 4, 50])

    def some() -> Rows:
        return [[chance.randrange(values) for _ in range(columns)] for _ in range(chance.randint(1, 25))]

    old, new = some(), some()
    for side, rows in ((OLD, old), (NEW, new)):
        save(fingerprints(rows), tmp_path / f"left-{side}", "0")
    distinct = [chance.choice([1, 3, 40]) for _ in range(columns)]
    bits = np.ceil(1000 * np.log2(1 + np.array(distinct))).astype(int).tolist()
    told = match({"folder": str(tmp_path), "distinct": distinct})
    assert pairs_in(tmp_path) == best_pairs(old, new, bits)
    assert told["kept"] + len(told["alone"][OLD]) == len(old)
    assert told["kept"] + len(told["alone"][NEW]) == len(new)


def test_what_too_many_have_in_common_is_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(matching, "MOST_PAIRS", 30)
    for side, other in ((OLD, 1000), (NEW, 2000)):
        save(fingerprints([[9999, n, other + n] for n in range(12)]), tmp_path / f"left-{side}", "0")
    match({"folder": str(tmp_path), "distinct": [1, 12, 12]})
    assert pairs_in(tmp_path) == [[n, n] for n in range(12)]


def test_what_both_lack_is_no_agreement(tmp_path: Path) -> None:
    lacks = missing_tokens(5).tolist()
    save(fingerprints([[1, 2, *lacks[2:]], [3, 4, *lacks[2:]]]), tmp_path / f"left-{OLD}", "0")
    save(fingerprints([[5, 6, *lacks[2:]], [3, 7, *lacks[2:]]]), tmp_path / f"left-{NEW}", "0")
    match({"folder": str(tmp_path), "distinct": [2] * 5})
    assert pairs_in(tmp_path) == [[1, 1]]


@pytest.mark.parametrize("keyed", [False, True])
@pytest.mark.parametrize("seed", range(10))
def test_each_row_of_a_bucket_is_paired_once_or_left(tmp_path: Path, seed: int, keyed: bool) -> None:
    chance = random.Random(seed)
    old, new = ([[chance.randrange(6), chance.randrange(3)] for _ in range(20)] for _ in "ab")
    for side, rows in ((OLD, old), (NEW, new)):
        save(fingerprints(rows, keyed), tmp_path / f"{side}-0", "part")
    told = pair({"folder": str(tmp_path), "bucket": 0, "columns": 2})
    pairs = pairs_in(tmp_path)
    for place, side in enumerate((OLD, NEW)):
        taken = [one[place] for one in pairs]
        assert sorted([*taken, *told["alone"][side], *told["unmatched"][side]]) == list(range(20))
    assert told["same"] == sum(old[n] == new[m] for n, m in pairs)
    if keyed:
        assert all(old[n][0] == new[m][0] for n, m in pairs)
    else:
        # Of equal rows, as many are paired as there are on both sides.
        times_old, times_new = (Counter(map(tuple, rows)) for rows in (old, new))
        assert len(pairs) == (times_old & times_new).total()
