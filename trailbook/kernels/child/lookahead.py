"""Finds the names that a cell's code needs before it starts, because Python looks them up past the namespace."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Iterable, Iterator
from opcode import opmap
from types import CodeType

NATIVE_READERS = frozenset({"duckdb", "eval", "exec"})
"""What looks into the caller's names by itself."""
DELETE_GLOBAL = opmap["DELETE_GLOBAL"]


def names_needed_at_once(tree: ast.Module, every_name: Callable[[], Iterable[str]]) -> set[str]:
    """Every name if the code may look them up natively; else those in class bodies, and those that functions delete."""
    nodes = list(ast.walk(tree))
    # Much of PySpark asks for the active session, without the cell's code ever saying `spark`.
    session = {"spark"} if any(_imports_pyspark(node) for node in nodes) else set()
    if any(_reads_natively(node) for node in nodes):
        return session | set(every_name())
    bodies = [set(_names_of_body(node)) for node in nodes if isinstance(node, ast.ClassDef)]
    return session.union(_deleted_globals(nodes), *bodies)


def _names_of_body(node: ast.AST) -> Iterator[str]:
    """The names that are looked up where a class is defined, and not later, in its methods."""
    for child in ast.iter_child_nodes(node):
        match child:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.Lambda():
                outside = [*getattr(child, "decorator_list", []), child.args, getattr(child, "returns", None)]
                yield from _names_of_body(ast.Tuple([one for one in outside if one], ast.Load()))
            case ast.Name(id=name, ctx=ast.Load()):
                yield name
            case _:
                yield from _names_of_body(child)


def _deleted_globals(nodes: list[ast.AST]) -> set[str]:
    declared = {name for node in nodes if isinstance(node, ast.Global) for name in node.names}
    return declared & {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Del)}


def names_needed_by_code(code: CodeType, known: Iterable[str], every_name: Callable[[], Iterable[str]]) -> set[str]:
    """The same for a function that comes from another cell, of which it is harder to tell what are names."""
    parts = list(with_inner(code))
    if any(_reads_natively_in(part) for part in parts):
        return set(every_name())
    past = (part for part in parts if not part.co_flags & inspect.CO_OPTIMIZED or _deletes_globals(part))
    return {name for part in past for name in part.co_names} & set(known)


def _deletes_globals(code: CodeType) -> bool:
    return DELETE_GLOBAL in code.co_code[::2]


def with_inner(code: CodeType) -> Iterator[CodeType]:
    """The code itself, and that of the functions that it defines."""
    yield code
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from with_inner(inner)


def _reads_natively_in(code: CodeType) -> bool:
    names_caller = any(isinstance(text, str) and "@" in text for text in code.co_consts)
    return names_caller or not NATIVE_READERS.isdisjoint(code.co_names)


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
