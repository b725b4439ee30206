"""The layers of docs/architecture.md hold: imports go downwards only."""

from __future__ import annotations

from pathlib import Path

import pytest
from importlinter.cli import lint_imports

PYPROJECT = Path(__file__).parent.parent / "pyproject.toml"


def test_imports_go_downwards_only(capsys: pytest.CaptureFixture[str]) -> None:
    broken = lint_imports(str(PYPROJECT), no_cache=True, no_logo=True)
    assert not broken, capsys.readouterr().out
