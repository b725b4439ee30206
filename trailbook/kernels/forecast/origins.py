"""Where the value of an expression comes from."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from trailbook.kernels.forecast.effects import Source
from trailbook.kernels.forecast.known import WRAPPING, last_name


def base_name(value: ast.expr) -> tuple[str | None, bool]:
    """The name that `a.b[0].c` starts with, and whether it leads to its end without a call between."""
    match value:
        case ast.Name(id=name):
            return name, True
        case ast.Attribute(value=inner) | ast.Subscript(value=inner) | ast.Starred(value=inner):
            return base_name(inner)
        case ast.Call(func=ast.Attribute(value=inner)):
            return base_name(inner)[0], False
    return None, False


def targets_in(target: ast.expr) -> Iterator[str]:
    """Names that hold, or stand for an object that holds, what is assigned to the target."""
    match target:
        case ast.Tuple(elts=parts) | ast.List(elts=parts):
            for part in parts:
                yield from targets_in(part)
        case _:
            name, _direct = base_name(target)
            if name is not None:
                yield name


def sources_in(*values: ast.expr) -> Iterator[Source]:
    """Names in the values, each with whether it is what a call calls; lambdas are left out."""
    left: list[ast.AST] = list(values)
    while left:
        match left.pop():
            case ast.Name(id=name):
                yield Source(name, called=False)
            case ast.Call(func=ast.Name(id=name)) as call:
                yield Source(name, called=True)
                left += kept_by_result(call)
            case ast.Call(func=func) as call:
                left += [func, *kept_by_result(call)]
            case ast.Lambda():
                pass
            case node:
                left += ast.iter_child_nodes(node)


def kept_by_result(call: ast.Call) -> list[ast.expr]:
    """The arguments that what a call returns may hold on to.

    Methods are taken to return data, as `df.apply(f)` does, unless they make an object: `functools.partial`,
    `pipeline.Step(f)`.
    """
    name = last_name(call.func)
    if not isinstance(call.func, ast.Name) and name not in WRAPPING and not name[:1].isupper():
        return []
    return [*call.args, *(keyword.value for keyword in call.keywords if keyword.arg != "key")]
