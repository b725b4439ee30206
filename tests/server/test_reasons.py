"""Doubts and their reasons in notebooks that are a little out of the way."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.support.server import Notebook

RAW = "import pandas as pd\nraw = pd.DataFrame({'id': [1, 2, 3], 't': ['1', 'x', '3']})"
ODD = "SELECT id, caveat_if(id * 10, id = 2, 'odd') AS x FROM raw"


def add(notebook: Notebook, handle: str, kind: str, **parameters: Any) -> str:
    """A cell with a handle of our choice: results are read in the order of handles."""
    cells = notebook.head()["cells"]
    after = cells[-1]["handle"] if cells else None
    notebook.edit(action="insert", handle=handle, after=after, kind=kind, parameters=parameters)
    return handle


def sayings(notebook: Notebook, cell: str, name: str, **asked: Any) -> list[Any]:
    path = f"/branches/{notebook.branch}/versions/{notebook.head()['ref']['number']}/caveats"
    with notebook.api.http.stream("POST", path, json={"cell": cell, "name": name, **asked}) as answer:
        return [json.loads(line) for line in answer.iter_lines()]


def cells_behind(notebook: Notebook, cell: str, name: str, **asked: Any) -> list[str]:
    *said, end = sayings(notebook, cell, name, **asked)
    assert end == {"type": "end"}
    return [one["set"]["cell"] for one in said if one["type"] == "set" and one["set"]["count"]]


def doubt(notebook: Notebook, cell: str) -> Any:
    found = notebook.settled(cell)
    assert found["state"] == "done", found["run"]["error"]
    return found["outputs"][0]["artifact"]["doubt"]


def test_reasons_are_found_behind_a_cell_that_makes_what_it_reads(notebook: Notebook) -> None:
    add(notebook, "m", "python", code=RAW)
    first = add(notebook, "z", "sql", query="SELECT id, int(t) AS x FROM raw", name="t")
    last = add(notebook, "a", "sql", query="SELECT * FROM t", name="u")
    assert doubt(notebook, last)["values"] == {"x": 1}
    assert cells_behind(notebook, last, "u", column="x") == [first]


def test_the_reasons_are_those_of_the_cell_that_was_read(notebook: Notebook) -> None:
    add(notebook, "m", "python", code=RAW)
    add(notebook, "b", "sql", query="SELECT id, int(t) AS x FROM raw", name="t")
    second = add(notebook, "c", "sql", query="SELECT id, int(t) AS x FROM raw", name="u")
    last = add(notebook, "d", "sql", query="SELECT x FROM u", name="w")
    assert doubt(notebook, last)["values"] == {"x": 1}
    assert cells_behind(notebook, last, "w", column="x") == [second]


def test_code_runs_again_if_only_the_zone_of_its_moments_changed(notebook: Notebook) -> None:
    code = (
        "import pandas as pd\n"
        "t = pd.DataFrame({'m': pd.to_datetime(['2026-01-01 12:00']).tz_localize('UTC').tz_convert('%s')})"
    )
    first = notebook.add("python", code=code % "UTC")
    second = notebook.add("python", code="import pandas as pd\nhours = pd.DataFrame({'h': t.m.dt.hour})")
    assert notebook.result(second) == [[12]]
    notebook.update(first, code=code % "Asia/Tokyo")
    notebook.settled(first)
    assert notebook.result(second) == [[21]]


@pytest.mark.parametrize("code", ["t = t[t.x > 0]", "t.dropna(inplace=True)"])
def test_code_that_happens_to_change_nothing_leaves_a_dataset_in_doubt(notebook: Notebook, code: str) -> None:
    notebook.add("python", code=RAW)
    notebook.add("sql", query=ODD, name="t")
    notebook.add("python", code=code)
    last = notebook.add("sql", query="SELECT count(*) AS n FROM t", name="n")
    assert doubt(notebook, last)["values"] == {"n": 1}


def test_a_dataset_may_be_called_as_the_phantoms_of_another(notebook: Notebook) -> None:
    notebook.add("python", code=RAW)
    notebook.add("sql", query="SELECT id FROM raw WHERE cast(t AS int) > 2", name="x")
    notebook.add("sql", query="SELECT 77 AS id, 5 AS other", name="phantoms_of_x")
    last = notebook.add("sql", query="SELECT id FROM x UNION ALL SELECT id FROM phantoms_of_x", name="u")
    assert sorted(notebook.result(last)) == [[3], [77]]


def test_a_column_may_be_called_metadata(notebook: Notebook) -> None:
    notebook.add("python", code="import pandas as pd\nraw = pd.DataFrame({'_metadata': ['1', 'x']})")
    cell = notebook.add("sql", query="SELECT int(_metadata) AS v FROM raw", name="t")
    assert doubt(notebook, cell)["values"] == {"v": 1}
    assert cells_behind(notebook, cell, "t", row=1, column="v") == [cell]


@pytest.mark.parametrize("value", ["DATE'12000-01-01'", "INTERVAL 1 DAY"])
def test_values_that_python_or_parquet_lack_are_no_obstacle_to_reasons(notebook: Notebook, value: str) -> None:
    cell = notebook.add("sql", query=f"SELECT {value} AS i, caveat(1, 'x') AS v", name="t")
    assert doubt(notebook, cell)["values"]["v"] == 1
    assert cells_behind(notebook, cell, "t", row=0, column="v") == [cell]
