"""Walks through expressions in the order Python evaluates them."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from functools import cached_property

from trailbook.kernels.forecast import library
from trailbook.kernels.forecast.known import (
    BUILTINS,
    CHANGING_BUILTINS,
    FRAME_ATTRIBUTES,
    LOOKING_METHODS,
    NAMESPACES,
    changes_in_place,
    first_argument,
    last_name,
    looks_up_natively,
)
from trailbook.kernels.forecast.origins import base_name, kept_by_result
from trailbook.kernels.forecast.record import join
from trailbook.kernels.forecast.scopes import Comprehension, comprehension_scope
from trailbook.kernels.forecast.walker import Walker


# NodeVisitor is named again, here and below, so that linters know what the methods are named for.
class Expressions(Walker, ast.NodeVisitor):
    """Notes what expressions do."""

    only_named: ast.expr | None = None
    """A value that gets a name and is not used otherwise."""

    whole_statement: ast.expr | None = None
    """An expression whose result is not used."""

    @cached_property
    def only_looked_at(self) -> set[ast.expr]:
        """Values that nothing is stored into."""
        return set()

    @cached_property
    def known_uses(self) -> set[ast.expr]:
        """Where `tb` is named to do what is known."""
        return set()

    def visit_Name(self, node: ast.Name) -> None:
        match node.ctx:
            case ast.Store():
                self.bind(node.id)
            case ast.Del():
                self.look_up(node.id)
                self.unbind(node.id)
            case _:
                self.look_up(node.id)
                is_way_to_all = node.id == "globals" or (node.id == library.NAME and node not in self.known_uses)
                if is_way_to_all and self.is_global(node.id):
                    self.record.reads_anything = self.record.writes_anything = True

    def visit_Attribute(self, node: ast.Attribute) -> None:
        self.used_results.add(node.value)
        if node.attr in LOOKING_METHODS:
            self.only_looked_at.add(node.value)
        if node.attr in FRAME_ATTRIBUTES:
            self.record.reads_anything = self.record.writes_anything = True
        if node.attr in library.HARMLESS:
            self.known_uses.add(node.value)
        self.visit(node.value)
        if not isinstance(node.ctx, ast.Load):
            self.change(node.value)

    def visit_Subscript(self, node: ast.Subscript) -> None:
        self.used_results.add(node.value)
        if isinstance(node.ctx, ast.Load):
            self.only_looked_at.add(node.value)
        self.visit_all([node.value, node.slice])
        if not isinstance(node.ctx, ast.Load):
            self.change(node.value)

    # Calls

    def visit_Call(self, node: ast.Call) -> None:
        self._use_library(node)
        if isinstance(node.func, ast.Name):
            self._call_name(node, node.func.id)
        else:
            self.visit(node.func)
        receiver = node.func.value if isinstance(node.func, ast.Attribute) else None
        self._give(node, receiver)
        self._note_changes(node, receiver)
        self.record.reads_anything |= looks_up_natively(node)
        table = first_argument(node)
        if receiver and last_name(node.func) == "table" and isinstance(table, str) and table.isidentifier():
            self.look_up(table)

    def _use_library(self, node: ast.Call) -> None:
        """Note what `tb` does with names that are written out; with others it may do it to any."""
        match node.func:
            case ast.Attribute(value=ast.Name(id=library.NAME) as tb, attr=attribute) if attribute in library.USES:
                use = library.USES[attribute]
                names = library.named(node, use)
            case _:
                return
        self.known_uses.add(tb)
        if not self.is_global(library.NAME) or library.NAME in self.state.bound:
            return
        self.record.reads_anything |= names is None and bool(use.reads)
        self.record.writes_anything |= names is None and bool(use.writes or use.deletes)
        if names is not None:
            for place in use.reads:
                self.record.look_up(names[place], self.state.bound)
            self.record.writes.update(names[place] for place in use.writes)
            self.record.deletes.update(names[place] for place in use.deletes)

    def _call_name(self, node: ast.Call, name: str) -> None:
        self.look_up(name)
        key = self.scope.key(name)
        if key not in (None, name):
            # A class's body calls a function that it defined.
            self.record.run(self.home, self.state.bound)
        if key != name or name in self.state.bound or name not in NAMESPACES or node.args:
            return
        if name == "globals" or self.scope.is_top:
            self.record.reads_anything = True
            self.record.writes_anything |= name != "dir" and node not in self.only_looked_at

    def _give(self, node: ast.Call, receiver: ast.expr | None) -> None:
        """Walk through the arguments. What a method is given may stay in its object."""
        alone = node is self.whole_statement and not self.in_function
        keeps = alone or changes_in_place(node, result_is_used=node in self.used_results)
        stays = [receiver] if receiver and keeps else []
        kept = set(kept_by_result(node))
        outer = self.holders
        for value in given_to(node):
            self.holders = outer if value in kept else ()
            self.hold(stays, value)
        self.holders = outer

    def _note_changes(self, node: ast.Call, receiver: ast.expr | None) -> None:
        if receiver and changes_in_place(node, result_is_used=node in self.used_results):
            self.change(receiver)
        elif receiver:
            self.touch(receiver)
        if isinstance(node.func, ast.Name) and node.func.id in BUILTINS:
            # The other builtins leave what they are given as it is.
            if node.func.id in CHANGING_BUILTINS and node.args:
                self.change(node.args[0])
            return
        for value in given_to(node):
            if base_name(value)[1]:
                self.touch(value)

    # What may not be evaluated, or later

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        self.visit(node.values[0])
        self.outcome(self.state, node.values[1:])

    def visit_Compare(self, node: ast.Compare) -> None:
        self.only_looked_at.update(node.comparators)
        self.visit_all([node.left, node.comparators[0]])
        self.outcome(self.state, node.comparators[1:])

    def visit_IfExp(self, node: ast.IfExp) -> None:
        self.visit(node.test)
        self.state = join([self.outcome(self.state, [node.body]), self.outcome(self.state, [node.orelse])])

    def visit_NamedExpr(self, node: ast.NamedExpr) -> None:
        self.hold([node.target], node.value)
        self.visit(node.target)

    def visit_Dict(self, node: ast.Dict) -> None:
        for key, value in zip(node.keys, node.values, strict=True):
            self.visit_all([key, value])

    def visit_ListComp(self, node: ast.ListComp) -> None:
        self._comprehension(node, [node.elt])

    def visit_SetComp(self, node: ast.SetComp) -> None:
        self._comprehension(node, [node.elt])

    def visit_DictComp(self, node: ast.DictComp) -> None:
        self._comprehension(node, [node.key, node.value])

    def visit_GeneratorExp(self, node: ast.GeneratorExp) -> None:
        self._comprehension(node, [node.elt])

    def _comprehension(self, node: Comprehension, results: Sequence[ast.expr]) -> None:
        first, *others = node.generators
        self.visit(first.iter)
        before = self.state.copy()
        inner = [first.target, *first.ifs]
        for generator in others:
            inner += [generator.iter, generator.target, *generator.ifs]
        self.visit_within(comprehension_scope(node, self.scope), [*inner, *results])
        self.state = before

    def visit_Lambda(self, node: ast.Lambda) -> None:
        self.visit_all([*node.args.defaults, *node.args.kw_defaults])
        if self.in_function:
            self.record.inner_code.update(self.holders)
            self.record.hands_on |= any(isinstance(each, ast.Lambda) for each in ast.walk(node.body))
        else:
            for name in self.holders:
                self.run_body(node, self.scope, filed_as=name)
        if node is not self.only_named:
            self.run_body(node, self.scope)


def given_to(call: ast.Call) -> list[ast.expr]:
    return [*call.args, *(keyword.value for keyword in call.keywords)]
