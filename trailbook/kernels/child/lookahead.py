"""Finds the names that a cell's code needs before it starts, because Python looks them up past the namespace."""

from __future__ import annotations

import ast
from collections.abc import Iterable

NATIVE_READERS = frozenset({"duckdb", "eval", "exec"})
"""What looks into the caller's names by itself."""


def names_needed_at_once(tree: ast.Module, known: Iterable[str]) -> set[str]:
    """All known names if the code may look them up natively; else those its class bodies mention."""
    nodes = list(ast.walk(tree))
    # Much of PySpark asks for the active session, without the cell's code ever saying `spark`.
    session = {"spark"} if any(_imports_pyspark(node) for node in nodes) else set()
    if any(_reads_natively(node) for node in nodes):
        return session | set(known)
    bodies = (node for node in nodes if isinstance(node, ast.ClassDef))
    mentioned = {node.id for body in bodies for node in ast.walk(body) if isinstance(node, ast.Name)}
    return session | (mentioned & set(known))


def _imports_pyspark(node: ast.AST) -> bool:
    match node:
        case ast.ImportFrom(module=str(name)) | ast.alias(name=name):
            return name.partition(".")[0] == "pyspark"
    return False


def _reads_natively(node: ast.AST) -> bool:
    match node:
        case ast.Name(id=name) | ast.alias(name=name) | ast.ImportFrom(module=name):
            return name in NATIVE_READERS
        case ast.Constant(value=str(text)):
            # pandas' query and eval take @name from the caller.
            return "@" in text
    return False
