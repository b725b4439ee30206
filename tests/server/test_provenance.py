"""What passes between the cells of a version: observed where they have run, forecast where they have not."""

from __future__ import annotations

from typing import Any

from tests.support.server import Notebook

RAW = "import pandas as pd\n\nraw = pd.DataFrame({'id': [1, 2], 'amount': [10, 20]})\nother = raw.head(1)"


def provenance(notebook: Notebook) -> Any:
    number = notebook.head()["ref"]["number"]
    return notebook.api.get(f"/branches/{notebook.branch}/versions/{number}/provenance")


def test_what_was_read_is_told_with_its_artifact(notebook: Notebook) -> None:
    raw = notebook.add("python", code=RAW)
    notebook.add("markdown", text="# Nothing runs here")
    sums = notebook.add("sql", name="sums", query="SELECT sum(amount) AS s FROM RAW")
    code = notebook.add("python", code="if 1 > 2:\n    raw\nprint(other)\nother['n'] = 1")
    both = notebook.add("sql", name="both", query="SELECT * FROM sums, other")
    cells = {cell: notebook.settled(cell) for cell in (raw, sums, code, both)}
    assert {cell["state"] for cell in cells.values()} == {"done"}
    made = {
        (cell, output["name"]): output["artifact"]["id"] for cell, view in cells.items() for output in view["outputs"]
    }
    found = provenance(notebook)
    links = {(link["writer"], link["reader"], link["name"]): link for link in found["links"]}
    assert links.keys() == {(raw, sums, "raw"), (raw, code, "other"), (sums, both, "sums"), (code, both, "other")}
    assert all(link["observed"] for link in links.values())
    assert {key: link["artifact"] for key, link in links.items()} == {
        (writer, reader, name): made[writer, name] for writer, reader, name in links
    }
    assert [node["cell"] for node in found["cells"]] == [raw, sums, code, both]
    assert (found["depth"], found["parallelism"]) == (3, 4 / 3)
    assert found["cells"][2]["reads"] == ["other"]
    assert found["cells"][2]["writes"] == ["other"]


def test_what_has_not_run_is_forecast_with_its_statements(notebook: Notebook) -> None:
    failed = notebook.add("python", code="a = 1 / 0\nb = a")
    later = notebook.add("sql", name="c", query="SELECT * FROM a")
    notebook.settled(failed)
    found = provenance(notebook)
    (link,) = found["links"]
    assert link == {"reader": later, "writer": failed, "name": "a", "artifact": None, "observed": False}
    first, second = found["cells"]
    assert [first["observed"], second["observed"]] == [False, False]
    assert [(each["first_line"], each["reads"], each["writes"]) for each in first["statements"]] == [
        (1, [], ["a"]),
        (2, ["a"], ["b"]),
    ]
    assert first["links"] == [{"reader": 1, "writer": 0, "name": "a"}]


def test_an_empty_notebook_has_nothing_to_tell(notebook: Notebook) -> None:
    found = provenance(notebook)
    assert (found["cells"], found["links"], found["depth"], found["parallelism"]) == ([], [], 0, 1.0)
