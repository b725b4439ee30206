"""The examples of docs/loading.md and docs/exporting.md print what the pages show."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import trailbook
from trailbook.engine import Engine
from trailbook.library import Database

DOCS = Path(__file__).parents[2] / "docs"
SECTION = re.compile(r"^### (.*?)\n(.*?)(?=^##|\Z)", re.MULTILINE | re.DOTALL)
FILE = re.compile(r"^`([\w.]+)`:\n\n```text\n(.*?)^```$", re.MULTILINE | re.DOTALL)
EXAMPLE = re.compile(r"^```python\n(.*?)^```\n\n```text\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize(("page", "sections"), [("loading.md", 9), ("exporting.md", 5)])
def test_the_examples_print_what_is_shown(
    engine: Engine,
    postgres: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    page: str,
    sections: int,
) -> None:
    monkeypatch.chdir(tmp_path)
    text = (DOCS / page).read_text("utf-8").partition("\n## Formats")[2]
    found = 0
    with Database(engine, tmp_path) as db:
        for title, section in SECTION.findall(text):
            for name, content in FILE.findall(section):
                Path(name).write_text(content)
            for code, printed in EXAMPLE.findall(section):
                found += 1
                exec(code, {"db": db, "trailbook": trailbook, "url": postgres})
                assert capsys.readouterr().out == printed, title
    assert found == sections
