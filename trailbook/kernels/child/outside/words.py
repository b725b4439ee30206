"""The words of a cell's code, and of what it uses of the user's own code."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from types import CodeType, ModuleType
from typing import Any

from trailbook.kernels.child.outside.own_code import own_codes

_CALLED = re.compile(r"(\w+)\s*\(")


@dataclass(frozen=True)
class Words:
    """`names` are looked up, or packages at hand; `texts` are constants, and functions called in them, as in SQL."""

    names: frozenset[str]
    texts: frozenset[str]


def words_of(tree: ast.Module, namespace: dict[str, Any], installed: list[str]) -> Words:
    """`installed` are the folders whose code is not the user's own."""
    # Only what the code looked up is among the values of the dict itself.
    values = list(dict.values(namespace))
    code = compile(tree, "<cell>", "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
    codes = [code, *own_codes(values, tuple(installed))]
    nested = [inner for outer in codes for inner in _with_nested(outer)]
    modules = {str(vars(value).get("__name__")) for value in values if issubclass(type(value), ModuleType)}
    names = {name.partition(".")[0] for inner in nested for name in inner.co_names}
    texts = {text for inner in nested for text in inner.co_consts if isinstance(text, str)}
    called = {name.lower() for text in texts for name in _CALLED.findall(text)}
    return Words(frozenset(names | {name.partition(".")[0] for name in modules}), frozenset(texts | called))


def _with_nested(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _with_nested(constant)
