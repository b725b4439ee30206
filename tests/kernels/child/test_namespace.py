"""Global names: assigned, loaded when looked up, recorded."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from trailbook.kernels.child.lookahead import names_needed_at_once
from trailbook.kernels.child.namespace import Namespace
from trailbook.kernels.child.scope import Scope
from trailbook.kernels.child.values.plain import plain_pickler, plain_unpickler
from trailbook.model.runs import ALL_NAMES


class World:
    """A namespace over one dataset `sales`, and what was read through it."""

    def __init__(self, folder: Path) -> None:
        pq.write_table(pa.table({"n": [1, 2]}), folder / "part-0.parquet")
        self.reads: list[str] = []
        names = {
            "sales": {"kind": "dataset", "id": "1", "path": str(folder)},
            "broken": {"kind": "unavailable", "reason": "why not"},
        }
        codec = (plain_pickler, plain_unpickler)
        scope = Scope(names, _no_session, self.reads.append, _no_session, *codec)
        self.names = Namespace(scope, lambda: "a session")

    def run(self, code: str) -> None:
        exec(code, self.names)


def _no_session(*_: object) -> Any:
    raise AssertionError


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path)


def test_a_dataset_is_loaded_once_from_wherever_it_is_looked_up(world: World) -> None:
    world.run("def f():\n  return [sales for _ in 'x'][0]\nsame = f() is sales is globals()['sales']")
    assert world.names["same"] is True
    assert world.reads == ["sales", "globals"]


def test_asking_for_a_name_counts_as_reading_it(world: World) -> None:
    world.run("found = ('sales' in globals(), globals().get('nothing', 7), 'sales' in dir())")
    assert world.names["found"] == (True, 7, True)
    assert set(world.reads) == {"sales", "nothing", "globals", "dir", "broken", ALL_NAMES}


def test_a_name_that_was_assigned_first_is_not_read(world: World) -> None:
    world.run("sales = 1\nx = sales\n__name__")
    assert world.reads == []


def test_a_deleted_name_is_gone(world: World) -> None:
    with pytest.raises(NameError):
        world.run("sales.n\ndel sales\nsales")
    with pytest.raises(NameError):
        world.run("del never")


def test_spark_is_made_when_it_is_looked_up_and_is_no_read(world: World) -> None:
    world.run("x = spark")
    assert world.names["x"] == "a session"
    assert world.reads == []


def test_names_loaded_ahead_skip_what_can_not_be_read(world: World) -> None:
    world.names.load({"sales", "broken"})
    assert dict.__contains__(world.names, "sales")
    assert set(world.reads) == {"sales", "broken"}


@pytest.mark.parametrize(
    ("code", "needed"),
    [
        ("x = sales", set()),
        ("class A:\n  n = len(sales)", {"len", "sales"}),
        ("class A:\n  @deco\n  def f(self, x=base) -> Out: return later\n  g = lambda y=2: y", {"deco", "base", "Out"}),
        ("def f():\n  global gone\n  del gone", {"gone"}),
        ("df.query('n > @limit')", {"sales", "other"}),
        ("df.query('n > 1')", set()),
        ("def f(): return eval('sales')", {"sales", "other"}),
        ("import duckdb", {"sales", "other"}),
        ("from pyspark.sql import functions", {"spark"}),
        ("import pyspark.pandas as ps", {"spark"}),
        ("from duckdb import sql", {"sales", "other"}),
    ],
)
def test_code_that_looks_past_the_namespace_gets_its_names_before_it_starts(code: str, needed: set[str]) -> None:
    assert names_needed_at_once(ast.parse(code), lambda: ["sales", "other"]) == needed
