"""Where the parts of a program are in its text."""

from __future__ import annotations

import ast

from trailbook.kernels.syntax import parsed


def statements(code: str) -> list[ast.stmt]:
    """The statements at the top level; none if it is not Python."""
    try:
        return parsed(code).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []


def span(code: str, node: ast.stmt | ast.expr) -> tuple[int, int]:
    """Where it starts and ends, in characters."""
    assert node.end_lineno is not None
    assert node.end_col_offset is not None
    lines = code.split("\n")
    return _offset(lines, node.lineno, node.col_offset), _offset(lines, node.end_lineno, node.end_col_offset)


def _offset(lines: list[str], line: int, column: int) -> int:
    # Python counts columns in bytes.
    return sum(len(each) + 1 for each in lines[: line - 1]) + len(lines[line - 1].encode()[:column].decode())
