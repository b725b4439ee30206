"""Executes the code of a cell, and shows the value of its last expression."""

from __future__ import annotations

import ast
import inspect
import linecache
import sys
from types import CodeType, ModuleType, TracebackType
from typing import TYPE_CHECKING, Any

from trailbook.kernels.child.libraries.library_state import compiler_flags
from trailbook.kernels.child.namespace import Namespace
from trailbook.kernels.child.report import CELL_FILE
from trailbook.kernels.child.shown.display import Display

if TYPE_CHECKING:
    from asyncio import Runner


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


class Evaluator:
    """Evaluates code of the cell, on one event loop if it awaits something at its top level.

    A cell that awaits nothing has no loop, so that it may start one itself.
    """

    def __init__(self, namespace: Namespace) -> None:
        self._namespace = namespace
        self._runner: Runner | None = None

    def evaluate(self, code: CodeType) -> Any:
        value = eval(code, self._namespace)
        if not code.co_flags & inspect.CO_COROUTINE:
            return value
        from asyncio import Runner

        self._runner = self._runner or Runner()
        try:
            return self._runner.run(value)
        except BaseException as error:
            raise error.with_traceback(_from_cell_on(error.__traceback__)) from error.__cause__

    def close(self) -> None:
        """End what still runs on the loop."""
        if self._runner:
            self._runner.close()


def execute(tree: ast.Module, code: str, namespace: Namespace, display: Display) -> None:
    # The lines of the cell for tracebacks and inspect; no file's date makes them stale.
    linecache.cache[CELL_FILE] = (len(code), None, code.splitlines(keepends=True), CELL_FILE)
    sys.modules["__main__"] = CellModule(namespace)
    statements, last = _split(tree, code)
    evaluator = Evaluator(namespace)
    try:
        evaluator.evaluate(statements)
        if last is not None:
            value = evaluator.evaluate(last)
            if value is not None:
                display(value)
    finally:
        evaluator.close()


def _split(tree: ast.Module, code: str) -> tuple[CodeType, CodeType | None]:
    """All statements, and apart from them a last expression; a semicolon after it keeps it from being shown."""
    *before, final = tree.body or [ast.Pass(lineno=1, col_offset=0, end_lineno=1, end_col_offset=0)]
    if not isinstance(final, ast.Expr) or code.rstrip().endswith(";"):
        return _compiled(tree, "exec"), None
    statements = ast.Module(before, type_ignores=[])
    return _compiled(statements, "exec"), _compiled(ast.Expression(final.value), "eval")


def _compiled(tree: ast.Module | ast.Expression, mode: str) -> CodeType:
    """With what cells imported from the future, and not what this file does."""
    flags = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT | compiler_flags()
    code: CodeType = compile(tree, CELL_FILE, mode, flags=flags, dont_inherit=True)
    return code


def _from_cell_on(trace: TracebackType | None) -> TracebackType | None:
    """Without the frames of the event loop, which stand before those of the cell."""
    inner = trace
    while inner and inner.tb_frame.f_code.co_filename != CELL_FILE:
        inner = inner.tb_next
    return inner or trace
