"""A parameter that is set from outside replaces what the notebook assigns, and what depends on it follows."""

from __future__ import annotations

from typing import Any

import pytest

from trailbook.errors import Invalid
from trailbook.formats.document import Document, DocumentCell, text_cell
from trailbook.formats.overriding import override, parse_override


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("n=3", 3),
        ("n=-1.5", -1.5),
        ("n=[1, 'a']", [1, "a"]),
        ('n={"a": 1}', {"a": 1}),
        ("n=true", True),
        ("n=None", None),
        ("n=null", None),
        ("n=2024-01-01", "2024-01-01"),
        ("n=a=b", "a=b"),
        ("n='3'", "3"),
        ("n=", ""),
        (" n =x", "x"),
    ],
)
def test_a_value_is_a_literal_or_text(text: str, value: Any) -> None:
    assert parse_override(text) == ("n", value)


@pytest.mark.parametrize("text", ["n", "=3", "a b=3", "class=3", "a.b=1"])
def test_what_is_no_assignment_is_refused(text: str) -> None:
    with pytest.raises(Invalid, match="write name=value"):
        parse_override(text)


@pytest.mark.parametrize(
    ("cells", "changed"),
    [
        (["n = 1", "print(n)"], ["n = 5", "print(n)"]),
        (["m = 1; n = (1 +\n 2)  # why", "n = 2"], ["m = 1; n = (5)  # why", "n = 2"]),
        (["ä = 'ä'; n = 'ä'"], ["ä = 'ä'; n = 5"]),
        (["n: int = 1\nprint(n)"], ["n: int = 1; n = 5\nprint(n)"]),
        (["m, n = 1, 2"], ["m, n = 1, 2; n = 5"]),
        (["def f():\n    n = 1"], ["n = 5\ndef f():\n    n = 1"]),
        (["from __future__ import annotations\nprint(n)"], ["from __future__ import annotations\nn = 5\nprint(n)"]),
        (["x[n] = 1", "!"], ["n = 5\nx[n] = 1", "!"]),
    ],
)
def test_the_first_assignment_gets_the_value(cells: list[str], changed: list[str]) -> None:
    document = Document(cells=tuple(text_cell("python", code) for code in cells))
    assert [cell.text for cell in override(document, {"n": 5}).cells] == changed


def test_the_marked_cell_comes_first() -> None:
    marked = DocumentCell(kind="python", parameters={"code": "n = 1"}, is_parameters=True)
    document = Document(cells=(text_cell("markdown", "n = 1"), text_cell("python", "n = 0"), marked))
    assert [cell.text for cell in override(document, {"n": 5, "m": "x"}).cells] == ["n = 1", "n = 0", "n = 5\nm = 'x'"]


def test_without_python_there_is_nothing_to_set() -> None:
    with pytest.raises(Invalid, match="no Python cell"):
        override(Document(cells=(text_cell("markdown", ""),)), {"n": 5})
