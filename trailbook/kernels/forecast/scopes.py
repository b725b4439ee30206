"""Which names of a piece of code are global."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum, auto

from trailbook.kernels.forecast.effects import NONE, Names

Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
Comprehension = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp


class Kind(Enum):
    MODULE = auto()
    CLASS = auto()
    FUNCTION = auto()
    COMPREHENSION = auto()


@dataclass(frozen=True)
class Scope:
    kind: Kind
    parent: Scope | None = None
    local: Names = NONE
    declared_global: Names = NONE
    place: str = ""

    def key(self, name: str) -> str | None:
        """The name itself if it is global, with the place of the class if it is a class's, None if a function's."""
        if self.kind is Kind.CLASS and name in self.local:
            return f"{self.place}.{name}"
        return self._seen_within(name)

    def _seen_within(self, name: str) -> str | None:
        if self.parent is None or name in self.declared_global:
            return name
        # Functions don't see the names of the class they are in.
        if self.kind is not Kind.CLASS and name in self.local:
            return None
        return self.parent._seen_within(name)

    @property
    def binding(self) -> Scope:
        """Where `:=` binds."""
        return self.parent.binding if self.kind is Kind.COMPREHENSION and self.parent else self

    @property
    def is_top(self) -> bool:
        return self.binding.kind is Kind.MODULE


MODULE = Scope(Kind.MODULE)


def function_scope(node: Function, parent: Scope) -> Scope:
    given = node.args
    arguments = [*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg]
    names = _bindings([node.body] if isinstance(node, ast.Lambda) else node.body)
    parameters = {each.arg for each in arguments if each}
    return Scope(Kind.FUNCTION, parent, frozenset(names.local | parameters), frozenset(names.declared_global))


def class_scope(node: ast.ClassDef, parent: Scope) -> Scope:
    names = _bindings(node.body)
    place = f"{node.lineno}:{node.col_offset}"
    return Scope(Kind.CLASS, parent, frozenset(names.local), frozenset(names.declared_global), place)


def comprehension_scope(node: Comprehension, parent: Scope) -> Scope:
    targets = (each for generator in node.generators for each in ast.walk(generator.target))
    local = frozenset(each.id for each in targets if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store))
    return Scope(Kind.COMPREHENSION, parent, local)


def type_parameter_scope(node: ast.AST, parent: Scope) -> Scope:
    """The scope of `T` in `def first[T](…)`, which Python has from 3.12 on."""
    parameters: Iterable[ast.AST] = getattr(node, "type_params", ())
    names = frozenset(str(vars(each)["name"]) for each in parameters)
    return Scope(Kind.COMPREHENSION, parent, names) if names else parent


class _Bindings(ast.NodeVisitor):
    """The names that statements bind in their own scope."""

    def __init__(self) -> None:
        self.bound: set[str] = set()
        self.declared_global: set[str] = set()
        self.declared_nonlocal: set[str] = set()

    @property
    def local(self) -> set[str]:
        return self.bound - self.declared_global - self.declared_nonlocal

    def visit_Name(self, node: ast.Name) -> None:
        if not isinstance(node.ctx, ast.Load):
            self.bound.add(node.id)

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        self.bound.add(node.name)
        self._visit_all([*node.decorator_list, node.args])

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> None:
        self.visit_FunctionDef(node)

    def visit_Lambda(self, node: ast.Lambda) -> None:
        self.visit(node.args)

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self.bound.add(node.name)
        self._visit_all([*node.decorator_list, *node.bases, *node.keywords])

    def visit_comprehension(self, node: ast.comprehension) -> None:
        self._visit_all([node.iter, *node.ifs])

    def visit_Global(self, node: ast.Global) -> None:
        self.declared_global.update(node.names)

    def visit_Nonlocal(self, node: ast.Nonlocal) -> None:
        self.declared_nonlocal.update(node.names)

    def visit_alias(self, node: ast.alias) -> None:
        self.bound.add(node.asname or node.name.partition(".")[0])

    def generic_visit(self, node: ast.AST) -> None:
        self.bound.update(bound_by_text(node))
        super().generic_visit(node)

    def _visit_all(self, nodes: Sequence[ast.AST]) -> None:
        for node in nodes:
            self.visit(node)


def _bindings(body: Sequence[ast.AST]) -> _Bindings:
    found = _Bindings()
    for node in body:
        found.visit(node)
    return found


def bound_by_text(node: ast.AST) -> set[str]:
    """Names that a node binds which have no node of their own: `except … as e`, captures of `match`."""
    match node:
        case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
            return {name}
        case ast.MatchMapping(rest=str(name)):
            return {name}
    return set()


def deleted_in(*nodes: ast.AST) -> set[str]:
    """Names that may be unbound anywhere in the nodes."""
    found = set()
    for node in (each for top in nodes for each in ast.walk(top)):
        match node:
            case ast.Name(id=name, ctx=ast.Del()) | ast.ExceptHandler(name=str(name)):
                found.add(name)
    return found


def deleted_on_the_way_out(node: ast.AST) -> set[str]:
    """Names that a `finally` inside the node may unbind."""
    blocks = (each.finalbody for each in ast.walk(node) if isinstance(each, ast.Try | ast.TryStar))
    return {name for block in blocks for name in deleted_in(*block)}
