"""Other values for a notebook's parameters.

The first assignment of a name at the top level gets the new value: in the cell that is marked as the one with
parameters, or else in any cell. So everything that is computed from a parameter follows it. A name that is assigned
nowhere is assigned at the end of the marked cell, or else at the top of the first Python cell.
"""

from __future__ import annotations

import ast
import keyword
from collections.abc import Mapping

from trailbook.errors import Invalid
from trailbook.formats.document import Document, DocumentCell
from trailbook.formats.source import span, statements
from trailbook.model.base import Json

WORDS = {"true": True, "false": False, "null": None}


def parse_override(text: str) -> tuple[str, Json]:
    """`name=value`, where the value is a literal of Python or JSON, or else text."""
    name, equals, value = text.partition("=")
    name = name.strip()
    if not equals or not name.isidentifier() or keyword.iskeyword(name):
        raise Invalid(f"--set {text} can't be understood: write name=value, with a name as Python has them.")
    return name, _literal(value)


def _literal(text: str) -> Json:
    if text in WORDS:
        return WORDS[text]
    try:
        return ast.literal_eval(text.strip())
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return text


def override(document: Document, values: Mapping[str, Json]) -> Document:
    """The document with these values for its parameters."""
    cells = list(document.cells)
    for name, value in values.items():
        index, code = _place(cells, name, repr(value))
        cells[index] = cells[index].model_copy(update={"parameters": {**cells[index].parameters, "code": code}})
    return document.model_copy(update={"cells": tuple(cells)})


def _place(cells: list[DocumentCell], name: str, value: str) -> tuple[int, str]:
    """Which cell changes, and its code afterwards."""
    python = [index for index, cell in enumerate(cells) if cell.kind == "python"]
    if not python:
        raise Invalid(f"--set {name} has nowhere to go: the notebook has no Python cell.")
    python.sort(key=lambda index: not cells[index].is_parameters)
    for index in python:
        assigned = _assigned(cells[index].text, name, value)
        if assigned is not None:
            return index, assigned
    first = cells[python[0]]
    return python[0], _at_end(first.text, name, value) if first.is_parameters else _at_top(first.text, name, value)


def _assigned(code: str, name: str, value: str) -> str | None:
    """The code with the new value in its first assignment of the name, if it has one."""
    for statement in statements(code):
        match statement:
            case ast.Assign(targets=[ast.Name(id=found)]) if found == name:
                start, end = span(code, statement.value)
                return f"{code[:start]}{value}{code[end:]}"
            case ast.Assign() | ast.AnnAssign() if name in _targets(statement):
                _, end = span(code, statement)
                return f"{code[:end]}; {name} = {value}{code[end:]}"
    return None


def _targets(statement: ast.Assign | ast.AnnAssign) -> set[str]:
    targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
    stored = (node for target in targets for node in ast.walk(target) if isinstance(node, ast.Name))
    return {node.id for node in stored if isinstance(node.ctx, ast.Store)}


def _at_end(code: str, name: str, value: str) -> str:
    return f"{code.rstrip()}\n{name} = {value}" if code.strip() else f"{name} = {value}"


def _at_top(code: str, name: str, value: str) -> str:
    """Before the first statement, but after imports that only the first lines may hold."""
    first = next((s for s in statements(code) if not _is_future(s)), None)
    start = span(code, first)[0] if first else 0
    return f"{code[:start]}{name} = {value}\n{code[start:]}"


def _is_future(statement: ast.stmt) -> bool:
    is_text = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
    return is_text or (isinstance(statement, ast.ImportFrom) and statement.module == "__future__")
