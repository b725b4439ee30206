"""A dataset that was made by queries of some columns each is the one that a query of all columns makes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from tests.cells.conftest import Desk
from tests.cells.test_plain import FILES
from trailbook.cells.context import RunContext
from trailbook.cells.loaded import Loaded
from trailbook.cells.loading import load, stage_by_query
from trailbook.cells.raw import FileToRead
from trailbook.cells.reloading.drift import Drift
from trailbook.cells.wide import stage_widely
from trailbook.model.acknowledged import Acknowledged
from trailbook.model.artifacts import Artifact
from trailbook.model.runs import CAPTURED
from trailbook.sources.formats.format import MOST_COLUMNS
from trailbook.store.masks import PHANTOMS, is_mask, marks_of
from trailbook.store.parquet import describe

LINES = [
    f"{n},{n}.25,2026-01-{n % 28 + 1:02d},{n % 28 + 1:02d}/02/2026,{'yes' if n % 2 else 'no'},{n},x" for n in range(60)
]
MESSY = [
    "id,price,day,late,flag,position,name",
    *LINES,
    "60,1e3,2026-02-30,31/02/2026,?,-,n/a",
    "x,n/a,,,maybe,,",
    "62,5,2026-01-01",
    "# a note",
    "63,5,2026-01-01,01/02/2026,no,7,x,surplus",
]
MESSY_FILE: tuple[str, bytes, dict[str, Any]] = ("messy.csv", "\n".join(MESSY).encode(), {})
SOME = {"messy": MESSY_FILE, **{kind: FILES[kind] for kind in ("comments", "empty", "json")}}


@pytest.mark.parametrize("kind", SOME)
def test_the_query_makes_the_same(desk: Desk, tmp_path: Path, kind: str) -> None:
    context, loaded, raw = taken_in(desk, tmp_path, *SOME[kind])
    assert_alike(context, loaded, raw)


def test_what_is_acknowledged_marks_nothing_here_either(desk: Desk, tmp_path: Path) -> None:
    short = f'line 64, byte {len("".join(MESSY[:63])) + 63}: 3 values instead of 7: "{MESSY[63]}"'
    said = {"lines of messy.csv": short, "id read as int": "'x' is not an int", "late read as date: order": None}
    context, loaded, raw = taken_in(desk, tmp_path, *MESSY_FILE)
    before = describe(stage_by_query(context, loaded, raw)).doubt
    context.acknowledged = [Acknowledged(place=place, message=message) for place, message in said.items()]
    after = describe(assert_alike(context, loaded, raw)).doubt
    assert (after.rows < before.rows, after.values["price"] < before.values["price"]) == (True, True)
    assert "id" not in after.values or after.values["id"] < before.values["id"] - 1


def test_columns_that_drifted_are_in_doubt_here_too(desk: Desk, tmp_path: Path) -> None:
    context, loaded, raw = taken_in(desk, tmp_path, *MESSY_FILE)
    drift = [("id", "string", "int"), ("price", None, "double"), ("gone", "int", None)]
    told = tuple(Drift(column=column, was=was, now=now, since="then") for column, was, now in drift)
    doubt = describe(assert_alike(context, loaded.model_copy(update={"drift": told}), raw)).doubt
    assert (doubt.rows, doubt.values["id"], doubt.values["price"]) == (64, 64, 64)


def test_after_a_file_that_was_cut_off_rows_may_be_missing(desk: Desk, tmp_path: Path) -> None:
    context, loaded, raw = taken_in(desk, tmp_path, *MESSY_FILE)
    table = loaded.table.model_copy(update={"cut_off": "it ends too early"})
    made = assert_alike(context, loaded.model_copy(update={"table": table}), raw)
    assert describe(made).doubt.open


def test_ten_thousand_columns_are_loaded_with_their_doubts(desk: Desk, tmp_path: Path) -> None:
    path = tmp_path / "wide.csv"
    # Every tenth column holds days that no plain reader knows: too many for a query.
    lines = [[f"0{row}/02/2026" if n % 10 == 0 else f"{row * n}" for n in range(MOST_COLUMNS)] for row in range(1, 9)]
    lines[3][1], lines[4] = "n/a", lines[4][:-2]
    header = [f"c{number}" for number in range(MOST_COLUMNS)]
    path.write_text("\n".join(",".join(line) for line in [header, *lines]))
    context = desk.context()
    desk.run(context, "load", name="wide", path=str(path), options={"header": True})
    wide = desk.described(context.writes["wide"])
    types = {column.name: column.type for column in wide.columns}
    assert (types["c0"], types["c1"]) == ("string", "int")
    assert (wide.rows, wide.doubt.rows, wide.doubt.values["c1"], wide.doubt.values["c2"]) == (8, 1, 2, 1)
    assert any("Left as text: c0, c10, c20," in getattr(said, "text", "") for said in desk.said)
    narrow = desk.context(wide=context.writes["wide"])
    desk.run(narrow, "sql", name="narrow", query="SELECT c1, c9999 FROM wide")
    assert desk.rows(narrow, "narrow")[3:5] == [{"c1": None, "c9999": 4 * 9999}, {"c1": 5, "c9999": None}]
    assert desk.described(narrow.writes["narrow"]).doubt.values == {"c1": 2, "c9999": 1}


def taken_in(
    desk: Desk, folder: Path, name: str, content: bytes, options: dict[str, Any]
) -> tuple[RunContext, Loaded, Artifact]:
    path = folder / name
    path.write_bytes(content)
    context = desk.context()
    file = FileToRead(path=path, name=name, format="auto", options=options, most_bytes=10**9)
    _, loaded = load(context, "data", file, {})
    return context, loaded, next(one for one, _ in context.made if one.id == context.reads[CAPTURED + name])


def assert_alike(context: RunContext, loaded: Loaded, raw: Artifact) -> Path:
    widely = stage_widely(context, loaded, raw, most_at_once=2)
    queried = stage_by_query(context, loaded, raw)
    ours, theirs = describe(widely), describe(queried)
    assert (ours.columns, ours.rows, ours.doubt) == (theirs.columns, theirs.rows, theirs.doubt)
    assert rows(widely) == rows(queried)
    assert marks(widely) == marks(queried)
    assert (widely / PHANTOMS).exists() == (queried / PHANTOMS).exists()
    if (widely / PHANTOMS).exists():
        assert rows(widely / PHANTOMS) == rows(queried / PHANTOMS)
        assert marks(widely / PHANTOMS) == marks(queried / PHANTOMS)
    return widely


def rows(directory: Path) -> list[dict[str, Any]]:
    table = pq.read_table(directory)
    found: list[dict[str, Any]] = table.select([n for n in table.column_names if not is_mask(n)]).to_pylist()
    return found


def marks(directory: Path) -> list[list[int]]:
    table = pq.read_table(directory)
    return marks_of(table, sum(not is_mask(name) for name in table.column_names))
