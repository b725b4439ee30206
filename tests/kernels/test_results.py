"""What a cell leaves behind as datasets, and what not."""

from __future__ import annotations

import pyarrow as pa

from tests.kernels.conftest import Bench
from trailbook.model.runs import ALL_NAMES

SALES = pa.table({"item": ["pen", "ink"], "price": [1.5, None], "tags": [["a"], ["b", "c"]]})


def test_frames_of_every_library_become_datasets(bench: Bench) -> None:
    run = bench.run(
        "import pandas as pd, polars as pl, pyarrow as pa\n"
        "one = pd.DataFrame({'a': [1]})\ntwo = pl.DataFrame({'a': [2]})\nthree = pa.table({'a': [3]})\n"
        "four = pl.LazyFrame({'a': [4]})\n_hidden = one\nseries = one.a\nnumber = 5\nempty = pd.DataFrame()\n"
        "def f():\n  global five\n  five = pa.record_batch({'a': [5]})\nf()"
    )
    assert {name: table["a"].to_pylist() for name, table in run.writes.items()} == {
        "one": [1],
        "two": [2],
        "three": [3],
        "four": [4],
        "five": [5],
    }
    assert run.values == {"_hidden", "series", "number", "empty", "f", "pd", "pl", "pa"}
    assert run.notes == [
        "empty can't be stored as a dataset: it has no columns. It is kept as a value of Python's, which SQL can't"
        " read.",
        "one and _hidden hold one and the same data frame. From the next cell on each has its own:"
        " a change through one name is not seen through another.",
    ]


def test_what_was_only_read_is_not_written(bench: Bench) -> None:
    code = "sales.price.sum(); sales[sales.price > 1]\npandas = tb.dataset('pandas').pandas()"
    run = bench.run(code, dict.fromkeys(("sales", "pandas"), bench.dataset(SALES)))
    assert run.writes == {}
    assert run.reads == {"sales", "pandas"}


def test_a_name_that_holds_a_frame_of_another_library_now_is_written(bench: Bench) -> None:
    code = "polar = tb.dataset('polar').polars()\ntable = tb.dataset('table').arrow()"
    run = bench.run(code, dict.fromkeys(("polar", "table"), bench.dataset(SALES)))
    assert run.writes.keys() == {"polar", "table"}


def test_a_change_in_place_is_a_write(bench: Bench) -> None:
    run = bench.run("sales.loc[0, 'price'] = 9", {"sales": bench.dataset(SALES)})
    assert run.writes["sales"]["price"].to_pylist() == [9.0, None]


def test_an_alias_is_a_dataset_of_its_own_and_a_handles_frame_is_a_copy(bench: Bench) -> None:
    code = "alias = sales\ncopy = tb.dataset('sales').pandas()\ncopy['price'] = 0.0"
    run = bench.run(code, {"sales": bench.dataset(SALES)})
    assert run.writes["alias"]["price"].to_pylist() == [1.5, None]
    assert run.writes["copy"]["price"].to_pylist() == [0.0, 0.0]
    assert list(run.writes) == ["alias", "copy"]


def test_saving_wins_over_a_global_and_is_read_back_without_counting_as_a_read(bench: Bench) -> None:
    code = (
        "import pyarrow as pa\ntb.save('a', pa.table({'n': [1]}))\ntb.save('a', pa.table({'n': [2]}))\n"
        "assert tb.dataset('a').rows == 1 and tb.dataset('a').columns == ['n'] and tb.datasets() == ['a']\n"
        "other = tb.dataset('a').arrow()\na = pa.table({'n': [3]})"
    )
    run = bench.run(code)
    assert {name: table["n"].to_pylist() for name, table in run.writes.items()} == {"a": [2], "other": [2]}
    assert run.reads == {ALL_NAMES}


def test_a_frame_that_can_not_be_a_dataset_is_a_value(bench: Bench) -> None:
    code = "import polars as pl\ngood = pl.DataFrame({'a': [1]})\nbad = pl.DataFrame({'a': [1], 'A': [2]})"
    first, second = bench.cells(code, "print(bad.columns, good.columns)")
    assert first.writes.keys() == {"good"}
    assert first.values == {"bad", "pl"}
    assert first.notes[0].startswith("bad can't be stored as a dataset: its columns 'a' and 'A' have the same name")
    assert second.text() == "['a', 'A'] ['a']\n"
    assert second.made == {}


def test_parts_are_read_in_the_order_of_their_names(bench: Bench) -> None:
    directory = bench.dataset(pa.table({"n": list(range(10))}), parts=3)
    (directory / "_SUCCESS").touch()
    run = bench.run("print(numbers.n.tolist())", {"numbers": directory})
    assert run.text() == f"{list(range(10))}\n"
