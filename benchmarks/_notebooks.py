"""The notebooks that are run here and by others, as lists of cells and as files."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

CELLS = 16

Codes = Sequence[str]


def trivial() -> Codes:
    """Cells that hardly do anything, and don't depend on each other."""
    return [f"x{i} = {i}\nprint(x{i})" for i in range(CELLS)]


def chain(first: int) -> Codes:
    """Cells that hardly do anything, each with what the one before made."""
    return [f"c0 = {first}", *(f"c{i} = c{i - 1} + 1" for i in range(1, CELLS))]


def pandas() -> Codes:
    """A table, what people look at first, and results that are put together in the end."""
    made = [
        "import numpy as np\nimport pandas as pd",
        "rng = np.random.default_rng(1)\n"
        "orders = pd.DataFrame({'customer': rng.integers(0, 500, 20_000), 'price': rng.random(20_000) * 100,\n"
        "                       'shop': rng.choice(['north', 'south', 'east'], 20_000)})",
        "customers = pd.DataFrame({'customer': range(500), 'age': np.arange(500) % 60 + 20})",
    ]
    looked_at = [
        "orders.head()",
        "orders.describe()",
        "orders.isna().sum()",
        "by_shop = orders.groupby('shop')['price'].sum()\nby_shop",
        "by_customer = orders.groupby('customer')['price'].agg(['sum', 'count'])\nby_customer.head()",
        "joined = orders.merge(customers, on='customer')\njoined.head()",
        "by_age = joined.groupby('age')['price'].mean()\nby_age.head()",
        "wide = joined.pivot_table(index='age', columns='shop', values='price')\nwide.head()",
        "large = joined[joined['price'] > 90]\nlen(large)",
        "ranked = large.sort_values('price', ascending=False).head(100)\nranked.head()",
        "correlation = joined[['price', 'age']].corr()\ncorrelation",
        "bins = pd.cut(joined['age'], 4).value_counts()\nbins",
        "summary = pd.concat([by_age.describe(), by_shop.describe()], axis=1)\nsummary",
    ]
    return [*made, *looked_at]


def sleepers() -> Codes:
    """Four cells that could wait side by side, of different text: the result of one is not that of another."""
    return [f"import time\ntime.sleep(2)\n{name} = 1" for name in "abcd"]


def write_ipynb(codes: Codes, path: Path) -> Path:
    cells: list[dict[str, object]] = [
        {"cell_type": "code", "id": f"cell-{i}", "metadata": {}, "source": code, "outputs": [], "execution_count": None}
        for i, code in enumerate(codes)
    ]
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    notebook = {"nbformat": 4, "nbformat_minor": 5, "metadata": {"kernelspec": kernel}, "cells": cells}
    path.write_text(json.dumps(notebook), "utf-8")
    return path
