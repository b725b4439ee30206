"""What `tb` offers to the code of a cell."""

from __future__ import annotations

import re
import threading
from pathlib import Path
from textwrap import dedent

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.kernels.conftest import Bench
from trailbook.errors import NotFetched
from trailbook.kernels.names import MadeDataset, MadeRenamed, MadeValue, Wanted
from trailbook.kernels.sandbox import Sandbox
from trailbook.model.caveat import Caveat

ORDERS = pa.table({"id": [1, 2, 3], "price": [5.0, 7.5, 9.0]})


@pytest.fixture
def orders(bench: Bench) -> dict[str, Path]:
    return {"orders": bench.dataset(ORDERS)}


def test_a_dataset_is_saved_with_caveats_and_with_what_it_depends_on(bench: Bench, orders: dict[str, Path]) -> None:
    code = """
    import numpy as np
    doubts = [tb.Caveat("typed by hand", row=np.int64(1), column="PRICE"), tb.Caveat("all of it")]
    tb.save("copy", orders, caveats=doubts, depends_on=["orders"])
    tb.save("sure", orders, depends_on=[])
    tb.save("plain", orders)
    """
    writes = bench.run(dedent(code), orders).made
    saved = {name: made.remarks for name, made in writes.items() if isinstance(made, MadeDataset)}
    assert saved["copy"].caveats == (Caveat("typed by hand", 1, "price"), Caveat("all of it"))
    assert [saved[name].depends_on for name in ("copy", "sure", "plain")] == [{"orders"}, frozenset(), None]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("'x', orders, caveats=[tb.Caveat('?', row=3)]", r"The caveat '\?' is about row 3; x has rows 0 to 2"),
        ("'x', orders, caveats=[tb.Caveat('?', row=-1)]", "is about row -1"),
        ("'x', orders, caveats=[tb.Caveat('?', row='a')]", "is about row 'a'. Give a position, counted from 0"),
        ("'x', orders, caveats=[tb.Caveat('?', column='prize')]", r"no column prize here\. Did you mean price\?"),
        ("'x', orders, caveats=['typed by hand']", "is no caveat. Write Caveat"),
        ("'x', orders, caveats=[tb.Caveat(7)]", "says what is in doubt as text; 7 is none"),
        ("'x', orders, depends_on=['ordres']", "ordres, which this cell has not read. It has read: orders"),
        ("'x', orders, depends_on=['rates']", "rates, which this cell has not read"),
        ("'x', orders, depends_on='orders'", r"write depends_on=\['orders'\]"),
        ("'x', 5", "Other values are kept by assigning them to a name"),
        ("'tb', orders", "has a meaning of its own in every cell"),
    ],
)
def test_what_can_not_be_meant_is_refused(bench: Bench, orders: dict[str, Path], arguments: str, said: str) -> None:
    error = bench.run(f"orders\ntb.save({arguments})", {**orders, "rates": orders["orders"]}).error
    assert error.code == "bad_dataset"
    assert error.line == 2
    assert re.search(said, error.message)


def test_a_dropped_name_is_gone_here_and_below(bench: Bench, orders: dict[str, Path]) -> None:
    code = """
    tb.drop("orders")
    assert "orders" not in globals() and tb.datasets() == []
    mine = 5
    tb.save("own", __import__("pyarrow").table({"a": [1]}))
    tb.drop("mine")
    tb.drop("own")
    orders
    """
    attempt = bench.run(dedent(code), orders)
    assert attempt.error.message == "NameError: name 'orders' is not defined"
    attempt = bench.run(dedent(code).replace("\norders\n", "\n"), orders)
    assert attempt.deletes == {"orders", "mine", "own"}
    assert attempt.made == {}
    assert "orders" in attempt.reads


def test_a_dropped_name_can_be_given_anew(bench: Bench, orders: dict[str, Path]) -> None:
    done = bench.run("tb.drop('orders')\norders = 7", orders)
    assert (done.deletes, set(done.made)) == (frozenset(), {"orders"})
    code = "first = orders\ntb.drop('orders')\ntb.save('orders', first.head(1))\nn = len(orders)\ndel first"
    done = bench.run(dedent(code), orders)
    assert (done.deletes, set(done.made)) == (frozenset({"first"}), {"orders", "n"})
    assert isinstance(done.made["orders"], MadeDataset)


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("tb.drop('ordres')", "There is nothing called 'ordres' here. Did you mean 'orders'?"),
        ("tb.drop('tb')", "There is nothing called 'tb' here"),
        ("tb.rename('ordres', 'x')", "There is nothing called 'ordres' here"),
        ("tb.rename('orders', 'orders')", "There is something called 'orders' already"),
        ("x = 1\ntb.rename('orders', 'x')", "There is something called 'x' already"),
        ("tb.rename('orders', 'a b')", "'a b' can't name a dataset"),
        ("tb.rename('orders', 'x')\norders", "NameError: name 'orders' is not defined"),
    ],
)
def test_names_are_not_made_up_and_not_overwritten(bench: Bench, orders: dict[str, Path], code: str, said: str) -> None:
    assert said in bench.run(dedent(code), orders).error.message


@pytest.mark.parametrize(
    ("code", "looked"),
    [
        ("tb.rename('orders', 'sales')", False),
        ("tb.rename('orders', 'o')\ntb.rename('o', 'sales')", False),
        ("tb.rename('orders', 'sales')\nlen(sales)", True),
        ("tb.dataset('orders').rows\ntb.rename('orders', 'sales')", True),
        ("tb.rename('orders', 'o')\ntb.dataset('o').rows\ntb.rename('o', 'sales')", True),
    ],
)
def test_a_dataset_above_is_renamed_without_being_read(
    bench: Bench, orders: dict[str, Path], code: str, looked: bool
) -> None:
    done = bench.run(dedent(code), orders)
    assert done.made == {"sales": MadeRenamed("orders", looked)}
    assert "orders" in done.deletes
    assert "orders" in done.reads


def test_values_and_own_datasets_are_renamed_and_changes_are_kept(bench: Bench, orders: dict[str, Path]) -> None:
    code = """
    rate = 2
    tb.rename("rate", "factor")
    tb.save("a", orders, depends_on=[])
    tb.rename("a", "b")
    tb.rename("orders", "sales")
    sales["n"] = factor
    """
    done = bench.run(dedent(code), orders)
    assert set(done.made) == {"factor", "b", "sales"}
    assert done.deletes == {"rate", "a", "orders"}
    assert isinstance(done.made["factor"], MadeValue)
    kept, changed = done.made["b"], done.made["sales"]
    assert isinstance(kept, MadeDataset)
    assert kept.remarks.depends_on == frozenset()
    assert isinstance(changed, MadeDataset)
    assert pq.read_table(changed.path).column_names == ["id", "price", "n"]


def test_what_was_saved_and_then_changed_in_place_is_kept_as_changed(bench: Bench, orders: dict[str, Path]) -> None:
    done = bench.run("tb.save('copy', tb.dataset('orders').pandas())\ncopy['n'] = 1", orders)
    made = done.made["copy"]
    assert isinstance(made, MadeDataset)
    assert pq.read_table(made.path).column_names == ["id", "price", "n"]


def test_a_dataset_is_created_by_the_host(bench: Bench, orders: dict[str, Path]) -> None:
    asked: list[Wanted] = []

    def create(wanted: Wanted, over: threading.Event) -> Path:
        asked.append(wanted)
        return orders["orders"]

    code = """
    made = tb.create("rates", url="https://example.org/rates.tsv", delimiter="tab")
    print(made.rows, rates.columns.tolist())
    del made
    """
    attempt = bench.run(dedent(code), create=create)
    assert attempt.made == {"rates": MadeDataset(orders["orders"])}
    assert attempt.text() == "3 ['id', 'price']\n"
    assert asked == [Wanted("rates", "https://example.org/rates.tsv", "auto", {"delimiter": "tab"})]


def test_a_cell_in_a_sandbox_reads_what_is_created_for_it(bench: Bench, orders: dict[str, Path]) -> None:
    sandbox = Sandbox((bench.folder,))
    code = "tb.create('rates', url='https://example.org/rates.csv')\nprint(len(rates))"
    attempt = bench.run(code, create=lambda wanted, over: orders["orders"], enclosure=sandbox)
    assert attempt.text() == "3\n"
    assert attempt.made == {"rates": MadeDataset(orders["orders"])}


def test_what_can_not_be_created_is_an_error_that_code_may_catch(bench: Bench) -> None:
    def create(wanted: Wanted, over: threading.Event) -> Path:
        raise NotFetched("https://example.org/ was not given: the server answered 404 Not Found.")

    code = "try:\n    tb.create('rates', url='https://example.org/')\nexcept OSError as error:\n    print(error)"
    attempt = bench.run(dedent(code), create=create)
    assert attempt.text().startswith("rates can't be created: https://example.org/ was not given")
    assert bench.run("tb.create('rates', url='x')", create=create).error.code == "not_created"


def test_what_is_being_created_is_told_when_the_cell_is_over(bench: Bench) -> None:
    begun = bench.folder / "begun"
    stopped: list[bool] = []

    def create(wanted: Wanted, over: threading.Event) -> Path:
        begun.touch()
        stopped.append(over.wait(60))
        raise NotFetched("nobody waits for it")

    code = f"""
    import os, threading, time
    threading.Thread(target=lambda: tb.create("x", url="https://example.org/"), daemon=True).start()
    while not os.path.exists({str(begun)!r}):
        time.sleep(0.01)
    os._exit(3)
    """
    assert bench.run(dedent(code), create=create).error.code == "python_process_ended"
    assert stopped == [True]


def test_a_dataset_is_read_page_by_page_also_asynchronously(bench: Bench) -> None:
    marked = pa.table({"n": list(range(10)), "__mask": [1] * 10})
    code = """
    import asyncio
    pages = tb.dataset("numbers").pages(3, 4)
    print(len(pages), [page["n"].to_pylist() for page in pages], pages[1].column_names)
    found = []
    async for page in pages:
        found.append(page.num_rows)
    print(found, len(tb.dataset("numbers").pages(10, 4)))
    del pages, page
    """
    attempt = bench.run(dedent(code), {"numbers": bench.dataset(marked, parts=3)})
    assert attempt.text() == "2 [[3, 4, 5, 6], [7, 8, 9]] ['n']\n[4, 3] 0\n"
    error = bench.run("tb.dataset('numbers').pages(-1, 0)", {"numbers": bench.dataset(marked)}).error
    assert "Pages start at a row ≥ 0 and have a length ≥ 1" in error.message
