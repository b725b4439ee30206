"""What `import trailbook` gives to programs."""

from __future__ import annotations

import inspect
import subprocess
import sys
from collections.abc import Callable

import pytest

import trailbook
from trailbook.errors import TrailbookError

SURFACE = {
    "Caveat": ["message", "row", "column"],
    "CaveatSet": ["message", "cell", "count", "examples", "place"],
    "Database": ["close", "create", "drop", "load", "spark", "sql", "table", "tables"],
    "Query": ["caveats", "columns", "export", "fetch", "slots", "spark", "sql_text"],
    "Result": ["is_marked", "marked", "row_marked", "rows_may_be_missing", "table"],
}


def test_the_names_are_the_known_ones() -> None:
    assert dir(trailbook) == sorted([*SURFACE, "TrailbookError", "__version__", "connect"])
    assert trailbook.TrailbookError is TrailbookError
    with pytest.raises(AttributeError, match="no attribute 'conect'"):
        trailbook.conect  # noqa: B018


@pytest.mark.parametrize("name", SURFACE)
def test_what_a_class_offers_is_the_known(name: str) -> None:
    offered = getattr(trailbook, name)
    found = {*vars(offered), *inspect.get_annotations(offered)}
    assert sorted(name for name in found if not name.startswith("_")) == sorted(SURFACE[name])


def test_arguments_are_the_known_ones() -> None:
    found: dict[str, Callable[..., object]] = {
        "connect": trailbook.connect,
        "create": trailbook.Database.create,
        "load": trailbook.Database.load,
        "sql": trailbook.Database.sql,
        "fetch": trailbook.Query.fetch,
        "caveats": trailbook.Query.caveats,
        "Caveat": trailbook.Caveat,
    }
    assert {name: list(inspect.signature(function).parameters) for name, function in found.items()} == {
        "connect": ["remote", "engine_memory", "engine_wait", "java"],
        "create": ["self", "name", "data", "caveats", "keys"],
        "load": ["self", "name", "source", "format", "member", "types", "table", "query", "options"],
        "sql": ["self", "text"],
        "fetch": ["self", "limit"],
        "caveats": ["self", "row", "column"],
        "Caveat": ["message", "row", "column"],
    }


def test_importing_the_package_loads_nothing() -> None:
    code = "import sys, trailbook; print({'pyspark', 'pyarrow', 'sqlglot', 'pydantic'} & sys.modules.keys())"
    assert subprocess.check_output([sys.executable, "-c", code], text=True).strip() == "set()"
