"""Turns what went wrong in a cell into the fields of a CellError."""

from __future__ import annotations

import traceback
from difflib import get_close_matches
from types import TracebackType
from typing import Any

from trailbook.kernels.child.errors import CellProblem
from trailbook.kernels.child.scope import Scope

CELL_FILE = "<cell>"


def describe_syntax_error(error: SyntaxError) -> dict[str, Any]:
    text = "".join(traceback.format_exception_only(error))
    return _fields("python_syntax_error", f"{type(error).__name__}: {error.msg}", error.lineno, error.offset, text)


def describe_exception(error: BaseException, scope: Scope) -> dict[str, Any]:
    """The error, the innermost line of the cell it passed, and the traceback from the cell's first line on."""
    if isinstance(error, CellProblem):
        return _fields(error.code, str(error), cell_line(error), None, _text_of_problem(error))
    if isinstance(error, SystemExit):
        message = f"The cell ended itself with sys.exit({error.code!r})."
        return _fields("python_exit", message, cell_line(error), None, None)
    text = "".join(traceback.format_exception(type(error), error, cell_traceback(error)))
    return _fields("python_exception", _message(error, scope), cell_line(error), None, text)


def cell_line(error: BaseException) -> int | None:
    frames = traceback.walk_tb(error.__traceback__)
    lines = [line for frame, line in frames if frame.f_code.co_filename == CELL_FILE]
    return lines[-1] if lines else None


def cell_traceback(error: BaseException) -> TracebackType | None:
    """Without the frames of the machinery that runs the cell."""
    inside = error.__traceback__
    while inside and inside.tb_frame.f_code.co_filename != CELL_FILE:
        inside = inside.tb_next
    return inside


def _text_of_problem(error: CellProblem) -> str:
    """The cell's own frames: where in Trailbook the problem was noticed helps nobody."""
    frames = traceback.extract_tb(cell_traceback(error))
    while frames and frames[-1].filename != CELL_FILE:
        frames.pop()
    return "".join(["Traceback (most recent call last):\n", *frames.format(), f"{error}\n"])


def _message(error: BaseException, scope: Scope) -> str:
    message = "".join(traceback.format_exception_only(error)).strip()
    if isinstance(error, NameError) and error.name:
        close = get_close_matches(error.name, list(scope), n=1)
        message += f". Did you mean the dataset {close[0]!r}?" if close else ""
    return message


def _fields(code: str, message: str, line: int | None, column: int | None, text: str | None) -> dict[str, Any]:
    return {"code": code, "message": message, "line": line, "column": column, "traceback": text}
