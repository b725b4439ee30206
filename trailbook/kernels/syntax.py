"""Parsing Python, one thread at a time."""

from __future__ import annotations

import ast
import threading
from typing import Literal, overload

_parsing = threading.Lock()


@overload
def parsed(code: str) -> ast.Module: ...
@overload
def parsed(code: str, mode: Literal["eval"]) -> ast.Expression: ...
def parsed(code: str, mode: Literal["exec", "eval"] = "exec") -> ast.Module | ast.Expression:
    """Like `ast.parse`, in which Python 3.11 counts the depth for all threads together and fails if two are in it."""
    with _parsing:
        tree = ast.parse(code, mode=mode)
    assert isinstance(tree, ast.Module | ast.Expression)
    return tree
