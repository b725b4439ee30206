"""Bad input gets a clear message at the cell, and nothing else breaks."""

from __future__ import annotations

import io
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.support.server import Notebook

AWKWARD = [
    "a.b",
    'say "hi"',
    "two words",
    "naïve 😀",
    "back`tick",
    "semi;colon",
    "comma,name",
    "(p)",
    "a=b",
    "tab\there",
]


def load(notebook: Notebook, name: str, content: bytes, **options: Any) -> Any:
    file = notebook.upload(name, content)
    given = {"options": {"header": True}} if name.endswith(".csv") else {}
    return notebook.settled(notebook.add("load", name="data", file=file, file_name=name, **given, **options))


@pytest.mark.parametrize(
    ("name", "content", "format", "message"),
    [
        ("empty.csv", b"", "csv", "empty.csv is empty"),
        ("empty.jsonl", b"", "json", "empty.jsonl is empty"),
        ("empty.parquet", b"", "parquet", "empty.parquet is empty"),
        ("photo.csv", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "csv", "photo.csv is no text"),
        ("table.parquet", b"a,b\n1,2\n", "parquet", "no Parquet file"),
        ("notes.xyz", b"\x01\x02\x03\0", "auto", "Choose one"),
    ],
)
def test_a_file_that_is_not_what_it_says_is_refused(
    notebook: Notebook, name: str, content: bytes, format: str, message: str
) -> None:
    cell = load(notebook, name, content, format=format)
    assert cell["state"] == "error"
    assert message in cell["run"]["error"]["message"]


def test_a_file_of_200_columns_loads(notebook: Notebook) -> None:
    header = ",".join(f"column_{i}" for i in range(200))
    cell = load(notebook, "wide.csv", f"{header}\n{','.join(map(str, range(200)))}\n".encode())
    assert len(cell["outputs"][0]["artifact"]["columns"]) == 200


def test_awkward_column_names_survive_load_sql_and_python(notebook: Notebook) -> None:
    header = ",".join('"' + name.replace('"', '""') + '"' for name in AWKWARD)
    cell = load(notebook, "awkward.csv", f"{header}\n{','.join('1' for _ in AWKWARD)}\n".encode())
    assert cell["state"] == "done", cell["run"]["error"]
    assert [column["name"] for column in cell["outputs"][0]["artifact"]["columns"]] == AWKWARD
    quoted = ", ".join("`" + name.replace("`", "``") + "`" for name in AWKWARD)
    assert notebook.result(notebook.add("sql", query=f"SELECT {quoted} FROM data")) == [[1] * len(AWKWARD)]
    handle = notebook.add("python", code="copy = data + 1\nprint(list(copy.columns))")
    assert notebook.result(handle) == [[2] * len(AWKWARD)]


def test_duplicate_column_names_are_made_different(notebook: Notebook) -> None:
    cell = load(notebook, "twice.csv", b"a,a,A,b\n1,2,3,4\n")
    assert cell["state"] == "done", cell["run"]["error"]
    names = [column["name"] for column in cell["outputs"][0]["artifact"]["columns"]]
    assert len({name.lower() for name in names}) == 4


def test_ragged_lines_are_kept_and_counted(notebook: Notebook) -> None:
    cell = load(notebook, "ragged.csv", b"id,name,x\n1,Ann,3\n2,Bob\n3,Cy,4,5\n")
    assert cell["outputs"][0]["artifact"]["rows"] == 3
    assert cell["outputs"][0]["artifact"]["doubt"]["rows"] == 2


def test_quoted_line_ends_and_doubled_quotes_belong_to_the_value(notebook: Notebook) -> None:
    load(notebook, "quotes.csv", b'a,b\n"one\ntwo","say ""hi"""\n')
    (row,) = notebook.result(notebook.head()["cells"][0]["handle"])
    assert row == ["one\ntwo", 'say "hi"']


def test_lines_that_are_not_json_are_kept_in_doubt(notebook: Notebook) -> None:
    cell = load(notebook, "some.jsonl", b'{"a": 1}\nnot json\n{"a": 2}\n')
    assert cell["outputs"][0]["artifact"]["rows"] == 3
    assert cell["outputs"][0]["artifact"]["doubt"]["rows"] == 1


def test_nanosecond_timestamps_are_read_to_the_microsecond(notebook: Notebook) -> None:
    buffer = io.BytesIO()
    table = pa.table({"t": pa.array([-1, 1_500], pa.timestamp("ns"))})
    pq.write_table(table, buffer, version="2.6")
    cell = load(notebook, "times.parquet", buffer.getvalue())
    assert cell["state"] == "done", cell["run"]["error"]
    assert notebook.result(cell["handle"]) == [["1969-12-31T23:59:59.999999"], ["1970-01-01T00:00:00.000001"]]


def test_types_that_parquet_lacks_are_stored_as_text(notebook: Notebook) -> None:
    handle = notebook.add("sql", query="SELECT NULL AS nothing, make_interval(1, 2) AS span, 1 AS `a.b`")
    assert notebook.result(handle) == [[None, "1 years 2 months", 1]]
    assert "nothing, span" in notebook.cell(handle)["run"]["messages"][0]["text"]


def test_two_columns_of_one_name_are_refused_by_name(notebook: Notebook) -> None:
    cell = notebook.settled(notebook.add("sql", query="SELECT 1 AS x, 2 AS X"))
    assert "Two columns are called X" in cell["run"]["error"]["message"]


def test_an_unknown_dataset_is_answered_with_the_known_ones(notebook: Notebook) -> None:
    notebook.add("sql", query="SELECT 1 AS x", name="sales")
    error = notebook.settled(notebook.add("sql", query="SELECT *\nFROM sails"))["run"]["error"]
    assert "no dataset sails" in error["message"]
    assert error["line"] == 2
    assert "sales" in error["message"]


@pytest.mark.parametrize(
    ("query", "line", "message"),
    [
        ("SELECT 1 +\n+ FROM", 2, ""),
        ("SELECT 1,\n  nope AS x", 2, "nope"),
        ("SELECT *\nFROM (SELECT 1 AS x)\nWHERE y = 1", 3, "y"),
        ("DROP TABLE x", None, "DROP can't be used here"),
    ],
)
def test_invalid_sql_is_told_with_its_line(notebook: Notebook, query: str, line: int | None, message: str) -> None:
    error = notebook.settled(notebook.add("sql", query=query))["run"]["error"]
    assert error["line"] == line
    assert message in error["message"]


@pytest.mark.parametrize(
    ("code", "line", "message"),
    [
        ("x = 1\nif x:\nprint(x)", 3, "IndentationError"),
        ("def f():\n    return 1 / 0\n\nf()", 2, "ZeroDivisionError"),
        ("x = 1\nraise ValueError('no good')", 2, "no good"),
        ("import os\nos._exit(3)", None, "3"),
        ("import ctypes\nctypes.string_at(0)", 2, "SIGSEGV"),
        ("tb.dataset('sails')", 1, "sails"),
    ],
)
def test_python_errors_are_told_with_their_line(notebook: Notebook, code: str, line: int | None, message: str) -> None:
    cell = notebook.settled(notebook.add("python", code=code))
    assert cell["state"] == "error"
    assert cell["run"]["error"]["line"] == line
    assert message in cell["run"]["error"]["message"]


def test_output_of_50_megabytes_is_cut_with_a_note(notebook: Notebook) -> None:
    handle = notebook.add("python", code="for _ in range(50):\n    print('x' * 1024 * 1024)")
    messages = notebook.settled(handle)["run"]["messages"]
    kept = sum(len(message["text"]) for message in messages if message["type"] == "text")
    assert kept <= 1024 * 1024
    assert [message for message in messages if message["type"] == "note"]


@pytest.mark.parametrize("path", ["/etc/passwd", "../../etc/passwd", "~/../../etc/passwd"])
def test_a_path_outside_the_allowed_folders_is_refused(notebook: Notebook, path: str) -> None:
    cell = notebook.settled(notebook.add("load", name="data", path=path, format="csv"))
    assert cell["run"]["error"]["code"] == "path_refused"
