"""Caveats that code gives with a dataset are marked, explained and acknowledged like any others."""

from __future__ import annotations

from typing import Any

import pytest

from tests.server.asking import caveat_sets
from tests.support.server import Notebook

CODE = """import pandas as pd
import uuid
print(uuid.uuid4())
tb.save("readings", pd.DataFrame({"a": [1, 2, 3, 3], "b": ["w", "x", "y", "y"]}), caveats=[
    tb.Caveat("typed by hand", row=1, column="a"), tb.Caveat("smudged", row=2, column="a"),
    tb.Caveat("seen twice", row=3), tb.Caveat("old names", column="B")])
"""
TYPED = {"message": "typed by hand", "row": "readings:1"}


class Story:
    """Readings with caveats, a query over them, and code that gives them another name."""

    def __init__(self, notebook: Notebook) -> None:
        self.notebook = notebook
        self.saved = notebook.add("python", code=CODE)
        self.sums = notebook.add("sql", query="SELECT b, sum(a) AS s FROM readings GROUP BY b ORDER BY b", name="sums")
        self.renamed = notebook.add("python", code='tb.rename("sums", "totals")')

    def doubt(self, cell: str) -> Any:
        found = self.notebook.settled(cell)
        assert found["state"] == "done", found["run"]["error"]
        return found["outputs"][0]["artifact"]["doubt"]

    def sets(self, cell: str, name: str, **asked: Any) -> dict[str, Any]:
        return caveat_sets(self.notebook, cell, name, **asked)


@pytest.fixture
def story(notebook: Notebook) -> Story:
    return Story(notebook)


def test_given_caveats_are_marked_explained_and_acknowledged(story: Story) -> None:
    assert story.doubt(story.saved) == {
        "values": {"a": 2, "b": 4},
        "rows": 1,
        "phantoms": 0,
        "open": False,
        "coarse": False,
    }
    printed = story.notebook.settled(story.saved)["run"]["messages"]
    of_a, of_b, of_rows = (f'tb.save("readings"): {what}' for what in ("column a", "column b", "rows"))
    found = story.sets(story.saved, "readings")
    assert {place: (one["cell"], one["count"]) for place, one in found.items()} == {
        of_a: (story.saved, 2),
        of_b: (story.saved, 1),
        of_rows: (story.saved, 1),
    }
    assert found[of_b]["examples"] == [{"message": "old names", "row": None}]
    assert found[of_rows]["examples"] == [{"message": "seen twice", "row": "readings:3"}]
    assert story.sets(story.saved, "readings", row=0, column="a") == {}

    below = story.sets(story.renamed, "totals", row=1, column="s")
    assert TYPED in below[of_a]["examples"]
    assert story.doubt(story.renamed) == story.doubt(story.sums)
    assert not story.doubt(story.renamed)["coarse"]

    story.notebook.edit(action="acknowledge", handle=story.saved, place=of_a, message="typed by hand", note="checked")
    assert story.doubt(story.saved)["values"] == {"a": 1, "b": 4}
    assert story.notebook.settled(story.saved)["run"]["messages"] == printed, "the code was executed again"
    (listed,) = story.sets(story.saved, "readings", row=1, column="a").values()
    assert (listed["examples"], listed["acknowledged"][0]["note"]) == ([TYPED], "checked")
    story.notebook.edit(action="acknowledge", handle=story.saved, place=of_rows)
    assert story.doubt(story.saved)["rows"] == 0
    story.notebook.edit(action="take_back", handle=story.saved, place=of_rows)
    assert story.doubt(story.saved)["rows"] == 1
