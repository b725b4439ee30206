"""Which modules a cell needs, and which are worth loading before."""

from __future__ import annotations

import pickle
from decimal import Decimal
from pathlib import Path

import pytest

from trailbook.kernels.modules import MOST_LEARNED, Learned, needed_modules
from trailbook.kernels.names import Given, GivenDataset, GivenPending, GivenValue

NAMES: dict[str, Given] = {
    "sales": GivenDataset("a", Path("sales")),
    "large": GivenValue("b", Path("large")),
    "later": GivenPending(),
    "rate": GivenValue("c", pickle.dumps({"a": [1, 2.5, "x", None]}, 5)),
    "price": GivenValue("d", pickle.dumps(Decimal(1), 5)),
}


@pytest.mark.parametrize(
    ("code", "needed"),
    [
        ("import os, json\nx = 1", set()),
        ("import scipy.stats as st", {"scipy.stats"}),
        ("from scipy import stats", {"scipy", "scipy.stats"}),
        ("from sklearn.svm import SVC", {"sklearn.svm"}),
        ("def f():\n    import duckdb", {"duckdb"}),
        ("from . import own", set()),
        ("sales.sum()", {"pandas"}),
        ("large.sum()", {"pandas"}),
        ("later + 1", {"pandas"}),
        ("import time as later\nlater.sleep(1)", set()),
        ("price + 1", {"pandas"}),
        ("rate['a']", set()),
        ("other.sum()", set()),
        ("exec('sales')", {"pandas"}),
        ("tb.dataset('sales')", {"pandas"}),
        ("not python", set()),
    ],
)
def test_what_a_cell_needs_is_told_from_its_code(code: str, needed: set[str]) -> None:
    assert needed_modules(code, NAMES) == needed


def test_the_modules_imported_last_are_kept() -> None:
    learned = Learned()
    for number in range(MOST_LEARNED + 5):
        learned.learn([f"module{number}", "always"])
    assert len(list(learned)) == MOST_LEARNED
    assert {"always", "module34"} <= set(learned)
    assert "module0" not in set(learned)


def test_a_package_that_is_unfit_is_never_learned_again() -> None:
    learned = Learned()
    learned.learn(["bad.part", "bad.other", "good"])
    learned.forget("bad.part")
    learned.learn(["bad", "bad.more", "polars"])
    assert list(learned) == ["good"]
