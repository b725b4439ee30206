"""What a cell read from the environment that the server was started with decides whether its run still counts."""

from __future__ import annotations

import pytest

from tests.workflow.book import Book
from trailbook.settings import Settings
from trailbook.workflow.workbench import Workbench


@pytest.mark.parametrize(
    "read",
    ["os.environ['PLACE']", "os.path.expandvars('$PLACE')", "string.Template('$PLACE').substitute(os.environ)"],
)
def test_a_variable_that_is_different_after_a_restart_makes_the_cell_run_again(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, read: str
) -> None:
    monkeypatch.setenv("PLACE", "north")
    first = Book(Workbench(settings))
    reader = first.add("python", code=f"import os, string\nprint({read})")
    other = first.add("python", code="print('certain')")
    assert first.printed(reader) == "north\n"
    kept = first.settled(other).run
    first.bench.close()

    monkeypatch.setenv("PLACE", "south")
    again = Book(Workbench(settings), first.branch)
    again.bench.run(again.branch, None, False, again.person)
    again.rest()
    assert again.printed(reader) == "south\n"
    assert again.settled(other).run == kept
    again.bench.close()
