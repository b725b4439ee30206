"""Cells rely on the state of libraries without naming it: one that was too early for it runs again."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.workflow.book import Book
from trailbook.model.edits import InsertCell
from trailbook.settings import Settings
from trailbook.workflow.workbench import Workbench

STATES = {
    "environ": ("import os\nos.environ['RATE'] = '3'", "import os\nprint(os.environ['RATE'])", "3"),
    "inside": (
        "import os\nos.environ['RATE'] = '3'",
        "def rate():\n    import os\n    return os.environ.get('RATE')\nprint(rate())",
        "3",
    ),
    "path": ("import sys\nsys.path.insert(0, {folder!r})", "import own_module\nprint(own_module.value)", "42"),
    "future": ("from __future__ import annotations", "def f(x: Undefined): return 1\nprint(f(1))", "1"),
    "warnings": (
        "import warnings\nwarnings.simplefilter('error')",
        "import warnings\ntry: print(warnings.warn('late'))\nexcept UserWarning: print('raised')",
        "raised",
    ),
    "seed": (
        "import random\nrandom.seed(3)",
        "import random\nassert random.random() == 0.23796462709189137\nprint('same')",
        "same",
    ),
    "decimal": (
        "import decimal\ndecimal.getcontext().prec = 3",
        "from decimal import Decimal\nprint(Decimal(1) / Decimal(3))",
        "0.333",
    ),
    "pandas": (
        "import pandas as pd\npd.set_option('display.precision', 2)",
        "def show():\n    import pandas\n    print(pandas.Series([1.23456]).to_string(index=False))\nshow()",
        "1.23",
    ),
}


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workbench]:
    bench = Workbench(Settings(data=tmp_path_factory.mktemp("data"), workers=2))
    yield bench
    bench.close()


@pytest.mark.parametrize("state", STATES)
def test_a_cell_that_ran_before_the_state_was_set_runs_again(bench: Workbench, state: str, tmp_path: Path) -> None:
    (tmp_path / "own_module.py").write_text("value = 42\n")
    book = Book(bench)
    setting, relying, printed = STATES[state]
    first = book.add("python", code="")
    last = book.add("python", code=relying)
    book.rest()
    book.update(first, code=setting.format(folder=str(tmp_path)))
    book.rest()
    assert book.printed(last) == f"{printed}\n"


def test_a_seed_counts_even_if_it_makes_no_difference_where_the_cell_ran(bench: Workbench) -> None:
    book = Book(bench)
    book.add("python", code="import random\nrandom.seed(1)")
    drawn = book.add("python", code="x = 0")
    book.add("python", code="random.seed(1)")
    last = book.add("python", code="print(random.randint(0, 99))")
    assert book.printed(last) == "17\n"
    book.update(drawn, code="x = random.randint(0, 99)")
    book.rest()
    assert book.printed(last) == "17\n"


def test_an_option_counts_even_if_a_function_sets_it_that_imports_its_library(bench: Workbench) -> None:
    book = Book(bench)
    set_option = "import pandas\n    pandas.set_option('display.precision', {})"
    book.add("python", code=f"def style():\n    {set_option.format(6)}")
    between = book.add("python", code="x = 0")
    book.add("python", code="style()")
    last = book.add("python", code="import pandas\nprint(pandas.Series([1.23456]).to_string(index=False))")
    assert book.printed(last) == "1.23456\n"
    book.update(between, code=f"if True:\n    {set_option.format(4)}")
    book.rest()
    assert book.printed(last) == "1.23456\n"


def test_an_option_of_a_library_counts_for_another_one_that_goes_by_it(bench: Workbench, tmp_path: Path) -> None:
    (tmp_path / "tables.py").write_text(
        "import pandas\ndef text(): return pandas.Series([1.23456]).to_string(index=False)"
    )
    book = Book(bench)
    above = book.add("python", code=f"import sys\nsys.path.insert(0, {str(tmp_path)!r})\nimport pandas, tables")
    last = book.add("python", code="print(tables.text())")
    assert book.printed(last) == "1.23456\n"
    book.edit(InsertCell(kind="python", after=above, parameters={"code": "pandas.set_option('display.precision', 2)"}))
    book.rest()
    assert book.printed(last) == "1.23\n"
