"""The clauses of a SELECT after WHERE, on their way up through aggregation and windows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from sqlglot import exp

from trailbook.algebra.bind.grouping import top_down
from trailbook.algebra.bind.ordering import ordered
from trailbook.algebra.bind.relations import fresh
from trailbook.algebra.bind.scopes import UNREPEATABLE
from trailbook.algebra.clock import is_word_of_the_clock
from trailbook.algebra.expressions import Expr, ref
from trailbook.algebra.functions import lookup
from trailbook.algebra.plan import Named

Changing = Callable[[Expr], Expr]


@dataclass(frozen=True)
class Item:
    """A column of the SELECT list."""

    name: str
    expr: Expr
    is_alias: bool = False


@dataclass(frozen=True)
class Stage:
    """The expressions of the clauses after WHERE, over the plan as far as it goes."""

    items: list[Item]
    having: Expr | None = None
    qualify: Expr | None = None
    orders: Sequence[exp.Ordered] = ()

    def exprs(self) -> list[Expr]:
        """What is computed for the result: the SELECT list, then ORDER BY."""
        return [*(item.expr for item in self.items), *(key.this for key in self.orders)]

    def replaced(self, exprs: Iterable[Expr]) -> Stage:
        rest = iter(exprs)
        items = [replace(item, expr=next(rest)) for item in self.items]
        return replace(self, items=items, orders=[ordered(key, next(rest)) for key in self.orders])

    def changed(self, change: Changing) -> Stage:
        stage = self.replaced([change(expr) for expr in self.exprs()])
        having = None if self.having is None else change(self.having)
        return replace(stage, having=having, qualify=None if self.qualify is None else change(self.qualify))


def sort_keys(orders: Sequence[exp.Ordered], outputs: list[Named]) -> tuple[list[exp.Ordered], list[Named]]:
    """The keys over the result, and what must be kept beside it to sort by."""
    keys: list[exp.Ordered] = []
    hidden: list[Named] = []
    for key in orders:
        expr = _over_outputs(key.this, outputs)
        if expr is None:
            name = fresh("order", [o.name for o in (*outputs, *hidden)])
            hidden.append(Named(name, key.this))
            expr = ref(name)
        keys.append(ordered(key, expr))
    return keys, hidden


def _over_outputs(expr: Expr, outputs: list[Named]) -> Expr | None:
    """The expression computed from the result, if that has all it needs."""
    missing = False

    def chosen(node: Expr) -> Expr | None:
        nonlocal missing
        for output in outputs:
            if output.expr == node:
                return ref(output.name)
        missing = missing or isinstance(node, exp.Column) or not is_repeatable(node)
        return None

    found = top_down(expr, chosen)
    return None if missing else found


def is_repeatable(expr: Expr) -> bool:
    """Whether it gives the same value when computed twice."""
    for node in expr.find_all(exp.Anonymous, exp.Literal):
        function = lookup(node.name) if isinstance(node, exp.Anonymous) else None
        if is_word_of_the_clock(node) or (function is not None and not function.deterministic):
            return False
    return True


def lateral_aliases(aliases: Mapping[str, Expr]) -> dict[str, Expr]:
    """What the SELECT list may use of its own aliases."""
    return {name: expr if is_repeatable(expr) else UNREPEATABLE for name, expr in aliases.items()}
