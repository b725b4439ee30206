"""What libraries keep to themselves flows on, too, or is told of."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.kernels.cases import read_cases
from tests.kernels.conftest import Bench, Book

CELLS = read_cases(Path(__file__).with_name("states.txt"))


@pytest.mark.parametrize("state", CELLS)
def test_state_that_a_cell_changed_is_there_in_the_next(bench: Bench, state: str) -> None:
    case = CELLS[state]
    *_, last = cells = bench.cells(*case.cells, case.expected)
    assert state in cells[0].values
    assert set(last.text().split()) == {"True"}
    assert last.text("stderr") == ""


def test_a_cell_that_changes_nothing_writes_no_state(bench: Bench) -> None:
    code = (
        "import random, os, warnings, sklearn, decimal, locale\n"
        "import numpy as np, pandas as pd, matplotlib.pyplot as plt\n"
        "_a = random.random(), np.random.rand(), pd.DataFrame({'a': [1]}), os.environ.get('HOME')\nplt.plot([1]);\n"
        "with pd.option_context('display.max_rows', 3), warnings.catch_warnings(): warnings.simplefilter('ignore')"
    )
    run = bench.run(code)
    assert not [name for name in run.made if name.startswith("@")]
    assert {"@random", "@numpy.random", "@pandas", "@matplotlib", "@environ"} <= run.state_reads


def test_drawing_counts_as_reading_and_seeding_first_does_not(bench: Bench) -> None:
    book = Book(bench)
    book.run("import random, numpy as np\nrandom.seed(1)\nnp.random.seed(1)")
    assert {"@random", "@numpy.random"}.isdisjoint(book.run("x = 1").state_reads)
    drawing = book.run("random.random()").state_reads
    assert "@random" in drawing
    assert "@numpy.random" not in drawing
    assert "@numpy.random" not in book.run("np.random.seed(2)\nx = np.random.rand()").state_reads
    assert "@numpy.random" in book.run("np.random.rand()\nnp.random.seed(3)").state_reads


def test_without_a_seed_each_cell_draws_anew(bench: Bench) -> None:
    first, second = bench.cells("import random\nx = random.random()", "random.seed()\ny = random.random()")
    assert "@random" not in first.values | second.values
    assert "@random" in first.state_reads


def test_what_python_itself_relies_on_is_read_by_every_cell_that_fails_too(bench: Bench) -> None:
    for code in ("x = 1", "1 / 0"):
        assert {"@environ", "@path", "@warnings", "@future"} <= bench.run(code).state_reads


def test_the_names_of_states_are_no_names_of_the_code(bench: Bench) -> None:
    *_, last = bench.cells("import random\nrandom.seed(1)", "print([n for n in dir() if n.startswith('@')], eval('1'))")
    assert last.text() == "[] 1\n"


def test_a_changed_directory_is_told_of(bench: Bench) -> None:
    assert bench.run("import os\nos.chdir('/')").notes == [
        "os.chdir holds for this cell only: each cell starts in a directory of its own."
    ]
