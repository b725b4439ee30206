"""Finds what the cell's code sets in libraries, and no other cell sees: each starts with libraries as they are."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from types import ModuleType
from typing import Any

REGISTERING = frozenset(
    {
        *("register_dataframe_accessor", "register_index_accessor", "register_series_accessor"),
        *("register_dialect", "set_config", "setdefaulttimeout", "setrecursionlimit"),
    }
)
"""Functions of pandas, csv, scikit-learn, socket and sys that do the same without an assignment."""
FLOWS_ON = frozenset({"sys.path"})


def patches(tree: ast.Module, namespace: dict[str, Any]) -> list[str]:
    """What is set, as it is written there: `pd.DataFrame.total`, `sys.setrecursionlimit`."""
    found = (name for node in ast.walk(tree) for name in _set_by(node, namespace))
    return sorted(set(found) - FLOWS_ON)


def _set_by(node: ast.AST, namespace: dict[str, Any]) -> Iterator[str]:
    match node:
        case ast.Attribute(value=ast.expr() as owner, ctx=ast.Store() | ast.Del()) if _is_library(owner, namespace):
            yield ast.unparse(node)
        case ast.Call(func=ast.Name(id="setattr"), args=[owner, ast.Constant(value=str() as name), *_]) if _is_library(
            owner, namespace
        ):
            yield f"{ast.unparse(owner)}.{name}"
        case ast.Call(func=ast.Attribute(attr=name) | ast.Name(id=name) as function) if name in REGISTERING:
            yield ast.unparse(function)
        # By its last name others are called, too.
        case ast.Call(func=ast.Attribute(value=ast.Name(id="tqdm"), attr="pandas")):
            yield "tqdm.pandas"


def _is_library(owner: ast.expr, namespace: dict[str, Any]) -> bool:
    """Whether it is a module, or a class of one. What the notebook itself defines flows on."""
    # Not isinstance, which asks the value itself, and that may answer with anything.
    kind = type(value := _value(owner, namespace))
    if issubclass(kind, type):
        return bool(vars(value).get("__module__") != "__main__")
    return issubclass(kind, ModuleType)


def _value(owner: ast.expr, namespace: dict[str, Any]) -> Any:
    """What `a.b.c` means, as far as these are modules and classes; nothing is looked up that the code did not."""
    match owner:
        case ast.Name(id=name):
            return dict.get(namespace, name)
        case ast.Attribute(value=above, attr=name):
            holder = _value(above, namespace)
            return vars(holder).get(name) if issubclass(type(holder), ModuleType | type) else None
    return None
