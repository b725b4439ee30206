"""Cases in text files: `## title`, cells with `---` between them, and after `==>` what is expected of them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Case:
    cells: tuple[str, ...]
    expected: str


def read_cases(path: Path) -> dict[str, Case]:
    _, *parts = re.split(r"^## (.+)\n", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return {title: _case(body) for title, body in zip(parts[::2], parts[1::2], strict=True)}


def _case(body: str) -> Case:
    code, expected = body.strip().split("\n==>\n")
    return Case(tuple(code.split("\n---\n")), expected)
