"""Walks through definitions of functions and classes, and imports."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from trailbook.kernels.forecast.expressions import Expressions
from trailbook.kernels.forecast.known import QUIET_DECORATORS, last_name
from trailbook.kernels.forecast.scopes import class_scope, type_parameter_scope


class Definitions(Expressions, ast.NodeVisitor):
    """Notes what definitions do where they stand, and files what functions do when called."""

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        self.visit_all([*node.decorator_list, *node.args.defaults, *node.args.kw_defaults])
        inner = type_parameter_scope(node, self.scope)
        if self.findings.evaluates_annotations:
            self.visit_within(inner, _annotations(node))
        if self.in_function:
            self.record.inner_code.add(node.name)
            self.run_body(node, inner)
            self.bind(node.name)
            self.carry([node.name])
        else:
            name = self.home or node.name
            self.run_body(node, inner, filed_as=name)
            self._decorate(node, name)
            self.bind(node.name)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> None:
        self.visit_FunctionDef(node)

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self.visit_all(node.decorator_list)
        inner = type_parameter_scope(node, self.scope)
        bases = [*node.bases, *(keyword.value for keyword in node.keywords)]
        self.visit_within(inner, bases)
        outer_home = self.home
        self.home = outer_home or node.name
        scope = class_scope(node, inner)
        self.visit_within(scope, node.body)
        self.state.bound = {key for key in self.state.bound if not key.startswith(f"{scope.place}.")}
        if self.in_function:
            self.record.inner_code.add(node.name)
            self.record.inner_classes.add(node.name)
            self.carry([node.name])
        else:
            self.findings.function(self.home).hands_on = True
            self.carry([self.home], *bases)
            self._decorate(node, self.home)
        self.bind(node.name)
        self.home = outer_home

    def _decorate(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef, name: str) -> None:
        """Let decorators run what they are given, which has no name yet."""
        loud = [each for each in node.decorator_list if last_name(each) not in QUIET_DECORATORS]
        if loud:
            self.record.run(name, self.state.bound)
            self.carry([node.name], *loud)

    def visit_TypeAlias(self, node: ast.AST) -> None:
        """`type Pair[T] = …`, from Python 3.12 on."""
        parts = vars(node)
        self.visit_within(type_parameter_scope(node, self.scope), [parts["value"]])
        self.visit(parts["name"])

    def visit_Import(self, node: ast.Import) -> None:
        for alias in node.names:
            name = alias.asname or alias.name.partition(".")[0]
            self._import(name, alias.name)
            self.findings.whole_modules.add(name)

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        module = "." * node.level + (node.module or "")
        for alias in node.names:
            if alias.name == "*":
                self.record.writes_anything = True
            else:
                self._import(alias.asname or alias.name, module)
            if module == "__future__" and alias.name == "annotations":
                self.findings.evaluates_annotations = False

    def _import(self, name: str, module: str) -> None:
        self.bind(name)
        if self.scope.key(name) == name:
            self.findings.modules[name] = module
        if module == "__main__":
            self.record.reads_anything = self.record.writes_anything = True


def _annotations(node: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[ast.expr]:
    given = node.args
    for argument in (*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg):
        if argument and argument.annotation:
            yield argument.annotation
    if node.returns:
        yield node.returns
