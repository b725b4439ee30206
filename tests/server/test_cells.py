"""Cells run in notebook order, on a real Spark, and only what an edit affects runs again."""

from __future__ import annotations

from functools import partial
from typing import Any

from tests.support.server import Notebook, eventually

LONG_QUERY = "SELECT sum(a.id * b.id % 7) AS x FROM range(1000000) a CROSS JOIN range(1000000) b"
CSV = b"city,people\nBern,134\nZug,31\nBern,6\n"


def load(notebook: Notebook, content: bytes = CSV, **options: Any) -> str:
    file = notebook.upload("cities.csv", content)
    return notebook.add("load", name="cities", file=file, file_name="cities.csv", options={"header": True}, **options)


def test_a_csv_is_loaded_with_types_queried_and_changed_in_python(notebook: Notebook) -> None:
    loaded = load(notebook)
    query = notebook.add("sql", query="SELECT city, sum(people) AS n FROM cities GROUP BY city ORDER BY n", name="sums")
    code = notebook.add("python", code="sums['n'] = sums.n * 2\ndoubled = sums.copy()\nprint(len(sums), 'rows')")
    again = notebook.add("sql", query="SELECT n FROM doubled ORDER BY n")
    assert notebook.result(loaded) == [["Bern", 134], ["Zug", 31], ["Bern", 6]]
    assert [c["type"] for c in notebook.cell(loaded)["outputs"][0]["artifact"]["columns"]] == ["string", "int"]
    assert notebook.result(query) == [["Zug", 31], ["Bern", 140]]
    assert notebook.settled(code)["run"]["messages"] == [{"type": "text", "stream": "stdout", "text": "2 rows\n"}]
    assert notebook.result(again) == [[62], [280]]


def test_an_edit_runs_only_what_depends_on_it(notebook: Notebook) -> None:
    first = notebook.add("sql", query="SELECT 1 AS x", name="a")
    reader = notebook.add("sql", query="SELECT x + 1 AS x FROM a", name="b")
    other = notebook.add("sql", query="SELECT 7 AS x", name="c")
    before = {handle: notebook.settled(handle)["run"]["id"] for handle in (first, reader, other)}
    notebook.update(first, query="SELECT 2 AS x", name="a")
    assert notebook.result(reader) == [[3]]
    after = {handle: notebook.settled(handle)["run"]["id"] for handle in (first, reader, other)}
    assert [handle for handle in before if before[handle] != after[handle]] == [first, reader]


def test_undo_and_redo_show_results_at_once_and_run_nothing(notebook: Notebook) -> None:
    handle = notebook.add("sql", query="SELECT 1 AS x")
    old = notebook.settled(handle)["run"]["id"]
    notebook.update(handle, query="SELECT 2 AS x")
    new = notebook.settled(handle)["run"]["id"]
    head = notebook.head()["ref"]["number"]
    undone = notebook.api.post(f"/branches/{notebook.branch}/undo", {"head": head})
    assert (undone["cells"][0]["state"], undone["cells"][0]["run"]["id"]) == ("done", old)
    redone = notebook.api.post(f"/branches/{notebook.branch}/redo", {"head": undone["ref"]["number"]})
    assert (redone["cells"][0]["state"], redone["cells"][0]["run"]["id"]) == ("done", new)


def test_every_version_keeps_its_results_under_its_url(notebook: Notebook) -> None:
    handle = notebook.add("sql", query="SELECT 1 AS x")
    assert notebook.result(handle) == [[1]]
    number = notebook.head()["ref"]["number"]
    notebook.update(handle, query="SELECT 2 AS x")
    assert notebook.result(handle) == [[2]]
    (cell,) = notebook.api.get(f"/branches/{notebook.branch}/versions/{number}")["cells"]
    assert cell["state"] == "done"
    assert notebook.api.get(f"/artifacts/{cell['outputs'][0]['artifact']['id']}/rows")["rows"] == [[1]]


def test_a_failed_cell_holds_up_only_its_readers(notebook: Notebook) -> None:
    broken = notebook.add("sql", query="SELECT nope", name="a")
    reader = notebook.add("sql", query="SELECT * FROM a", name="b")
    other = notebook.add("sql", query="SELECT 5 AS x", name="c")
    assert notebook.result(other) == [[5]]
    assert notebook.cell(broken)["state"] == "error"
    assert (notebook.cell(reader)["state"], notebook.cell(reader)["waits_for"]) == ("waiting", broken)
    notebook.update(broken, query="SELECT 1 AS x", name="a")
    assert notebook.result(reader) == [[1]]


def test_an_endless_loop_and_a_long_query_can_be_cancelled(notebook: Notebook) -> None:
    loop = notebook.add("python", code="while True: pass")
    query = notebook.add("sql", query=LONG_QUERY)
    for handle in (loop, query):
        eventually(partial(notebook.cell, handle), lambda cell: cell["state"] == "running")
        notebook.api.post(f"/branches/{notebook.branch}/cancel", {"cells": [handle]})
        assert notebook.settled(handle)["state"] == "cancelled"


def test_cancelling_everything_leaves_the_cells_behind_it_alone(notebook: Notebook) -> None:
    first = notebook.add("python", code="import time\nx = 1\nwhile True: time.sleep(1)")
    second = notebook.add("python", code="print(x)")
    eventually(lambda: notebook.cell(first), lambda cell: cell["state"] == "running")
    notebook.api.post(f"/branches/{notebook.branch}/cancel")
    assert notebook.settled(first)["state"] == "cancelled"
    eventually(lambda: notebook.cell(second), lambda cell: cell["state"] == "stale")
    assert notebook.cell(second)["run"] is None


def test_a_cell_that_is_edited_while_it_runs_starts_anew(notebook: Notebook) -> None:
    handle = notebook.add("python", code="while True: pass")
    eventually(lambda: notebook.cell(handle), lambda cell: cell["state"] == "running")
    notebook.update(handle, code="print('enough')")
    assert notebook.settled(handle)["run"]["messages"][0]["text"] == "enough\n"


def test_a_cell_goes_on_when_an_edit_does_not_concern_it(notebook: Notebook) -> None:
    handle = notebook.add("python", code="import time\ntime.sleep(2)\nprint('done')")
    running = eventually(lambda: notebook.cell(handle), lambda cell: cell["state"] == "running")
    notebook.add("markdown", text="below")
    assert notebook.settled(handle)["run"]["id"] == running["run"]["id"]
    assert notebook.cell(handle)["state"] == "done"


def test_run_anew_runs_what_need_not_run(notebook: Notebook) -> None:
    handle = notebook.add("python", code="import os\nprint(os.getpid())")
    first = notebook.settled(handle)["run"]["id"]
    notebook.api.post(f"/branches/{notebook.branch}/run", {"cells": [handle], "anew": True})
    second = eventually(lambda: notebook.settled(handle), lambda cell: cell["run"]["id"] != first)
    assert second["state"] == "done"


def test_python_reads_and_writes_datasets_as_every_kind_of_frame(notebook: Notebook) -> None:
    load(notebook)
    code = """
import polars as pl
from_pandas = cities[cities.people > 10]
from_polars = tb.dataset("cities").polars().filter(pl.col("people") > 10)
from_arrow = tb.dataset("cities").arrow()
from_spark = spark.sql("SELECT count(*) AS n FROM cities")
"""
    handle = notebook.add("python", code=code)
    cell = notebook.settled(handle)
    assert cell["state"] == "done", cell["run"]["error"]
    made = {output["name"]: output["artifact"] for output in cell["outputs"]}
    rows = {name: artifact["rows"] for name, artifact in made.items() if artifact["kind"] == "dataset"}
    assert rows == {"from_pandas": 2, "from_polars": 2, "from_arrow": 3, "from_spark": 1}


def test_plots_and_html_are_shown(notebook: Notebook) -> None:
    html = "class H:\n    def _repr_html_(self): return '<b>hi</b>'\nH()"
    code = f"import matplotlib.pyplot as plt\nplt.plot([1, 2])\n{html}"
    handle = notebook.add("python", code=code)
    messages = notebook.settled(handle)["run"]["messages"]
    shown = [mime for message in messages for mime in (*message["data"], *message["artifacts"])]
    assert "text/html" in shown
    assert "image/png" in shown
    image = next(message["artifacts"]["image/png"] for message in messages if "image/png" in message["artifacts"])
    answer = notebook.api.http.get(f"/artifacts/{image}/content")
    assert answer.content.startswith(b"\x89PNG")
    assert "sandbox" in answer.headers["content-security-policy"]


def test_a_long_query_does_not_starve_short_ones(notebook: Notebook) -> None:
    small = notebook.api.project("small")
    counted = small.add("sql", query="SELECT id FROM range(1000)", name="numbers")
    small.settled(counted)
    long = notebook.add("sql", query=LONG_QUERY)
    eventually(lambda: notebook.cell(long), lambda cell: cell["state"] == "running")
    assert small.result(small.add("sql", query="SELECT count(*) AS n FROM numbers WHERE id % 2 = 0")) == [[500]]
    assert len(small.result(counted)) == 100
    assert notebook.cell(long)["state"] == "running"
    notebook.api.post(f"/branches/{notebook.branch}/cancel")
    assert notebook.settled(long)["state"] == "cancelled"
