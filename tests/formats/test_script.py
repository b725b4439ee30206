"""The script runs as plain Python, and says in its comments what the notebook says in prose."""

from __future__ import annotations

import ast

from trailbook.formats.document import Document, DocumentCell, checked_parameters, text_cell
from trailbook.formats.script import write


def test_a_notebook_of_python_needs_nothing_else() -> None:
    cells = (text_cell("markdown", "# Title\n\ntext"), text_cell("python", "x = 1\nprint(x)"), text_cell("python", ""))
    assert (
        write(Document(title="Mine", cells=cells))
        == "# Mine\n\n# %% [markdown]\n# # Title\n#\n# text\n\n# %%\nx = 1\nprint(x)\n\n# %%\n"
    )


def test_packages_are_told_as_tools_that_run_scripts_expect_it() -> None:
    text = write(Document(packages=("polars>=2",), cells=(text_cell("python", "x = 1"),)))
    assert text == '# /// script\n# dependencies = ["trailbook", "polars>=2"]\n# ///\n\n# %%\nx = 1\n'


def test_queries_say_what_they_read() -> None:
    load = checked_parameters(
        "load", {"name": "sales", "path": "a.csv", "options": {"delimiter": ";", "header": False}}
    )
    cells = (
        DocumentCell(kind="load", parameters=load),
        DocumentCell(kind="sql", parameters={"name": "totals", "query": "SELECT shop\nFROM sales"}),
        text_cell("python", "display(totals); spark.sql('SELECT 1')"),
    )
    text = write(Document(cells=cells))
    ast.parse(text)
    assert "sales = pandas.read_csv('a.csv', sep=';', header=None)" in text
    assert 'totals = query("""\nSELECT shop\nFROM sales\n""", sales=sales)' in text
    for needed in ("import pandas", "import trailbook", "spark = db.spark", "display = print"):
        assert f"\n{needed}\n" in text
