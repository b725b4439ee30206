"""What every walk through code keeps track of."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence

from trailbook.kernels.forecast.effects import Source
from trailbook.kernels.forecast.known import RUNS_TEXT
from trailbook.kernels.forecast.origins import base_name, sources_in, targets_in
from trailbook.kernels.forecast.record import RESULT, Findings, Record, State, all_carries
from trailbook.kernels.forecast.scopes import MODULE, Function, Scope, function_scope


class Walker(ast.NodeVisitor):
    """Notes what code does. The functions it defines are filed in `findings`; inner ones run where they are defined."""

    def __init__(
        self, findings: Findings, record: Record, *, scope: Scope = MODULE, bound: Iterable[str] = (), home: str = ""
    ) -> None:
        self.findings = findings
        self.record = record
        self.scope = scope
        self.state = State(set(bound))
        # The function or class around, by its global name.
        self.home = home
        self.in_function = False
        # Names that will hold the value being walked through.
        self.holders: tuple[str, ...] = ()
        self.used_results: set[ast.expr] = set()

    def visit(self, node: ast.AST) -> None:
        if self.state.reachable:
            super().visit(node)

    def visit_all(self, nodes: Iterable[ast.AST | None]) -> None:
        for node in nodes:
            if node is not None:
                self.visit(node)

    def visit_within(self, scope: Scope, nodes: Iterable[ast.AST]) -> None:
        outer, self.scope = self.scope, scope
        self.visit_all(nodes)
        self.scope = outer

    def outcome(self, start: State, nodes: Iterable[ast.AST | None]) -> State:
        """Walk through the nodes from a state on; return where that leads, and come back."""
        before, self.state = self.state, start.copy()
        self.visit_all(nodes)
        after, self.state = self.state, before
        return after

    def run_body(self, node: Function, scope: Scope, *, filed_as: str = "") -> None:
        """Walk through the body of a function as it runs when called: by a name, or at any time from here on."""
        walker = type(self)(
            self.findings,
            self.findings.function(filed_as) if filed_as else self.record,
            scope=function_scope(node, scope),
            bound=() if filed_as else self.state.bound,
            home=filed_as or self.home,
        )
        walker.in_function = True
        walker.visit_all([node.body] if isinstance(node, ast.Lambda) else node.body)

    # Names

    def look_up(self, name: str) -> None:
        key = self.scope.key(name)
        if key is None or (key != name and key in self.state.bound):
            return
        self.record.look_up(name, self.state.bound)
        if name not in self.state.bound:
            self.record.reads_anything |= name in RUNS_TEXT or name == "__import__"
            self.record.writes_anything |= name in RUNS_TEXT

    def bind(self, name: str) -> None:
        key = self.scope.key(name)
        if key is not None:
            self.state.bound.add(key)
        if key == name:
            self.record.writes.add(name)

    def unbind(self, name: str) -> None:
        key = self.scope.key(name)
        if key is not None:
            self.state.bound.discard(key)
        if key == name:
            self.record.deletes.add(name)

    def is_global(self, name: str) -> bool:
        return self.scope.key(name) == name

    # Objects

    def change(self, value: ast.expr) -> None:
        """Note that the object which the value is, or is a part of, is changed in place."""
        name, direct = base_name(value)
        if name is not None and self.is_global(name):
            (self.record.mutates if direct else self.record.touches).add(name)

    def touch(self, value: ast.expr) -> None:
        """Note that the object which the value is, or is a part of, is given to code that might change it."""
        name, _direct = base_name(value)
        if name is not None and self.is_global(name):
            self.record.touches.add(name)

    def hold(self, targets: Sequence[ast.expr], value: ast.expr) -> None:
        """Walk through a value that the targets are about to hold."""
        self.hold_as([name for target in targets for name in targets_in(target)], value)

    def hold_as(self, names: Sequence[str], value: ast.expr) -> None:
        self.used_results.add(value)
        outer = self.holders
        self.holders = (*outer, *self.carry(names, value))
        self.visit(value)
        self.holders = outer

    def carry(self, names: Sequence[str], *values: ast.expr) -> Sequence[str]:
        """Note that the names may hold functions that the values mention; return those to file functions under."""
        keys = [(name, self.scope.key(name)) for name in names]
        holders = [name if key == name else self.home for name, key in keys if key is not None and name != RESULT]
        if holders:
            self.findings.carry(holders, sources_in(*values))
        if not self.in_function:
            return holders
        self.record.inner_carries |= all_carries(names, sources_in(*values))
        self.record.outlets.update(holders)
        if self.home:
            self.findings.carry(holders, [Source(self.home, called=True)])
        return names
