"""Turns what went wrong in a cell into the fields of a CellError."""

from __future__ import annotations

import os
import re
import sys
import traceback
from difflib import get_close_matches
from typing import Any

from trailbook.kernels.child.channel import shortened
from trailbook.kernels.child.errors import CellProblem
from trailbook.kernels.child.scope import Scope
from trailbook.kernels.child.spark.connect import advice

CELL_FILE = "<cell>"
MACHINERY = os.path.dirname(__file__)


def describe_syntax_error(error: SyntaxError) -> dict[str, Any]:
    text = "".join(traceback.format_exception_only(error))
    return _fields("python_syntax_error", f"{type(error).__name__}: {error.msg}", error.lineno, error.offset, text)


def describe_exception(error: BaseException, scope: Scope) -> dict[str, Any]:
    """The error, the innermost line of the cell it passed, and the traceback from the cell's first line on."""
    code, message = _code_and_message(error, scope)
    fields = _fields(code, advice(error) or message, cell_line(error), None, _cell_traceback(error))
    return {**fields, "missing_module": _missing_module(error)}


def cell_line(error: BaseException) -> int | None:
    frames = traceback.walk_tb(error.__traceback__)
    lines = [line for frame, line in frames if frame.f_code.co_filename == CELL_FILE]
    return lines[-1] if lines else None


def _missing_module(error: BaseException) -> str | None:
    """The module that could not be imported, also if a library says in its own words that it needs it."""
    causes = (error, error.__cause__, error.__context__) if isinstance(error, ImportError) else ()
    missing = [cause.name for cause in causes if isinstance(cause, ModuleNotFoundError) and cause.name]
    # With a dot in its name it is part of a package that is there.
    return next((name for name in missing if "." not in name), None)


def _code_and_message(error: BaseException, scope: Scope) -> tuple[str, str]:
    if isinstance(error, CellProblem):
        return error.code, str(error)
    if isinstance(error, SystemExit):
        return "python_exit", f"The cell ended itself with sys.exit({error.code!r})."
    if "pyspark" in sys.modules and isinstance(error, Exception):
        from trailbook.engine.errors import translate

        if translated := translate(error):
            return translated.code, translated.message + _hint(translated.message, scope)
    message = "".join(traceback.format_exception_only(error)).strip()
    if isinstance(error, NameError) and error.name:
        close = get_close_matches(error.name, scope.names, n=1)
        kind = "the dataset " if close and close[0] in scope.directories else ""
        message += f". Did you mean {kind}{close[0]!r}?" if close else ""
    return "python_exception", message


def _hint(message: str, scope: Scope) -> str:
    """What to do about a dataset that an expression names, and that Spark does not know yet."""
    unknown = re.match(r"The table or view `(\w+)` cannot be found", message)
    if unknown is None or unknown[1] not in scope:
        return ""
    return f" Name it to spark.table or spark.sql first: only then is the dataset {unknown[1]} a table."


def _cell_traceback(error: BaseException) -> str:
    """The traceback without the frames of the machinery that runs the cell."""
    report = traceback.TracebackException.from_exception(error)
    frames = [frame for frame in report.stack if not frame.filename.startswith((MACHINERY, "<string>"))]
    report.stack = traceback.StackSummary.from_list(frames)
    if isinstance(error, CellProblem):
        return "".join(["Traceback (most recent call last):\n", *report.stack.format(), f"{error}\n"])
    return "".join(report.format())


def _fields(code: str, message: str, line: int | None, column: int | None, text: str | None) -> dict[str, Any]:
    traceback_text = None if text is None else shortened(text)
    return {"code": code, "message": shortened(message), "line": line, "column": column, "traceback": traceback_text}
