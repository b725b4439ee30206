"""The guarantee, held against possible worlds: what is not marked does not change, what may come is announced."""

from __future__ import annotations

import pytest

from tests.caveats.cases import problem, random_case, shrunk
from tests.caveats.forms import FORMS
from tests.caveats.mutants import Mutant, alive, read_mutants
from tests.support.seeds import FRESH

FIXED, COMPOSED, MOST_TRIES = 8, 150, 1000


def hold(seed: int, form: str | None, depth: int) -> None:
    """Fail with a small case if the guarantee does not hold."""
    case = random_case(seed, form, depth)
    if problem(case, seed):
        small = shrunk(case, seed)
        pytest.fail(f"seed {seed}, form {form}, depth {depth}\n{small}\n{problem(small, seed, 60)}")


@pytest.mark.parametrize("form", FORMS)
def test_the_guarantee_holds_for_each_operator(form: str) -> None:
    for seed in range(FIXED):
        hold(seed, form, depth=1)


@pytest.mark.parametrize("form", FORMS)
def test_the_guarantee_holds_for_queries_never_tried_before(form: str) -> None:
    for seed in range(FRESH, FRESH + 3):
        hold(seed, form, depth=2)


def test_the_guarantee_holds_for_composed_queries() -> None:
    for seed in range(COMPOSED):
        hold(seed, None, depth=3)


@pytest.mark.parametrize("mutant", read_mutants(), ids=lambda mutant: mutant.name)
def test_a_seeded_bug_is_caught(mutant: Mutant) -> None:
    with alive(mutant) as cases:
        tries = ((seed, form) for seed in range(MOST_TRIES) for form in mutant.forms)
        assert any(cases.problem(cases.random_case(seed, form), seed) for seed, form in tries), mutant.name
