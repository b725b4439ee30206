"""Pages of datasets come as JSON or Arrow, as the client likes, and hold what Spark computed."""

from __future__ import annotations

import pyarrow as pa
import pytest

from tests.support.server import Api, Notebook
from trailbook.server.rows import ARROW, json_rows, prefers_arrow

# Spark's expression for a value, the type of its column, and the value in JSON.
VALUES = {
    "CAST(1 AS TINYINT)": ("tinyint", 1),
    "CAST(-2 AS SMALLINT)": ("smallint", -2),
    "3": ("int", 3),
    "9007199254740991L": ("bigint", 2**53 - 1),
    "9007199254740993L": ("bigint", "9007199254740993"),
    "-9223372036854775808L": ("bigint", "-9223372036854775808"),
    "CAST(0.5 AS FLOAT)": ("float", 0.5),
    "0.1D": ("double", 0.1),
    "DOUBLE('NaN')": ("double", "NaN"),
    "DOUBLE('-Infinity')": ("double", "-Infinity"),
    "-0.0D": ("double", -0.0),
    "CAST('12345678901234567890.123456789012345678' AS DECIMAL(38,18))": (
        "decimal(38,18)",
        "12345678901234567890.123456789012345678",
    ),
    "true": ("boolean", True),
    "'naïve 😀 \\u0000 \\n'": ("string", "naïve 😀 \0 \n"),
    "X'00FF'": ("binary", "AP8="),
    "DATE '2024-02-29'": ("date", "2024-02-29"),
    "DATE '0001-01-01'": ("date", "0001-01-01"),
    "TIMESTAMP '2024-02-29 12:30:00.000001 Europe/Berlin'": ("timestamp", "2024-02-29T11:30:00.000001+00:00"),
    "TIMESTAMP_NTZ '2024-02-29 12:30:00'": ("timestamp_ntz", "2024-02-29T12:30:00"),
    "array(1, NULL)": ("array<int>", [1, None]),
    "map('k', 9007199254740993L)": ("map<string,bigint>", [["k", "9007199254740993"]]),
    "named_struct('a', DATE '2024-01-01', 'b', array(DOUBLE('NaN')))": (
        "struct<a:date,b:array<double>>",
        {"a": "2024-01-01", "b": ["NaN"]},
    ),
    "CAST(NULL AS INT)": ("int", None),
    "NULL": ("string", None),
}


def dataset(notebook: Notebook, query: str) -> str:
    cell = notebook.settled(notebook.add("sql", query=query))
    assert cell["state"] == "done", cell["run"]["error"]
    artifact: str = cell["outputs"][0]["artifact"]["id"]
    return artifact


def arrow_page(api: Api, artifact: str, **page: int) -> pa.Table:
    answer = api.http.get(f"/artifacts/{artifact}/rows", params=page, headers={"Accept": ARROW})
    assert answer.status_code == 200
    assert answer.headers["content-type"] == ARROW
    return pa.ipc.open_stream(answer.content).read_all()


def test_values_of_every_type_come_whole_in_both_forms(api: Api, notebook: Notebook) -> None:
    query = "SELECT " + ", ".join(f"{expression} AS c{i}" for i, expression in enumerate(VALUES))
    artifact = dataset(notebook, query)
    page = api.get(f"/artifacts/{artifact}/rows")
    assert [(c["type"], value) for c, value in zip(page["columns"], page["rows"][0], strict=True)] == [*VALUES.values()]
    table = arrow_page(api, artifact)
    assert json_rows(table) == page["rows"]
    assert table.schema.names == [c["name"] for c in page["columns"]]


def test_years_that_python_does_not_know_are_shown_as_text(api: Api, notebook: Notebook) -> None:
    query = """
        SELECT make_date(12024, 1, 1) AS d, make_date(-44, 3, 15) AS e, array(make_date(12024, 1, 1), NULL) AS f,
               map('k', named_struct('t', make_timestamp(12024, 1, 1, 0, 0, 0))) AS g, 1 AS h
        UNION ALL SELECT NULL, NULL, NULL, NULL, NULL"""
    rows = api.get(f"/artifacts/{dataset(notebook, query)}/rows")["rows"]
    whole, empty = sorted(rows, key=lambda row: row[4] is None)
    assert "12024-01-01" in whole[0]
    assert whole[1].endswith("03-15")
    assert "12024-01-01" in whole[2][0]
    assert "12024-01-01" in whole[3][0][1]["t"]
    assert empty == [None] * 5


def test_a_page_of_a_million_rows_is_the_slice_it_says(api: Api, notebook: Notebook) -> None:
    artifact = dataset(notebook, "SELECT id, id % 7 AS k, concat('row ', id) AS t FROM range(1000000) ORDER BY id")
    assert api.get(f"/artifacts/{artifact}")["rows"] == 1_000_000
    for offset, limit in ((0, 100), (65_500, 100), (499_999, 10_000), (999_990, 100), (1_000_000, 5), (2**62, 1)):
        wanted = list(range(offset, min(offset + limit, 1_000_000)))
        table = arrow_page(api, artifact, offset=offset, limit=limit)
        assert table.column("id").to_pylist() == wanted
        assert table.schema.names == ["id", "k", "t"]
        page = api.get(f"/artifacts/{artifact}/rows", offset=offset, limit=limit)
        assert page["rows"] == [[i, i % 7, f"row {i}"] for i in wanted]
        assert (page["offset"], page["total"]) == (offset, 1_000_000)


def test_an_empty_dataset_has_columns_and_no_rows(api: Api, notebook: Notebook) -> None:
    artifact = dataset(notebook, "SELECT 1 AS x, 'a' AS y WHERE 1 = 0")
    page = api.get(f"/artifacts/{artifact}/rows")
    assert ([c["name"] for c in page["columns"]], page["rows"], page["total"]) == (["x", "y"], [], 0)
    assert arrow_page(api, artifact).schema.names == ["x", "y"]


def test_a_page_of_200_columns_is_whole(api: Api, notebook: Notebook) -> None:
    columns = ", ".join(f"id + {i} AS c{i}" for i in range(200))
    artifact = dataset(notebook, f"SELECT {columns} FROM range(20) ORDER BY id")
    assert api.get(f"/artifacts/{artifact}/rows")["rows"] == [[i + j for j in range(200)] for i in range(20)]
    assert arrow_page(api, artifact).num_columns == 200


@pytest.mark.parametrize(
    ("query", "problem"), [({"offset": -1}, "offset"), ({"limit": 0}, "limit"), ({"limit": 10_001}, "limit")]
)
def test_a_page_that_makes_no_sense_is_refused(api: Api, query: dict[str, int], problem: str) -> None:
    answer = api.http.get(f"/artifacts/{'0' * 64}/rows", params=query)
    assert (answer.status_code, answer.json()["code"]) == (422, "invalid")
    assert problem in answer.json()["message"]


def test_a_file_has_no_rows_and_a_dataset_no_content(api: Api, notebook: Notebook) -> None:
    file = notebook.upload("x.csv", b"a\n1\n")
    assert "…/content" in api.http.get(f"/artifacts/{file}/rows").json()["message"]
    artifact = dataset(notebook, "SELECT 1 AS x")
    assert "…/rows" in api.http.get(f"/artifacts/{artifact}/content").json()["message"]


@pytest.mark.parametrize(
    ("accept", "arrow"),
    [
        ("", False),
        ("*/*", False),
        ("application/json", False),
        (ARROW, True),
        (ARROW.upper(), True),
        (f"{ARROW}, application/json;q=0.9", True),
        (f"{ARROW};q=0.5, application/json", False),
        (f"{ARROW};q=0.5, application/*;q=0.4, */*", True),
        (f"{ARROW};q=0", False),
        (f"{ARROW};q=high, */*", False),
        (f"{ARROW}x", False),
    ],
)
def test_the_accept_header_is_weighed(accept: str, arrow: bool) -> None:
    assert prefers_arrow(accept) is arrow


@pytest.mark.parametrize("id", ["..%2f..%2ftoken", "%2e%2e", "0" * 63, "A" * 64, "0" * 64 + "%0a", "0" * 64 + "%00"])
def test_no_artifact_id_leads_out_of_the_store(api: Api, id: str) -> None:
    for path in ("", "/rows", "/content"):
        assert api.http.get(f"/artifacts/{id}{path}").status_code in (404, 422)
