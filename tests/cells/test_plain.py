"""A dataset that was made without the query is the one that the query makes."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.cells.conftest import Desk
from trailbook.cells.loading import load, stage_by_query
from trailbook.cells.plain import stage_plainly
from trailbook.cells.raw import FileToRead
from trailbook.model.runs import CAPTURED
from trailbook.store.masks import PHANTOMS
from trailbook.store.parquet import describe

ROWS = [f"{number},{number}.25,2026-01-{number % 28 + 1:02d},name {number}" for number in range(1, 40)]
CSV = "\n".join(
    ["id,price,day,name", *ROWS, "40,n/a,,", "x,1.5,2026-01-01,surplus,more", "# a note", "", "42,2,2026-01-01,z"]
)
ODD = "\n".join(["x,day,n"] + [f"{n / 7!r},2026-01-02,{n}" for n in range(1, 40)] + ["0.10000000000000001,soon,12O"])
RECORDS = [
    {"a": number, "b": {"c": [number, None]}, "d": f"{number}", "e": None, "f": number / 8} for number in range(9)
]
TABLE = pa.table({"n": [1, None], "t": pa.array([0, 1], pa.timestamp("us")), "m": [[1, 2], None], "b": [b"x", None]})


def parquet(table: pa.Table) -> bytes:
    target = io.BytesIO()
    pq.write_table(table, target)
    return target.getvalue()


FILES: dict[str, tuple[str, bytes, dict[str, Any]]] = {
    "doubtful": ("a.csv", CSV.encode(), {}),
    "header": ("b.csv", CSV.encode(), {"header": True, "comment": ""}),
    "odd": ("j.csv", ODD.encode(), {"header": True}),
    "texts": ("c.csv", b"a,b\nx,y\nz,\n", {"header": True}),
    "comments": ("d.csv", ("a,b\n1,2\n" + "# nothing\n" * 1500 + "3,4\n").encode(), {"header": True}),
    "wide": ("e.csv", ("\n".join(",".join(f"{n * k}" for n in range(70)) for k in range(9)) + ",\n").encode(), {}),
    "empty": ("f.csv", b"a,b\n", {"header": True}),
    "json": ("g.json", json.dumps(RECORDS).encode(), {}),
    "lines": ("h.txt", b"one\n\ntwo\n", {}),
    "parquet": ("i.parquet", parquet(TABLE), {}),
}


@pytest.mark.parametrize("kind", FILES)
def test_the_query_makes_the_same(desk: Desk, tmp_path: Path, kind: str) -> None:
    name, content, options = FILES[kind]
    path = tmp_path / name
    path.write_bytes(content)
    context = desk.context()
    file = FileToRead(path=path, name=name, format="auto", options=options, most_bytes=10**9)
    _, loaded = load(context, "data", file, {})
    raw = next(artifact for artifact, _ in context.made if artifact.id == context.reads[CAPTURED + name])
    plainly = stage_plainly(context, loaded, desk.files.path(raw.id))
    assert plainly
    queried = stage_by_query(context, loaded, raw)
    assert shown(plainly) == shown(queried)
    assert (plainly / PHANTOMS).exists() == (queried / PHANTOMS).exists()
    if (plainly / PHANTOMS).exists():
        assert rows(plainly / PHANTOMS) == rows(queried / PHANTOMS)


def shown(directory: Path) -> tuple[Any, ...]:
    known = describe(directory)
    return known.columns, known.rows, known.doubt, rows(directory)


def rows(directory: Path) -> list[dict[str, Any]]:
    parts = sorted(directory.glob("*.parquet"))
    return [row for part in parts for row in pq.ParquetFile(part).read().to_pylist()]


@pytest.mark.parametrize(
    ("usual", "odd", "read"),
    [
        ("2026-01-02", "2026-02-30", None),
        ("2026-01-02", "2026-02-01 (estimated)", None),
        ("2026-01-02 10:00:00", "2026-01-02 10:00:00 BST", None),
        ("12", "\x0b6", None),
        ("1e5", "9007199254740993", 9007199254740992.0),
    ],
)
def test_what_is_not_written_plainly_is_left_to_the_query(
    desk: Desk, tmp_path: Path, usual: str, odd: str, read: object
) -> None:
    path = tmp_path / "late.csv"
    path.write_text("id,value\n" + "".join(f"{n},{usual}\n" for n in range(50)) + f"51,{odd}\n")
    context = desk.context()
    desk.run(context, "load", name="data", path=str(path), options={"header": True})
    last = desk.rows(context, "data")[-1]
    assert last == {"id": 51, "value": read}
    doubt = desk.made[context.writes["data"]][0].doubt
    assert (doubt.values, doubt.rows, doubt.phantoms) == ({"value": 1}, 0, 0)
