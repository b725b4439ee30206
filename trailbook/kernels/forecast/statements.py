"""Walks through statements, and keeps track of what is certainly bound on every way through them."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from functools import cached_property

from trailbook.kernels.forecast.definitions import Definitions
from trailbook.kernels.forecast.known import SUPPRESSING, last_name
from trailbook.kernels.forecast.record import RESULT, State, join
from trailbook.kernels.forecast.scopes import Kind, bound_by_text, deleted_in, deleted_on_the_way_out

Loop = ast.For | ast.AsyncFor | ast.While


class Statements(Definitions, ast.NodeVisitor):
    """The whole walk. What is certain at the head of a loop, and where an exception may arrive, is what was
    certain before and is unbound nowhere inside: so every statement is walked through once."""

    @cached_property
    def breaks(self) -> list[list[State]]:
        """For each loop around, what was certain where it was left by `break`."""
        return []

    def stop(self) -> None:
        self.state = State(reachable=False)

    # Assignments

    def visit_Assign(self, node: ast.Assign) -> None:
        self._name(node.targets, node.value)
        self.visit_all(node.targets)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value:
            self._name([node.target], node.value)
            self.visit(node.target)
        elif not isinstance(node.target, ast.Name):
            self.visit_all(ast.iter_child_nodes(node.target))
        if self.findings.evaluates_annotations and self.scope.kind in (Kind.MODULE, Kind.CLASS):
            self.visit(node.annotation)

    def _name(self, targets: Sequence[ast.expr], value: ast.expr) -> None:
        # A lambda that only gets a name is a function defined, not one that might be called at once.
        is_named = not self.in_function and all(isinstance(target, ast.Name) for target in targets)
        self.only_named = value if is_named else None
        self.hold(targets, value)
        self.only_named = None

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        if not isinstance(node.target, ast.Name):
            self.visit(node.target)
            self.hold([node.target], node.value)
            return
        self.look_up(node.target.id)
        self.change(node.target)
        self.hold([node.target], node.value)
        self.bind(node.target.id)

    def visit_Expr(self, node: ast.Expr) -> None:
        self.whole_statement = node.value
        self.visit(node.value)

    # Ways that part

    def visit_If(self, node: ast.If) -> None:
        self.visit(node.test)
        ways = []
        if constant(node.test) is not False:
            ways.append(self.outcome(self.state, node.body))
        if constant(node.test) is not True:
            ways.append(self.outcome(self.state, node.orelse))
        self.state = join(ways)

    def visit_Match(self, node: ast.Match) -> None:
        self.visit(node.subject)
        ways = []
        for case in node.cases:
            captured = {name for each in ast.walk(case.pattern) for name in bound_by_text(each)}
            self.carry(sorted(captured), node.subject)
            ways.append(self.outcome(self.state, [case.pattern, case.guard, *case.body]))
        if not any(always_matches(case) for case in node.cases):
            ways.append(self.state)
        self.state = join(ways)

    def visit_MatchOr(self, node: ast.MatchOr) -> None:
        self.state = join([self.outcome(self.state, [pattern]) for pattern in node.patterns])

    def visit_MatchAs(self, node: ast.MatchAs | ast.MatchStar | ast.MatchMapping) -> None:
        self.generic_visit(node)
        for name in bound_by_text(node):
            self.bind(name)

    def visit_MatchStar(self, node: ast.MatchStar) -> None:
        self.visit_MatchAs(node)

    def visit_MatchMapping(self, node: ast.MatchMapping) -> None:
        self.visit_MatchAs(node)

    def visit_Assert(self, node: ast.Assert) -> None:
        self.visit(node.test)
        self.outcome(self.state, [node.msg])

    # Loops

    def visit_For(self, node: ast.For | ast.AsyncFor) -> None:
        self.hold([node.target], node.iter)
        head = self.state.without(deleted_in(node))
        self._loop(node, head, [node.target, *node.body], at_end=head)

    def visit_AsyncFor(self, node: ast.AsyncFor) -> None:
        self.visit_For(node)

    def visit_While(self, node: ast.While) -> None:
        self.state = self.state.without(deleted_in(node))
        self.visit(node.test)
        body = [] if constant(node.test) is False else node.body
        self._loop(node, self.state, body, at_end=State(reachable=False) if constant(node.test) is True else self.state)

    def _loop(self, node: Loop, head: State, body: Sequence[ast.AST], at_end: State) -> None:
        self.breaks.append([])
        self.outcome(head, body)
        ways = [state.without(deleted_on_the_way_out(node)) for state in self.breaks.pop()]
        self.state = join([*ways, self.outcome(at_end, node.orelse)])

    def visit_Break(self, _node: ast.Break) -> None:
        if self.breaks:
            self.breaks[-1].append(self.state)
        self.stop()

    # Ways that end

    def visit_Continue(self, _node: ast.Continue) -> None:
        self.stop()

    def visit_Return(self, node: ast.Return) -> None:
        if node.value:
            self.hold_as([RESULT], node.value)
        self.stop()

    def visit_Yield(self, node: ast.Yield | ast.YieldFrom) -> None:
        if node.value:
            self.hold_as([RESULT], node.value)

    def visit_YieldFrom(self, node: ast.YieldFrom) -> None:
        self.visit_Yield(node)

    def visit_Raise(self, node: ast.Raise) -> None:
        self.generic_visit(node)
        self.stop()

    # Ways that may break off

    def visit_Try(self, node: ast.Try | ast.TryStar) -> None:
        before = self.state.copy()
        broken_off = before.without(deleted_in(*node.body))
        ways = [self.outcome(before, [*node.body, *node.orelse])]
        ways += [self.outcome(broken_off, [handler]) for handler in node.handlers]
        self.state = join(ways)
        if node.finalbody:
            anywhere = before.without(deleted_in(*node.body, *node.handlers, *node.orelse))
            self._finish(node, self.outcome(anywhere, node.finalbody))

    def _finish(self, node: ast.Try | ast.TryStar, last: State) -> None:
        through = self.state.without(deleted_in(*node.finalbody))
        self.state = State(through.bound | last.bound, through.reachable and last.reachable)

    def visit_TryStar(self, node: ast.TryStar) -> None:
        self.visit_Try(node)

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> None:
        self.visit_all([node.type])
        if node.name:
            self.bind(node.name)
        self.visit_all(node.body)
        if node.name:
            self.unbind(node.name)

    def visit_With(self, node: ast.With | ast.AsyncWith) -> None:
        for item in node.items:
            self.hold([item.optional_vars] if item.optional_vars else [], item.context_expr)
            self.visit_all([item.optional_vars])
        through = self.outcome(self.state, node.body)
        if any(last_name(item.context_expr) in SUPPRESSING for item in node.items):
            through = join([through, self.state.without(deleted_in(*node.body))])
        self.state = through

    def visit_AsyncWith(self, node: ast.AsyncWith) -> None:
        self.visit_With(node)


def constant(test: ast.expr) -> bool | None:
    """What a condition comes to, if it is written out."""
    return bool(test.value) if isinstance(test, ast.Constant) else None


def always_matches(case: ast.match_case) -> bool:
    return case.guard is None and isinstance(case.pattern, ast.MatchAs) and case.pattern.pattern is None
