"""The code of the section on `tb` in docs/cells.md runs, cell after cell, and prints what the page shows."""

from __future__ import annotations

import inspect
import re
from dataclasses import replace
from pathlib import Path

from tests.cells.conftest import Desk, desk
from tests.sources.web import serving
from trailbook.kernels.child.library import Library
from trailbook.model.base import ArtifactId
from trailbook.model.runs import DisplayMessage, TextMessage

__all__ = ["desk"]

PAGE = (Path(__file__).parents[2] / "docs" / "cells.md").read_text("utf-8")
SECTION = PAGE.partition("### `tb`\n")[2]
EXAMPLES = re.findall(r"^```python\n(.*?)^```\n(?:\n```text\n(.*?)^```\n)?", SECTION, re.MULTILINE | re.DOTALL)


def test_the_examples_print_what_is_shown(desk: Desk) -> None:
    assert len(EXAMPLES) == SECTION.count("```python") == 6
    desk.settings = replace(desk.settings, fetch="any")
    scope: dict[str, ArtifactId] = {}
    with serving() as web:
        for code, shown in EXAMPLES:
            desk.said.clear()
            context = desk.context(**scope)
            desk.run(context, "python", code=code.replace("https://example.org", web.url("")))
            assert "".join(message.text for message in desk.said if isinstance(message, TextMessage)) == shown
            scope = {name: id for name, id in scope.items() if name not in context.deletes} | context.writes
    assert any(isinstance(message, DisplayMessage) for message in desk.said)
    assert desk.described(scope["rain_by_day"]).doubt.model_dump(include={"values", "rows"}) == {
        "values": {"day": 4, "rain": 1},
        "rows": 1,
    }
    assert desk.described(scope["wet"]).doubt.coarse


def test_all_that_tb_offers_is_on_the_page() -> None:
    offered = [name for name, _ in inspect.getmembers(Library) if not name.startswith("_")]
    assert [name for name in offered if f"`tb.{name}(" not in SECTION] == []
