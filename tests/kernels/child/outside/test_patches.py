"""What code sets in libraries is told from what flows on to other cells."""

from __future__ import annotations

import ast
import json
import sys
from typing import Any

import pandas as pd
import pytest

from trailbook.kernels.child.outside.patches import patches


class Own:
    """A class of the notebook."""


Own.__module__ = "__main__"
NAMES: dict[str, Any] = {"json": json, "own": Own(), "Own": Own, "pd": pd, "sys": sys, "Frame": pd.DataFrame}


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ("json.dumps = print", ["json.dumps"]),
        (
            "pd.DataFrame.total = pd.core.frame.DataFrame.more = 1",
            ["pd.DataFrame.total", "pd.core.frame.DataFrame.more"],
        ),
        ("Frame.total: int = 1", ["Frame.total"]),
        ("def set_up():\n    del json.dumps", ["json.dumps"]),
        ("setattr(Frame, 'total', 1)", ["Frame.total"]),
        ("sys.setrecursionlimit(5000)", ["sys.setrecursionlimit"]),
        ("tqdm.pandas(); tb.dataset('x').pandas()", ["tqdm.pandas"]),
        (
            "@pd.api.extensions.register_series_accessor('x')\nclass X: ...",
            ["pd.api.extensions.register_series_accessor"],
        ),
        ("Own.total = own.total = 1", []),
        ("pd.options.display.max_rows = 5", []),
        ("sys.path = [*sys.path, 'x']", []),
        ("absent.total = sys.absent.total = f().total = 1", []),
        ("setattr(own, 'total', 1); setattr(own, name, 1)", []),
    ],
)
def test_what_is_set_in_a_library_is_found_as_it_is_written(code: str, found: list[str]) -> None:
    assert patches(ast.parse(code), NAMES) == found
