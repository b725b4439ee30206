"""The examples of docs/library.md do what the page says."""

from __future__ import annotations

import re
from pathlib import Path
from textwrap import indent

import pytest

from trailbook.engine import Engine

PAGE = Path(__file__).parent.parent.parent / "docs" / "library.md"
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def test_every_example_runs(
    engine: Engine, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    blocks = BLOCK.findall(PAGE.read_text("utf-8"))
    (first, *others), (printed,) = ([text for kind, text in blocks if kind == wanted] for wanted in ("python", "text"))
    # That `connect` starts a Spark of its own is tested elsewhere.
    monkeypatch.setenv("TRAILBOOK_SPARK", engine.url())
    # The first example ends in a `with` block, which the others go on with.
    exec(first + "".join(indent(example, "    ") for example in others), {})
    assert capsys.readouterr().out == printed
