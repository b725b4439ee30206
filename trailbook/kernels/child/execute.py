"""Executes the code of a cell, and shows the value of its last expression."""

from __future__ import annotations

import ast
import linecache
import sys
from types import CodeType, ModuleType
from typing import Any

from trailbook.kernels.child.display import Display
from trailbook.kernels.child.namespace import Namespace
from trailbook.kernels.child.report import CELL_FILE


class CellModule(ModuleType):
    """`__main__` for whoever looks a class or function of the cell up by its module, as pickle does."""

    def __init__(self, namespace: Namespace) -> None:
        super().__init__("__main__")
        object.__setattr__(self, "_namespace", namespace)

    def __getattribute__(self, name: str) -> Any:
        namespace = object.__getattribute__(self, "_namespace")
        if name == "__dict__":
            return namespace
        return namespace[name] if name in namespace else super().__getattribute__(name)

    def __setattr__(self, name: str, value: Any) -> None:
        object.__getattribute__(self, "_namespace")[name] = value


def execute(tree: ast.Module, code: str, namespace: Namespace, display: Display) -> None:
    # The lines of the cell for tracebacks and inspect; no file's date makes them stale.
    linecache.cache[CELL_FILE] = (len(code), None, code.splitlines(keepends=True), CELL_FILE)
    sys.modules["__main__"] = CellModule(namespace)
    statements, last = _split(tree, code)
    exec(statements, namespace)
    if last is not None:
        value = eval(last, namespace)
        if value is not None:
            display(value)


def _split(tree: ast.Module, code: str) -> tuple[CodeType, CodeType | None]:
    """All statements, and apart from them a last expression; a semicolon after it keeps it from being shown."""
    *before, final = tree.body or [ast.Pass(lineno=1, col_offset=0, end_lineno=1, end_col_offset=0)]
    if not isinstance(final, ast.Expr) or code.rstrip().endswith(";"):
        return compile(tree, CELL_FILE, "exec"), None
    statements = ast.Module(before, type_ignores=[])
    return compile(statements, CELL_FILE, "exec"), compile(ast.Expression(final.value), CELL_FILE, "eval")
