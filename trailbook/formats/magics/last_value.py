"""Keeps the value of a cell's last expression for when something else has to come after it."""

from __future__ import annotations

import ast

from trailbook.formats.source import span, statements


def with_last_value(code: str, name: str) -> tuple[str, str]:
    """The code with its last expression assigned to a name, and that name; without one, the code and nothing."""
    body = statements(code)
    if not body or not isinstance(body[-1], ast.Expr) or code.rstrip().endswith(";"):
        return code, ""
    start, end = span(code, body[-1])
    return f"{code[:start]}{name} = ({code[start:end]}){code[end:]}", name
