"""Files become datasets whatever state they are in, and every doubt about them is told."""

from __future__ import annotations

import gzip
import io
import json
import zipfile
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.cells.conftest import Desk
from trailbook.cells.context import RunContext
from trailbook.cells.raw_parts import MOST_VOTERS
from trailbook.errors import CellFailed
from trailbook.model.artifacts import Doubt
from trailbook.model.runs import NoteMessage

MESSY = '''\
id,name,amount,day
1,Ann,12.5,2026-01-02
2,"Bob ""B""",7,2026-01-03
3,Cy,12O,2026-01-04
4,Di,.,31.3.2026
5,Ed,,2026-01-06
6,Flo,3
# a comment

7,Gus,2.5,2026-01-08,surplus
8,Hal,2.5,2026-01-08
9,Ida,2.5,2026-01-08
10,Jo,2.5,2026-01-08
11,Kay,2.5,2026-01-08
12,Lee,2.5,2026-01-08
'''


def doubt_of(context: RunContext, name: str) -> Doubt:
    return next(artifact.doubt for artifact, _ in context.made if artifact.id == context.writes[name])


def load(desk: Desk, path: Path, content: bytes, **parameters: object) -> RunContext:
    path.write_bytes(content)
    context = desk.context()
    desk.run(context, "load", name="data", path=str(path), **parameters)
    return context


def test_whatever_is_wrong_with_a_file_is_kept_and_marked(desk: Desk, tmp_path: Path) -> None:
    context = load(desk, tmp_path / "messy.csv", MESSY.encode())
    rows = desk.rows(context, "data")
    assert [row["id"] for row in rows] == list(range(1, 13))
    assert rows[1]["name"] == 'Bob "B"'
    assert [row["amount"] for row in rows[2:6]] == [None, None, None, 3.0]
    assert str(rows[3]["day"]) == "2026-03-31"
    # The code, the misfit and the blank; the date that is written unlike most; and all of the two lines that are wrong.
    assert doubt_of(context, "data") == Doubt(values={"id": 2, "name": 2, "amount": 5, "day": 3}, rows=2, phantoms=3)


def test_what_is_said_is_no_guess(desk: Desk, tmp_path: Path) -> None:
    clean = b"a;b\n1;x\n2;y\n"
    said = {"delimiter": ";", "header": True, "quote": '"', "comment": "", "escape": "", "encoding": "utf-8"}
    assert doubt_of(load(desk, tmp_path / "a.csv", clean), "data").phantoms == 1
    assert doubt_of(load(desk, tmp_path / "b.csv", clean, options=said), "data").is_none
    given = load(desk, tmp_path / "c.csv", clean, options=said, types={"a": {"type": "string"}})
    assert desk.rows(given, "data") == [{"a": "1", "b": "x"}, {"a": "2", "b": "y"}]
    with pytest.raises(CellFailed, match=r"no column of text called z\. It has: a, b"):
        load(desk, tmp_path / "d.csv", clean, types={"z": {"type": "int"}})


def test_an_option_that_the_format_lacks_is_refused(desk: Desk, tmp_path: Path) -> None:
    with pytest.raises(CellFailed, match=r"csv has no option colour\. It has: delimiter"):
        load(desk, tmp_path / "a.csv", b"a\n1\n", options={"colour": "red"})


def test_other_formats_and_packed_files_are_read_alike(desk: Desk, tmp_path: Path) -> None:
    rows = [{"a": 1, "b": "x"}, {"a": 2, "b": "y"}]
    lines = "\n".join(map(json.dumps, rows)).encode()
    pq.write_table(pa.Table.from_pylist(rows), tmp_path / "t.parquet")
    files = {
        "lines.jsonl": lines,
        "list.json": json.dumps(rows).encode(),
        "packed.jsonl.gz": gzip.compress(lines),
        "again.parquet": (tmp_path / "t.parquet").read_bytes(),
        "page.xml": b"<t><r><a>1</a><b>x</b></r><r><a>2</a><b>y</b></r></t>",
    }
    for name, content in files.items():
        assert desk.rows(load(desk, tmp_path / name, content), "data") == rows, name


def test_a_file_that_could_not_be_unpacked_to_its_end_is_read_as_far_as_it_goes(desk: Desk, tmp_path: Path) -> None:
    text = "a,b\n" + "".join(f"{n},{n * n}\n" for n in range(5000))
    context = load(desk, tmp_path / "cut.csv.gz", gzip.compress(text.encode())[:-2000], options={"header": True})
    # Any number of rows is missing; the last one that is there may be cut.
    doubt = doubt_of(context, "data")
    assert (doubt.open, doubt.phantoms) == (True, 1)
    assert 100 < len(desk.rows(context, "data")) < 5000
    assert any("Not all of " in note.text for note in desk.said if isinstance(note, NoteMessage))


@pytest.mark.parametrize(
    ("name", "content"),
    [("cut.json", b'[{"a": 1}, {"a": 2},'), ("cut.xml", b"<t><r><a>1</a></r><r><a>2</a></r>")],
)
def test_rows_may_be_missing_in_any_number_where_a_file_can_not_be_read(
    desk: Desk, tmp_path: Path, name: str, content: bytes
) -> None:
    context = load(desk, tmp_path / name, content)
    assert doubt_of(context, "data").open
    assert desk.rows(context, "data") == [{"a": 1}, {"a": 2}]
    assert any(f"Not all of {name} could be read" in note.text for note in desk.said if isinstance(note, NoteMessage))


def test_of_an_archive_with_several_files_one_is_chosen(desk: Desk, tmp_path: Path) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("one.csv", "a\n1\n")
        archive.writestr("two.csv", "a\n2\n")
    with pytest.raises(CellFailed, match=r"^both\.zip holds several files.* as `member` .*: one\.csv, two\.csv\.$"):
        load(desk, tmp_path / "both.zip", packed.getvalue())
    chosen = load(desk, tmp_path / "both.zip", packed.getvalue(), member="two.csv", options={"header": True})
    assert desk.rows(chosen, "data") == [{"a": 2}]


def test_what_only_later_records_hold_is_neither_rounded_nor_guessed(desk: Desk, tmp_path: Path) -> None:
    early = [f"{number},1.25,{number},2026-01-02" for number in range(MOST_VOTERS)]
    late = [f"{number},1.255,word,2026-01-02" for number in range(MOST_VOTERS // 5)]
    text = "\n".join(["id,price,code,day", *early, *late, "0,1,1,2026"])
    context = load(desk, tmp_path / "late.csv", text.encode(), options={"header": True})
    *_, word, year = desk.rows(context, "data")
    assert (str(word["price"]), word["code"], year["day"]) == ("1.255", "word", None)
    assert doubt_of(context, "data") == Doubt(values={"day": 1})
