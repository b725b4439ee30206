"""Datasets in the forms that cells take them, and whether they were changed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from trailbook.kernels.child.errors import BadDataset
from trailbook.kernels.child.frames.dataset import Dataset
from trailbook.kernels.child.results import check_name

SALES = pa.table({"item": ["pen", "ink"], "price": [1.5, None], "n": [1, None], "tags": [["a"], ["b", "c"]]})


@pytest.fixture
def sales(tmp_path: Path) -> Dataset:
    pq.write_table(SALES, tmp_path / "part-0.parquet")
    return Dataset("sales", str(tmp_path), session=_no_session)


def _no_session() -> Any:
    raise AssertionError


def test_it_says_what_it_is_without_loading_it(sales: Dataset) -> None:
    assert (sales.columns, sales.rows) == (["item", "price", "n", "tags"], 2)
    assert repr(sales) == "<dataset sales: 2 rows, columns item, price, n, tags>"


def test_a_dataset_that_no_python_cell_made_is_pandas_until_it_is_changed(sales: Dataset) -> None:
    assert sales.holds(sales.original())
    assert sales.holds(sales.pandas())
    assert not sales.holds(sales.pandas()[:1])
    assert not sales.holds(sales.polars())
    assert not sales.holds(sales.arrow())


@pytest.mark.parametrize(
    "change",
    [
        lambda frame: frame.__setitem__("price", 9.0),
        lambda frame: frame.__setitem__("more", 1),
        lambda frame: frame.loc.__setitem__((0, "item"), "cup"),
        lambda frame: frame.tags[0].__setitem__(0, "z"),
        lambda frame: frame.drop(columns="price", inplace=True),
        lambda frame: frame.rename(columns={"price": "cost"}, inplace=True),
        lambda frame: frame.sort_values("item", inplace=True),
        lambda frame: frame.set_index("item", inplace=True),
        lambda frame: frame.__setitem__("n", frame["n"].astype("Int32")),
    ],
)
def test_a_change_in_place_is_noticed_and_stays_in_the_frame_it_was_made_in(
    sales: Dataset, change: Callable[[Any], None]
) -> None:
    changed = sales.pandas()
    change(changed)
    assert not sales.holds(changed)


def test_frames_don_t_share_changes(sales: Dataset) -> None:
    changed = sales.pandas()
    changed["price"] = 9.0
    changed.loc[0, "item"] = "cup"
    assert sales.holds(sales.pandas())


@pytest.mark.parametrize("name", ["two words", "1st", "class", "_own", "tb", "spark", "display", "", 7])
def test_a_name_that_code_can_not_use_is_refused(name: Any) -> None:
    with pytest.raises(BadDataset, match=repr(name)):
        check_name(name)


def test_any_identifier_names_a_dataset() -> None:
    for name in ("sales", "Sales_2024", "größe", "match"):
        check_name(name)
